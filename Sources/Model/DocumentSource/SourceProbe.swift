internal import BinaryPropertyList
package import LinuxSystem
package import Xattr

/// Tells of many files whether they have a source in the native attribute.
///
/// It is the fastest way to do so: one system call for each file, and no allocation.
package struct SourceProbe: Sendable {
  // Copies, since a static property is asked for at each use whether it was made.
  package let name = Carrier.nativeName
  private let lookup = Content.lookup
  private let options = AttributeValue.tolerant

  package init() {}

  /// Whether a file has a source; `nil` where the attribute is damaged, or the kernel refuses, of
  /// which `DocumentSourceAttribute.content` tells more.
  package func hasSource(_ file: borrowing EntryReference) -> Bool? {
    var hasSource: Bool? = false
    let isThere = ExtendedAttributes.read(name, of: file) { bytes in
      hasSource = self.hasSource(bytes)
    }
    return isThere == nil ? nil : hasSource
  }

  /// Whether a value of the attribute is a source; `nil` where it is damaged.
  ///
  /// The fields are checked, and nothing is made of them.
  package func hasSource(_ bytes: Span<UInt8>) -> Bool? {
    if bytes.isEmpty || (bytes.count == 1 && bytes[0] == 0) { return false }
    do throws(DecodingFailure) {
      let list = unsafe bytes.bytes
      let found = try lookup.find(in: list, options: options)
      guard found.hasString else { return false }
      try found.checkAll(in: list)
      return true
    } catch {
      return nil
    }
  }
}
