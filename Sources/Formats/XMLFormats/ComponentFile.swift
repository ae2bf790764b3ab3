package import ForeignFormats

/// Reads a file of AppStream's metainfo.
///
/// See the AppStream specification, "Generic Component". The file is untrusted: one that declares
/// anything of its own, entities among it, or refers to an entity that is not XML's own is not read;
/// no document type is loaded, nothing is fetched. Nor is one that is made to take long: with a
/// tag, comment or CDATA section of 16 KiB, a name of 4 KiB, more than 256 attributes of an element,
/// or elements nested deeper than 256.
package enum ComponentFile {
  /// What an application says of itself.
  ///
  /// - Returns: `nil` for what is malformed or not to be trusted, and where there is no identifier.
  package static func read(_ bytes: [UInt8]) -> ApplicationDescription? {
    let content = ComponentContent()
    let whole: Void? = try? unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(XMLFlaw) in
      try unsafe GuardedParser.read(bytes, .strict, content.events)
    }
    return whole.flatMap { content.description }
  }
}

/// Collects the fields of a component while its file is parsed: the text directly in children of
/// the root element.
private final class ComponentContent {
  private enum Field { case identifier, name, icon }

  /// The deepest nesting of elements. libxml2 limits it only where it builds a tree.
  private static let depthLimit = 256
  /// The longest text of a field, in bytes.
  private static let textLimit = 4096

  private var found: [Field: String] = [:]
  private var depth = 0
  private var field: Field?
  private var text: [UInt8] = []

  var description: ApplicationDescription? {
    found[.identifier].map {
      ApplicationDescription(identifier: $0, name: found[.name], icon: found[.icon])
    }
  }

  /// Called for the parts of a file as they are parsed.
  var events: XMLEvents {
    unsafe XMLEvents(
      begin: { self.begin($0) }, end: { self.end() }, text: { unsafe self.take($0) },
      reference: { false })
  }

  private func begin(_ tag: XMLStartTag) -> Bool {
    depth += 1
    guard depth == 2 else { return depth <= Self.depthLimit }
    let attributes = tag.attributes
    text = []
    switch tag.name {
    case "id" where found[.identifier] == nil: field = .identifier
    case "name" where found[.name] == nil && attributes["xml:lang"] == nil: field = .name
    case "icon" where found[.icon] == nil && attributes["type"] == "stock": field = .icon
    default: field = nil
    }
    return true
  }

  private func take(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    guard depth == 2, field != nil else { return true }
    guard text.count + part.count <= Self.textLimit else { return false }
    unsafe text += part
    return true
  }

  private func end() -> Bool {
    if depth == 2 { endField() }
    depth -= 1
    return true
  }

  private func endField() {
    defer { field = nil }
    guard let field else { return }
    var words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let older = ".desktop"
    if field == .identifier, let last = words.last, last.hasSuffix(older) {
      words[words.count - 1] = last.dropLast(older.count)
    }
    let plain = words.lazy.filter { !$0.isEmpty }.joined(separator: " ")
    if !plain.isEmpty { found[field] = plain }
  }
}
