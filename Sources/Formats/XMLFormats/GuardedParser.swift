internal import CXML2

/// Reads untrusted XML with libxml2's push parser, and ends before what would take it long.
///
/// No document type is loaded, nothing is fetched, and the first declaration that a document makes
/// of its own ends the reading. libxml2 compares each attribute of a tag with all the others, and so
/// each name of an enumeration, looks for a namespace among all that are declared, and for a name
/// among all that there are in a table that stops growing. Some MiB of those take it minutes, so that
/// there are limits. A long comment or text takes no longer than many short ones.
@safe
final class GuardedParser {
  /// How strict the reading is.
  enum Strictness {
    /// As libxml2 is, with the limits.
    case bounded
    /// A tag is not longer than 16 KiB, nor is a comment or CDATA section, and libxml2 has nothing
    /// to object to.
    case strict
  }

  /// The longest tag, reference and document type, in bytes.
  static let tagLimit = 64 << 10
  /// The most attributes of a tag.
  static let attributeLimit = 256
  /// The most namespaces that an element and those around it declare.
  static let namespaceLimit = 256
  /// The most different names of elements and attributes, and the most of `xml:id`.
  static let nameLimit = 50_000
  /// The deepest nesting of elements. Where libxml2 builds a tree it allows 256.
  static let depthLimit = 512
  private static let strictLimit = 16 << 10
  /// How many bytes libxml2 gets at a time: as many as its pull parser gives itself.
  private static let pieceSize = 512

  private let strictness: Strictness
  private let events: XMLEvents
  private let context: xmlParserCtxtPtr
  private var flaw: XMLFlaw?
  /// Of each element that is open, how many namespaces it declares.
  private var namespaces: [Int] = []
  private var namespacesInForce = 0
  private var identifiers = 0

  private init(_ strictness: Strictness, _ events: XMLEvents, _ context: xmlParserCtxtPtr) {
    self.strictness = strictness
    self.events = events
    unsafe self.context = context
  }

  /// Reads a document.
  static func read(
    _ bytes: UnsafeRawBufferPointer, _ strictness: Strictness, _ events: XMLEvents
  ) throws(XMLFlaw) {
    var given = 0
    try unsafe read(bytes, strictness, events, &given)
  }

  /// Looks a document through before a parser without these limits reads it.
  ///
  /// - Returns: how many bytes that parser is to be given: all, or less where the document is not
  ///   well-formed or is nested too deep, which that parser tells then.
  static func safeLength(of bytes: UnsafeRawBufferPointer) throws(XMLFlaw) -> Int {
    var given = 0
    do throws(XMLFlaw) {
      try unsafe read(bytes, .bounded, XMLEvents(), &given)
    } catch {
      guard error.reason == .malformed || error.reason == .depth else { throw error }
    }
    return given
  }

  /// libxml2's pull parser for the safe length of a document; it fetches and prints nothing.
  static func pullParser(_ bytes: UnsafeRawBufferPointer, _ length: CInt) -> xmlTextReaderPtr? {
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let reader = unsafe xmlReaderForMemory(start, length, nil, nil, options) else {
      return nil
    }
    // Otherwise libxml2 prints some errors itself, text of the document and all.
    unsafe xmlTextReaderSetStructuredErrorHandler(reader, { _, _ in }, nil)
    unsafe xmlSetStructuredErrorFunc(nil) { _, _ in }
    return unsafe reader
  }

