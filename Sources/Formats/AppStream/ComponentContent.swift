internal import Applications
internal import GuardedXML

/// What counts of a component's file, as the parser tells of it: the text that stands directly in
/// elements that stand directly in the root element.
final class ComponentContent {
  private enum Field {
    case identifier, name, icon
  }

  /// Elements are not nested deeper. libxml2 looks to that only where it builds a tree.
  private static let depthLimit = 256
  /// A text that counts is not longer; in bytes.
  private static let textLimit = 4096

  private var identifier: String?
  private var name: String?
  private var icon: String?
  private var depth = 0
  private var field: Field?
  private var text: [UInt8] = []

  var description: ApplicationDescription? {
    identifier.map { ApplicationDescription(identifier: $0, name: name, icon: icon) }
  }

  /// What is done as the parser comes to the parts of a file.
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
    case "id" where identifier == nil: field = .identifier
    case "name" where name == nil && attributes["xml:lang"] == nil: field = .name
    case "icon" where icon == nil && attributes["type"] == "stock": field = .icon
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
    let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let plain = words.joined(separator: " ")
    defer { field = nil }
    guard !plain.isEmpty else { return }
    switch field {
    case .identifier:
      let older = ".desktop"
      identifier = plain.hasSuffix(older) ? String(plain.dropLast(older.count)) : plain
    case .name: name = plain
    case .icon: icon = plain
    case nil: break
    }
  }
}
