internal import CXML2

/// The tag that begins an element, while the parser tells of it; names are as they are written.
@safe
package struct XMLStartTag {
  private let rawName: UnsafePointer<xmlChar>?
  private let rawAttributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

  init(
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    unsafe rawName = name
    unsafe rawAttributes = attributes
  }

  package var name: String { unsafe Self.string(rawName) }

  package var attributes: [String: String] {
    var attributes: [String: String] = [:]
    unsafe forEach { name, value in
      unsafe attributes[Self.string(name)] = unsafe Self.string(value)
    }
    return attributes
  }

  /// How many attributes there are, and how many of them declare a namespace or name the element.
  var counts: (attributes: Int, namespaces: Int, identifiers: Int) {
    var counts = (attributes: 0, namespaces: 0, identifiers: 0)
    unsafe forEach { name, _ in
      counts.attributes += 1
      if unsafe xmlStrncmp(name, "xmlns", 5) == 0 { counts.namespaces += 1 }
      if unsafe xmlStrEqual(name, "xml:id") == 1 { counts.identifiers += 1 }
    }
    return counts
  }

  /// Names and values take turns, with a null pointer at the end.
  private func forEach(
    _ body: (UnsafePointer<xmlChar>, UnsafePointer<xmlChar>?) -> Void
  ) {
    guard var next = unsafe rawAttributes else { return }
    while let name = unsafe next.pointee {
      unsafe body(name, next[1])
      unsafe next += 2
    }
  }

  private static func string(_ bytes: UnsafePointer<xmlChar>?) -> String {
    guard let bytes = unsafe bytes else { return "" }
    return unsafe String(cString: bytes)
  }
}
