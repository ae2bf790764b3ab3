/// The documents that applications in sandboxes have got from xdg-document-portal, by the file
/// `flatpak/db/documents` in which its permission store keeps them. Those that are to be forgotten
/// with the session do not stand there.
///
/// The file is a table of GVDB (`gvdb-format.h` of GLib): in its table `main`, each document's
/// identifier leads to a variant `(va{sas})`, which holds a variant `(ayttu)`, the document's path,
/// device, inode and flags, and by applications what each may do. Variants are serialized as GLib's
/// "GVariant Specification" says, in the byte order of the machine, which is little-endian.
package struct PortalDocuments: Sendable {
  package struct Document: Hashable, Sendable {
    /// On the host, absolute. It is where the document was when it was handed over.
    package let path: [UInt8]
    /// Whether all that is in a directory was handed over.
    package let isDirectory: Bool
    /// What each application may do, such as `read` and `write`, by the application's identifier.
    package let permissions: [String: Set<String>]

    /// The applications that may write the document.
    package var writers: Set<String> {
      Set(permissions.filter { $0.value.contains("write") }.keys)
    }
  }

  /// Why a file is no such table.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    /// In bytes of the file.
    package let offset: Int

    package var description: String { "\(reason), at byte \(offset)" }
  }

  /// The longest file that is read, in bytes: some 12,000 documents.
  package static let limit = 4 << 20

  /// By their identifiers, which are names of directories below the portal's mount point.
  package let documents: [String: Document]

  package init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count <= Self.limit else {
      throw Failure(reason: "the table is larger than \(Self.limit >> 20) MiB", offset: Self.limit)
    }
    let file = Serialized(bytes: bytes)
    guard let main = try file.root().first(where: { $0.key.elementsEqual("main".utf8) }) else {
      throw Failure(reason: "there is no table 'main'", offset: 0)
    }
    guard main.type == UInt8(ascii: "H") else {
      throw Failure(reason: "'main' is no table", offset: main.value.lowerBound)
    }
    var documents: [String: Document] = [:]
    // No two keys or values share a byte; where they do, a small file might take long to read.
    var rest = bytes.count
    for item in try file.items(of: main.value) where item.type == UInt8(ascii: "v") {
      rest -= item.key.count + item.value.count
      guard rest >= 0 else {
        throw Failure(reason: "values overlap", offset: item.value.lowerBound)
      }
      guard let identifier = String(validating: item.key, as: UTF8.self) else { continue }
      documents[identifier] = try file.document(item.value)
    }
    self.documents = documents
  }

  /// The path on the host of a file below the portal's mount point; `nil` if it is no document's.
  ///
  /// - Parameters:
  ///   - identifier: the name of the directory of the document.
  ///   - names: the names that follow that one, the document's own first.
  package func hostPath(of identifier: String, _ names: [ArraySlice<UInt8>]) -> [UInt8]? {
    guard let document = documents[identifier], let name = names.first,
      document.isDirectory || names.count == 1,
      document.path.split(separator: UInt8(ascii: "/")).last == name
    else { return nil }
    return names.dropFirst().reduce(document.path) { $0 + [UInt8(ascii: "/")] + $1 }
  }
}

/// A file of GVDB, and the variants in it.
private struct Serialized {
  typealias Failure = PortalDocuments.Failure

  struct Item {
    let key: ArraySlice<UInt8>
    let type: UInt8
    let value: Range<Int>
  }

  private static let signature = Array("GVariant".utf8) + [0, 0, 0, 0]
  private static let itemSize = 24
  /// No key that is read goes on from another one.
  private static let noParent = UInt64(UInt32.max)
  /// The flag of a document that is a directory with all that is in it.
  private static let directoryFlag: UInt64 = 4
  /// Longer than any path, in bytes.
  private static let pathLimit = 4096

  let bytes: [UInt8]

  // MARK: GVDB

  func root() throws(Failure) -> [Item] {
    guard bytes.starts(with: Self.signature) else {
      throw Failure(reason: "no table of GVDB, version 0", offset: 0)
    }
    return try items(of: pointer(at: 16))
  }

  /// The items of a table whose keys stand by themselves.
  func items(of table: Range<Int>) throws(Failure) -> [Item] {
    // The upper five bits are for the filter that comes next.
    let filter = 4 * Int(try number(at: table.lowerBound, 4, in: table) & 0x07ff_ffff)
    let buckets = 4 * Int(try number(at: table.lowerBound + 4, 4, in: table))
    let start = table.lowerBound + 8 + filter + buckets
    guard start <= table.upperBound else {
      throw Failure(reason: "a table is cut off", offset: table.upperBound)
    }
    var items: [Item] = []
    for offset in stride(
      from: start, through: table.upperBound - Self.itemSize, by: Self.itemSize)
    where try number(at: offset + 4, 4, in: table) == Self.noParent {
      let key = Int(try number(at: offset + 8, 4, in: table))
      let size = Int(try number(at: offset + 12, 2, in: table))
      guard key + size <= bytes.count else {
        throw Failure(reason: "a key is cut off", offset: offset)
      }
      items.append(
        Item(
          key: bytes[key..<(key + size)], type: bytes[offset + 14],
          value: try pointer(at: offset + 16)))
    }
    return items
  }

