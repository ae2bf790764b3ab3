internal import CXML2
package import ForeignFormats
internal import TextFormats

/// Reads recently-used.xbel, the desktop's list of recently used files, with libxml2's pull parser.
///
/// The format is XBEL 1.0 with freedesktop.org's Desktop Bookmark Specification. No entity but
/// XML's own five is expanded, no document type is loaded, nothing is fetched. `GuardedParser` looks
/// the list through first and refuses what would take the pull parser long, a document type with
/// declarations among it. libxml2 refuses elements nested deeper than 256, and more than 10 million
/// bytes of text in one.
@safe
package struct BookmarkList {
  private static let applications = "http://www.freedesktop.org/standards/desktop-bookmarks"
  /// The most applications of one file that are read.
  private static let useLimit = 1000

  private let reader: xmlTextReaderPtr

  private init(_ reader: xmlTextReaderPtr) { unsafe self.reader = reader }

  /// The files of a list; bookmarks of what is no local file are passed over.
  ///
  /// - Throws: `MarkFailure`, with the offset up to which libxml2 had read, which may be some way
  ///   after what is wrong.
  package static func read(_ bytes: [UInt8]) throws(MarkFailure) -> RecentFiles {
    guard Int32(exactly: bytes.count) != nil else { throw MarkFailure(.tooLong, at: bytes.count) }
    return try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(MarkFailure) in
      try unsafe read(bytes)
    }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws(MarkFailure) -> RecentFiles {
    let length: Int
    do throws(XMLFlaw) {
      length = try unsafe GuardedParser.safeLength(of: bytes)
    } catch {
      throw MarkFailure(error.reason.markFailureReason, at: min(error.offset, bytes.count))
    }
    guard length > 0, let reader = unsafe GuardedParser.pullParser(bytes, CInt(length)) else {
      throw MarkFailure(.empty, at: 0)
    }
    defer { unsafe xmlFreeTextReader(reader) }
    return try unsafe BookmarkList(reader).files(of: length)
  }

  private func files(of length: Int) throws(MarkFailure) -> RecentFiles {
    var files: [RecentFile] = []
    var hasRoot = false
    var result = unsafe xmlTextReaderRead(reader)
    while result == 1 {
      let type = unsafe xmlTextReaderNodeType(reader)
      if type == CInt(XML_READER_TYPE_ELEMENT.rawValue) {
        if !hasRoot {
          guard name == "xbel" else { throw failure(.notXBEL, length) }
          hasRoot = true
        } else if name == "bookmark" {
          guard files.count < RecentFiles.limit else { throw failure(.tooMany, length) }
          guard let node = unsafe xmlTextReaderExpand(reader) else { throw failure(.xml, length) }
          if let file = unsafe file(node) { files.append(file) }
          result = unsafe xmlTextReaderNext(reader)
          continue
        }
      }
      result = unsafe xmlTextReaderRead(reader)
    }
    guard result == 0 else { throw failure(.xml, length) }
    return RecentFiles(files)
  }

  private var name: String { unsafe String(xml: xmlTextReaderConstLocalName(reader)) }

  private func failure(_ reason: MarkFailure.Reason, _ length: Int) -> MarkFailure {
    let offset = unsafe xmlTextReaderByteConsumed(reader)
    return MarkFailure(reason, at: min(max(0, offset), length))
  }

  private func file(_ bookmark: xmlNodePtr) -> RecentFile? {
    guard let url = unsafe Self.attribute("href", of: bookmark),
      let path = RecentFile.path(ofURL: url)
    else { return nil }
    var uses: [RecentUse] = []
    unsafe Self.collect(below: bookmark, into: &uses)
    return unsafe RecentFile(path: path, uses: uses, bytes: Self.text(of: bookmark))
  }

  private static func collect(below node: xmlNodePtr, into uses: inout [RecentUse]) {
    var child = unsafe node.pointee.children
    while let node = unsafe child {
      if unsafe node.pointee.type == XML_ELEMENT_NODE {
        if unsafe isApplication(node), uses.count < useLimit {
          if let use = unsafe use(node) { uses.append(use) }
        } else {
          unsafe collect(below: node, into: &uses)
        }
      }
      unsafe child = node.pointee.next
    }
  }

  private static func isApplication(_ node: xmlNodePtr) -> Bool {
    unsafe String(xml: node.pointee.name) == "application"
      && String(xml: node.pointee.ns?.pointee.href) == applications
  }

  private static func use(_ node: xmlNodePtr) -> RecentUse? {
    guard let application = unsafe attribute("name", of: node), !application.isEmpty else {
      return nil
    }
    return unsafe RecentUse(
      application: application, command: attribute("exec", of: node),
      seconds: attribute("modified", of: node).flatMap(seconds)
        ?? attribute("timestamp", of: node).flatMap { Int64($0).map(Double.init) },
      count: attribute("count", of: node).flatMap { Int($0) })
  }

  /// The seconds since 1970 of `2026-11-21T18:30:00.123456Z`; a fraction is dropped.
  static func seconds(_ text: String) -> Double? {
    let whole = text.prefix { $0 != "." && $0 != "Z" }
    return text.last == "Z" ? CalendarDate.secondsSinceEpoch(of: whole + "Z") : nil
  }

  private static func attribute(_ name: String, of node: xmlNodePtr) -> String? {
    guard let value = unsafe xmlGetNoNsProp(node, name) else { return nil }
    defer { unsafe cxml2_free(value) }
    return unsafe String(cString: value)
  }

  /// The element as XML.
  private static func text(of node: xmlNodePtr) -> [UInt8] {
    guard let buffer = unsafe xmlBufferCreate() else { return [] }
    defer { unsafe xmlBufferFree(buffer) }
    guard unsafe xmlNodeDump(buffer, node.pointee.doc, node, 0, 0) > 0,
      let content = unsafe xmlBufferContent(buffer)
    else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(buffer))))
  }
}

extension XMLFlaw.Reason {
  /// The reason as that of a mark of origin.
  var markFailureReason: MarkFailure.Reason {
    switch self {
    case .entities: .entities
    case .declarations: .declarations
    case .longTag: .longTag
    case .attributes: .attributes
    case .namespaces: .namespaces
    case .names: .names
    case .depth, .malformed, .unwanted: .xml
    }
  }
}
