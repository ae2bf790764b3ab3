internal import Applications
internal import CXML2

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

  /// Whether the file is not to be read after all.
  private(set) var isRefused = false
  /// Stops the parser.
  var stop: (() -> Void)?
  private var identifier: String?
  private var name: String?
  private var icon: String?
  private var depth = 0
  private var field: Field?
  private var text: [UInt8] = []

  var description: ApplicationDescription? {
    identifier.map { ApplicationDescription(identifier: $0, name: name, icon: icon) }
  }

  private func refuse() {
    isRefused = true
    stop?()
  }

  private func begin(_ element: String, _ attributes: [String: String]) {
    text = []
    switch element {
    case "id" where identifier == nil: field = .identifier
    case "name" where name == nil && attributes["xml:lang"] == nil: field = .name
    case "icon" where icon == nil && attributes["type"] == "stock": field = .icon
    default: field = nil
    }
  }

  private func end() {
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

extension ComponentContent {
  /// libxml2's handlers, whose context is an instance of this.
  ///
  /// They are those of its first interface, which names elements and attributes as they are written
  /// and builds no tree: `initialized` is not `XML_SAX2_MAGIC`.
  static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = 1
    unsafe handler.startElement = { context, name, attributes in
      guard let content = unsafe ComponentContent.of(context) else { return }
      content.depth += 1
      if content.depth > ComponentContent.depthLimit { content.refuse() }
      if content.depth == 2 {
        unsafe content.begin(ComponentContent.string(name), ComponentContent.pairs(attributes))
      }
    }
    unsafe handler.endElement = { context, _ in
      guard let content = unsafe ComponentContent.of(context) else { return }
      if content.depth == 2 { content.end() }
      content.depth -= 1
    }
    unsafe handler.characters = { context, text, count in
      unsafe ComponentContent.take(context, text, count)
    }
    unsafe handler.ignorableWhitespace = { context, text, count in
      unsafe ComponentContent.take(context, text, count)
    }
    unsafe handler.cdataBlock = { context, text, count in
      unsafe ComponentContent.take(context, text, count)
    }
    unsafe handler.reference = { context, _ in unsafe ComponentContent.of(context)?.refuse() }
    unsafe handler.entityDecl = { context, _, _, _, _, _ in
      unsafe ComponentContent.of(context)?.refuse()
    }
    unsafe handler.attributeDecl = { context, _, _, _, _, _, list in
      unsafe xmlFreeEnumeration(list)
      unsafe ComponentContent.of(context)?.refuse()
    }
    unsafe handler.elementDecl = { context, _, _, _ in
      unsafe ComponentContent.of(context)?.refuse()
    }
    unsafe handler.notationDecl = { context, _, _, _ in
      unsafe ComponentContent.of(context)?.refuse()
    }
    unsafe handler.unparsedEntityDecl = { context, _, _, _, _ in
      unsafe ComponentContent.of(context)?.refuse()
    }
    return unsafe handler
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> ComponentContent? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<ComponentContent>.fromOpaque(context).takeUnretainedValue()
  }

  private static func take(
    _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: CInt
  ) {
    guard let content = unsafe of(context), content.depth == 2, content.field != nil else { return }
    guard content.text.count + Int(count) <= textLimit else { return content.refuse() }
    unsafe content.text += UnsafeBufferPointer(start: text, count: Int(count))
  }

  private static func string(_ bytes: UnsafePointer<xmlChar>?) -> String {
    guard let bytes = unsafe bytes else { return "" }
    return unsafe String(cString: bytes)
  }

  /// Names and values take turns, with a null pointer at the end.
  private static func pairs(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> [String: String] {
    guard var next = unsafe attributes else { return [:] }
    var pairs: [String: String] = [:]
    while let name = unsafe next.pointee {
      unsafe pairs[string(name)] = string(next[1])
      unsafe next += 2
    }
    return pairs
  }
}
