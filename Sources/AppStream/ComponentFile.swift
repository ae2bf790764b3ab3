public import Applications
internal import CXML2

/// Reads a file of AppStream's metainfo with libxml2's push parser.
///
/// See the AppStream specification, "Generic Component". The file is a stranger's: one that declares
/// anything of its own, entities among it, or refers to an entity that is not XML's own is not read;
/// no document type is loaded, nothing is fetched. Nor is one that is made to take long: with a
/// tag, comment or CDATA section of 16 KiB, a name of 4 KiB, or elements nested deeper than 256.
public enum ComponentFile {
  /// How much libxml2 is given at a time; in bytes.
  private static let pieceSize = 512
  /// What libxml2 reads only when it is whole, such as a tag, is not longer; in bytes. Each attribute
  /// of a tag is compared with all the others, which for a tag of a MiB takes twenty seconds.
  private static let pendingLimit = 16 << 10

  /// What an application says of itself.
  ///
  /// - Returns: `nil` for what is malformed or not to be trusted, and where there is no identifier.
  public static func read(_ bytes: [UInt8]) -> ApplicationDescription? {
    let content = ComponentContent()
    return unsafe bytes.withUnsafeBytes { unsafe parse($0, content) }
      ? content.description : nil
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, _ content: ComponentContent) -> Bool {
    cxml2_silence()
    var handler = unsafe ComponentContent.handler
    let user = unsafe Unmanaged.passUnretained(content).toOpaque()
    guard let parser = unsafe xmlCreatePushParserCtxt(&handler, user, nil, 0, nil) else {
      return false
    }
    content.stop = { unsafe xmlStopParser(parser) }
    defer {
      content.stop = nil
      // libxml2 makes one where an entity is declared.
      unsafe xmlFreeDoc(parser.pointee.myDoc)
      unsafe parser.pointee.myDoc = nil
      unsafe xmlFreeParserCtxt(parser)
    }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    unsafe xmlCtxtUseOptions(parser, CInt(options))
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(pieceSize))
      unsafe rest = rest.dropFirst(pieceSize)
      let start = unsafe piece.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard unsafe xmlParseChunk(parser, start, CInt(piece.count), 0) == 0,
        unsafe !content.isRefused && parser.pointee.wellFormed == 1,
        let input = unsafe parser.pointee.input,
        unsafe input.pointee.end - input.pointee.cur <= pendingLimit
      else { return false }
    }
    return unsafe xmlParseChunk(parser, nil, 0, 1) == 0 && !content.isRefused
      && parser.pointee.wellFormed == 1
  }
}