  private func pointer(at offset: Int) throws(Failure) -> Range<Int> {
    let start = Int(try number(at: offset, 4, in: bytes.indices))
    let end = Int(try number(at: offset + 4, 4, in: bytes.indices))
    guard start <= end, end <= bytes.count else {
      throw Failure(reason: "a value is cut off", offset: offset)
    }
    return start..<end
  }

  private func number(
    at offset: Int, _ size: Int, in range: Range<Int>
  ) throws(Failure) -> UInt64 {
    guard offset >= range.lowerBound, offset + size <= range.upperBound else {
      throw Failure(reason: "a number is cut off", offset: min(offset, bytes.count))
    }
    return bytes[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Variants

  func document(_ value: Range<Int>) throws(Failure) -> PortalDocuments.Document {
    let whole = try content(of: value, "(va{sas})")
    let offsetSize = Self.offsetSize(of: whole)
    let endOfData = try end(of: whole, whole.upperBound - offsetSize)
    let data = try content(of: whole.lowerBound..<endOfData, "(ayttu)")
    var permissions: [String: Set<String>] = [:]
    for entry in try elements(of: endOfData..<(whole.upperBound - offsetSize)) {
      let size = Self.offsetSize(of: entry)
      let endOfKey = try end(of: entry, entry.upperBound - size)
      var words: Set<String> = []
      for word in try elements(of: endOfKey..<(entry.upperBound - size)) {
        words.insert(try text(word))
      }
      permissions[try text(entry.lowerBound..<endOfKey)] = words
    }
    let endOfPath = try end(of: data, data.upperBound - Self.offsetSize(of: data))
    // The numbers are aligned to their size; the device and the inode come before the flags.
    let numbers = data.lowerBound + (endOfPath - data.lowerBound + 7) & ~7
    let flags = try number(at: numbers + 16, 4, in: data)
    return PortalDocuments.Document(
      path: try path(data.lowerBound..<endOfPath),
      isDirectory: flags & Self.directoryFlag != 0, permissions: permissions)
  }

  /// The value in a variant, which must have that type.
  private func content(of variant: Range<Int>, _ type: String) throws(Failure) -> Range<Int> {
    let ending = [0] + Array(type.utf8)
    guard bytes[variant].suffix(ending.count).elementsEqual(ending) else {
      throw Failure(reason: "a value is not of type \(type)", offset: variant.lowerBound)
    }
    return variant.lowerBound..<(variant.upperBound - ending.count)
  }

  private static func offsetSize(of container: Range<Int>) -> Int {
    switch container.count {
    case ...0xff: 1
    case ...0xffff: 2
    default: 4
    }
  }

  /// Where a part of a container ends, by the number at an offset, which comes after all parts.
  private func end(of container: Range<Int>, _ offset: Int) throws(Failure) -> Int {
    let size = Self.offsetSize(of: container)
    let end = container.lowerBound + Int(try number(at: offset, size, in: container))
    guard end <= offset else { throw Failure(reason: "a part is cut off", offset: offset) }
    return end
  }

  /// The elements of an array, whose sizes vary.
  private func elements(of array: Range<Int>) throws(Failure) -> [Range<Int>] {
    guard !array.isEmpty else { return [] }
    let size = Self.offsetSize(of: array)
    let ends = try end(of: array, array.upperBound - size)
    guard (array.upperBound - ends).isMultiple(of: size) else {
      throw Failure(reason: "an array is cut off", offset: ends)
    }
    var elements: [Range<Int>] = []
    var start = array.lowerBound
    for offset in stride(from: ends, to: array.upperBound, by: size) {
      let end = try end(of: array, offset)
      guard start <= end, end <= ends else {
        throw Failure(reason: "elements are out of order", offset: offset)
      }
      elements.append(start..<end)
      start = end
    }
    return elements
  }

  private func text(_ range: Range<Int>) throws(Failure) -> String {
    guard let end = bytes[range].firstIndex(of: 0), end == range.upperBound - 1,
      let text = String(validating: bytes[range.lowerBound..<end], as: UTF8.self)
    else { throw Failure(reason: "a text is not UTF-8 with a NUL", offset: range.lowerBound) }
    return text
  }

  private func path(_ range: Range<Int>) throws(Failure) -> [UInt8] {
    guard range.count <= Self.pathLimit, bytes[range].first == UInt8(ascii: "/"),
      let end = bytes[range].firstIndex(of: 0), end == range.upperBound - 1
    else {
      throw Failure(reason: "a path is not absolute or too long", offset: range.lowerBound)
    }
    return Array(bytes[range.lowerBound..<end])
  }
}