  private static let options = CInt(
    XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)

  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ strictness: Strictness, _ events: XMLEvents,
    _ given: inout Int
  ) throws(XMLFlaw) {
    cxml2_silence()
    var handler = unsafe Self.handler
    guard let context = unsafe xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
      throw XMLFlaw(reason: .malformed, offset: 0, line: 0)
    }
    defer {
      // libxml2 makes one where an entity is declared.
      unsafe xmlFreeDoc(context.pointee.myDoc)
      unsafe context.pointee.myDoc = nil
      unsafe xmlFreeParserCtxt(context)
    }
    let parser = unsafe GuardedParser(strictness, events, context)
    unsafe context.pointee.userData = Unmanaged.passUnretained(parser).toOpaque()
    unsafe xmlCtxtUseOptions(context, options)
    defer { extendLifetime(parser) }
    while given < bytes.count {
      let piece = unsafe UnsafeRawBufferPointer(
        rebasing: bytes[given..<min(given + pieceSize, bytes.count)])
      given += piece.count
      try unsafe parser.take(piece)
      if parser.pending > parser.pendingLimit { parser.stop(.longTag) }
      if unsafe xmlDictSize(context.pointee.dict) > nameLimit { parser.stop(.names) }
      if let flaw = parser.flaw { throw flaw }
    }
    try unsafe parser.take(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private func take(_ piece: UnsafeRawBufferPointer) throws(XMLFlaw) {
    let start = unsafe piece.baseAddress?.assumingMemoryBound(to: CChar.self)
    let result = unsafe xmlParseChunk(
      context, start, CInt(piece.count), piece.isEmpty ? 1 : 0)
    if let flaw { throw flaw }
    // libxml2 reads on after an error that is none of form, and notes it. Bytes that do not fit
    // their encoding are an error that it does not note.
    let isStopped = unsafe context.pointee.disableSAX != 0 || context.pointee.wellFormed == 0
    let isNoted = unsafe result == context.pointee.errNo
    guard !isStopped, result == 0 || strictness == .bounded && isNoted else {
      throw flaw(.malformed)
    }
  }

  private var pendingLimit: Int { strictness == .strict ? Self.strictLimit : Self.tagLimit }

  /// The number of bytes that libxml2 holds until the token they belong to is whole.
  private var pending: Int {
    guard let input = unsafe context.pointee.input else { return 0 }
    let pending = unsafe UnsafeBufferPointer(
      start: input.pointee.cur, count: input.pointee.end - input.pointee.cur)
    guard strictness == .bounded else { return pending.count }
    // Of these libxml2 looks at each byte once.
    let isLinear =
      unsafe context.pointee.instate == XML_PARSER_CDATA_SECTION
      || pending.starts(with: "<!--".utf8) || pending.starts(with: "<?".utf8)
    return isLinear ? 0 : pending.count
  }

  private func flaw(_ reason: XMLFlaw.Reason) -> XMLFlaw {
    unsafe XMLFlaw(
      reason: reason, offset: max(0, xmlByteConsumed(context)),
      line: context.pointee.input.map { unsafe Int($0.pointee.line) } ?? 0)
  }

  /// Reads no further.
  private func stop(_ reason: XMLFlaw.Reason) {
    guard flaw == nil else { return }
    flaw = flaw(reason)
    unsafe xmlStopParser(context)
  }

  /// The handlers of libxml2's first interface, which names elements and attributes as they are
  /// written and builds no tree: `initialized` is not `XML_SAX2_MAGIC`.
  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = 1
    unsafe handler.startElement = { user, name, attributes in
      unsafe parser(user)?.begin(XMLStartTag(rawName: name, rawAttributes: attributes))
    }
    unsafe handler.endElement = { user, _ in unsafe parser(user)?.end() }
    let takeText: charactersSAXFunc = { user, text, count in unsafe parser(user)?.text(text, count)
    }
    unsafe handler.characters = takeText
    unsafe handler.ignorableWhitespace = takeText
    unsafe handler.cdataBlock = takeText
    unsafe handler.reference = { user, _ in
      guard let reader = unsafe parser(user) else { return }
      if !reader.events.reference() { reader.stop(.unwanted) }
    }
    unsafe handler.entityDecl = { user, _, _, _, _, _ in unsafe parser(user)?.stop(.entities) }
    unsafe handler.unparsedEntityDecl = { user, _, _, _, _ in unsafe parser(user)?.stop(.entities) }
    unsafe handler.attributeDecl = { user, _, _, _, _, _, list in
      unsafe xmlFreeEnumeration(list)
      unsafe parser(user)?.stop(.declarations)
    }
    unsafe handler.elementDecl = { user, _, _, _ in unsafe parser(user)?.stop(.declarations) }
    unsafe handler.notationDecl = { user, _, _, _ in unsafe parser(user)?.stop(.declarations) }
    return unsafe handler
  }

  private func begin(_ tag: XMLStartTag) {
    guard flaw == nil else { return }
    let counts = tag.counts
    namespaces.append(counts.namespaces)
    namespacesInForce += counts.namespaces
    identifiers += counts.identifiers
    if namespaces.count > Self.depthLimit { return stop(.depth) }
    if counts.attributes > Self.attributeLimit { return stop(.attributes) }
    if namespacesInForce > Self.namespaceLimit { return stop(.namespaces) }
    if identifiers > Self.nameLimit { return stop(.names) }
    if !events.begin(tag) { stop(.unwanted) }
  }

  private func end() {
    guard flaw == nil else { return }
    namespacesInForce -= namespaces.popLast() ?? 0
    if !events.end() { stop(.unwanted) }
  }

  private func text(_ text: UnsafePointer<xmlChar>?, _ count: CInt) {
    guard flaw == nil else { return }
    if unsafe !events.text(UnsafeBufferPointer(start: text, count: Int(count))) { stop(.unwanted) }
  }
}

/// The parser whose handlers libxml2 calls.
private func parser(_ user: UnsafeMutableRawPointer?) -> GuardedParser? {
  unsafe user.map { unsafe Unmanaged<GuardedParser>.fromOpaque($0).takeUnretainedValue() }
}

/// Why untrusted XML is not read any further, and where.
struct XMLFlaw: Error, Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    /// An entity is declared, which can stand for as much text as its author likes.
    case entities
    /// The document type declares something else of its own.
    case declarations
    /// More than the `GuardedParser` allows: its `tagLimit` and so on.
    case longTag, attributes, namespaces, names, depth
    case malformed
    /// One of `XMLEvents` has ended the reading.
    case unwanted
  }

  let reason: Reason
  /// How far libxml2 had read; in bytes.
  let offset: Int
  /// The line there, from 1.
  let line: Int
}

/// What is called for the parts of a document as they are parsed; `false` ends the reading.
@safe
struct XMLEvents {
  var begin: (XMLStartTag) -> Bool = { _ in true }
  var end: () -> Bool = { true }
  /// A part of the text, which can be cut anywhere; of an element that may hold no text, too.
  var text: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true }
  /// An entity that is not XML's own, in the text.
  var reference: () -> Bool = { true }
}

/// The tag that begins an element, valid during the callback; names are as they are written.
@safe
struct XMLStartTag {
  fileprivate let rawName: UnsafePointer<xmlChar>?
  fileprivate let rawAttributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

  var name: String { unsafe String(xml: rawName) }

  var attributes: [String: String] {
    var attributes: [String: String] = [:]
    unsafe forEach { name, value in
      unsafe attributes[String(xml: name)] = unsafe String(xml: value)
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
}

extension String {
  /// A text of libxml2's; empty where it gives none.
  init(xml bytes: UnsafePointer<xmlChar>?) {
    self = unsafe bytes.map { unsafe String(cString: $0) } ?? ""
  }
}
