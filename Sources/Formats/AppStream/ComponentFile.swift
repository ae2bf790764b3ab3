public import Applications
internal import GuardedXML

/// Reads a file of AppStream's metainfo.
///
/// See the AppStream specification, "Generic Component". The file is a stranger's: one that declares
/// anything of its own, entities among it, or refers to an entity that is not XML's own is not read;
/// no document type is loaded, nothing is fetched. Nor is one that is made to take long: with a
/// tag, comment or CDATA section of 16 KiB, a name of 4 KiB, more than 256 attributes of an element,
/// or elements nested deeper than 256.
public enum ComponentFile {
  /// What an application says of itself.
  ///
  /// - Returns: `nil` for what is malformed or not to be trusted, and where there is no identifier.
  public static func read(_ bytes: [UInt8]) -> ApplicationDescription? {
    let content = ComponentContent()
    do throws(XMLFlaw) {
      try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(XMLFlaw) in
        try unsafe GuardedParser.read(bytes, .strict, content.events)
      }
      return content.description
    } catch {
      return nil
    }
  }
}
