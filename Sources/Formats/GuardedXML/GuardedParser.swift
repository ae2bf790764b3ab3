internal import CXML2

/// Reads a stranger's XML with libxml2's push parser, and ends before what would take it long.
///
/// No document type is loaded, nothing is fetched, and the first declaration that a document makes
/// of its own ends the reading. libxml2 compares each attribute of a tag with all the others, and so
/// each name of an enumeration, looks for a namespace among all that are declared, and for a name
/// among all that there are in a table that stops growing. Some MiB of those take it minutes, so that
/// there are limits. A long comment or text takes no longer than many short ones.
@safe
package final class GuardedParser {
  /// How strict the reading is.
  package enum Strictness {
    /// As libxml2 is, with the limits.
    case bounded
    /// A tag is not longer than 16 KiB, nor is a comment or CDATA section, and libxml2 has nothing
    /// to object to.
    case strict
  }

  /// A tag, a reference and a document type are not longer; in bytes.
  package static let tagLimit = 64 << 10
  /// A tag has no more attributes.
  package static let attributeLimit = 256
  /// An element and those around it declare no more namespaces.
  package static let namespaceLimit = 256
  /// There are no more different names of elements and attributes, nor more of `xml:id`.
  package static let nameLimit = 50_000
  /// Elements are not nested deeper. Where libxml2 builds a tree it allows 256.
  package static let depthLimit = 512
  private static let strictLimit = 16 << 10
  /// How much libxml2 is given at a time, which is what its pull parser gives itself; in bytes.
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
  package static func read(
    _ bytes: UnsafeRawBufferPointer, _ strictness: Strictness, _ events: XMLEvents
  ) throws(XMLFlaw) {
    var given = 0
    try unsafe read(bytes, strictness, events, &given)
  }

  /// Looks a document through before a parser without these limits reads it.
  ///
  /// - Returns: how many bytes that parser is to be given: all, or less where the document is not
  ///   well-formed or is nested too deep, which that parser tells then.
  package static func safeLength(of bytes: UnsafeRawBufferPointer) throws(XMLFlaw) -> Int {
    var given = 0
    do throws(XMLFlaw) {
      try unsafe read(bytes, .bounded, XMLEvents(), &given)
    } catch {
      guard error.reason == .malformed || error.reason == .depth else { throw error }
    }
    return given
  }

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
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    unsafe xmlCtxtUseOptions(context, CInt(options))
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
    // What it goes on after is an error that it has noted, but no error of form. That bytes are not
    // of their encoding is none that it notes.
    let isStopped = unsafe context.pointee.disableSAX != 0 || context.pointee.wellFormed == 0
    let isNoted = unsafe result == context.pointee.errNo
    guard !isStopped, result == 0 || strictness == .bounded && isNoted else {
      throw flaw(.malformed)
    }
  }

  private var pendingLimit: Int { strictness == .strict ? Self.strictLimit : Self.tagLimit }

  /// How much there is of what libxml2 reads only when it is whole.
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
}

extension GuardedParser {
  /// They are those of libxml2's first interface, which names elements and attributes as they are
  /// written and builds no tree: `initialized` is not `XML_SAX2_MAGIC`.
  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = 1
    unsafe handler.startElement = { user, name, attributes in
      unsafe GuardedParser.of(user)?.begin(XMLStartTag(name, attributes))
    }
    unsafe handler.endElement = { user, _ in unsafe GuardedParser.of(user)?.end() }
    unsafe handler.characters = { user, text, count in
      unsafe GuardedParser.of(user)?.text(text, count)
    }
    unsafe handler.ignorableWhitespace = { user, text, count in
      unsafe GuardedParser.of(user)?.text(text, count)
    }
    unsafe handler.cdataBlock = { user, text, count in
      unsafe GuardedParser.of(user)?.text(text, count)
    }
    unsafe handler.reference = { user, _ in
      guard let parser = unsafe GuardedParser.of(user) else { return }
      if !parser.events.reference() { parser.stop(.unwanted) }
    }
    unsafe handler.entityDecl = { user, _, _, _, _, _ in
      unsafe GuardedParser.of(user)?.stop(.entities)
    }
    unsafe handler.unparsedEntityDecl = { user, _, _, _, _ in
      unsafe GuardedParser.of(user)?.stop(.entities)
    }
    unsafe handler.attributeDecl = { user, _, _, _, _, _, list in
      unsafe xmlFreeEnumeration(list)
      unsafe GuardedParser.of(user)?.stop(.declarations)
    }
    unsafe handler.elementDecl = { user, _, _, _ in
      unsafe GuardedParser.of(user)?.stop(.declarations)
    }
    unsafe handler.notationDecl = { user, _, _, _ in
      unsafe GuardedParser.of(user)?.stop(.declarations)
    }
    return unsafe handler
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> GuardedParser? {
    guard let user = unsafe user else { return nil }
    return unsafe Unmanaged<GuardedParser>.fromOpaque(user).takeUnretainedValue()
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
