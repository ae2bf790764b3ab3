internal import DatabaseSnapshot
internal import ForeignFormats

/// The header of an installed package, as rpm's database has it: the numbers of entries and of bytes of the
/// store, the entries (tag, type, offset, count, each of four bytes, the highest first), and the store.
///
/// The form is that of rpm 4 and 5, docs/manual/format_header.md of rpm.
struct RpmHeader {
  private enum Tag: Int {
    case name = 1000
    case version = 1001
    case release = 1002
    case epoch = 1003
    case installed = 1008
    case architecture = 1022
    case fileDigests = 1035
    case directoryIndexes = 1116
    case baseNames = 1117
    case directoryNames = 1118
    case fileDigestAlgorithm = 5011
  }

  private enum Form: Int {
    case int32 = 4
    case string = 6
    case strings = 8
  }

  /// More entries, files and bytes than rpm allows or any package has.
  private static let (entryLimit, fileLimit) = (65_536, 1 << 20)

  private struct Entry {
    let form: Form
    let offset: Int
    let count: Int
  }

  private let blob: [UInt8]
  private let store: Range<Int>
  private let entries: [Tag: Entry]

  init(_ blob: [UInt8]) throws(DatabaseFailure) {
    self.blob = blob
    guard let count = Self.number(blob, 0), let size = Self.number(blob, 4) else {
      throw DatabaseFailure("a header is incomplete")
    }
    // Both are below 2^32, so that nothing overflows.
    guard count <= Self.entryLimit, blob.count - 8 >= count * 16 + size else {
      throw DatabaseFailure("a header is incomplete")
    }
    let start = 8 + count * 16
    store = start..<start + size
    var entries: [Tag: Entry] = [:]
    for number in 0..<count {
      let place = 8 + number * 16
      guard let tag = Self.number(blob, place).flatMap({ Tag(rawValue: $0) }),
        let form = Self.number(blob, place + 4).flatMap({ Form(rawValue: $0) }),
        let offset = Self.number(blob, place + 8), let count = Self.number(blob, place + 12),
        offset <= size, count <= Self.fileLimit
      else { continue }
      entries[tag] = Entry(form: form, offset: start + offset, count: count)
    }
    self.entries = entries
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + 4 <= bytes.count else { return nil }
    return bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private func numbers(_ tag: Tag) -> [Int] {
    guard let entry = entries[tag], entry.form == .int32,
      entry.count * 4 <= store.upperBound - entry.offset
    else { return [] }
    return (0..<entry.count).compactMap { Self.number(blob, entry.offset + $0 * 4) }
  }

  /// - Returns: nothing where the store has fewer.
  private func strings(_ tag: Tag) -> [ArraySlice<UInt8>] {
    guard let entry = entries[tag], entry.form != .int32 else { return [] }
    var found: [ArraySlice<UInt8>] = []
    var start = entry.offset
    while found.count < (entry.form == .string ? 1 : entry.count) {
      guard let end = ByteSearch.first([0], in: blob[..<store.upperBound], from: start) else {
        return []
      }
      found.append(blob[start..<end])
      start = end + 1
    }
    return found
  }

  private func text(_ tag: Tag) -> String? {
    strings(tag).first.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }

  var name: String? { text(.name) }
  var architecture: String? { text(.architecture) }
  /// In seconds since 1970-01-01T00:00:00Z.
  var installed: Double? { numbers(.installed).first.map { Double($0) } }

  /// `1:4.18.0-1`, with the epoch where it is not 0.
  var version: String? {
    guard let version = text(.version) else { return nil }
    let epoch = numbers(.epoch).first.flatMap { $0 == 0 ? nil : "\($0):" } ?? ""
    return epoch + version + (text(.release).map { "-\($0)" } ?? "")
  }

  /// The directory of a file by its number, with a slash after it; `nil` if there is no such file.
  func directory(ofFile number: Int) -> ArraySlice<UInt8>? {
    guard let entry = entries[.directoryIndexes], entry.form == .int32,
      0..<entry.count ~= number, entry.count * 4 <= store.upperBound - entry.offset,
      let index = Self.number(blob, entry.offset + number * 4)
    else { return nil }
    let directories = strings(.directoryNames)
    return directories.indices.contains(index) ? directories[index] : nil
  }

  /// The paths of the files, with their checksums if these are wanted.
  func files(
    wantsChecksums: Bool
  ) -> [(path: [UInt8], checksum: PackageRecord.Checksum?)] {
    let (names, directories) = (strings(.baseNames), strings(.directoryNames))
    let indexes = numbers(.directoryIndexes)
    let digests = wantsChecksums ? strings(.fileDigests) : []
    let algorithm: PackageRecord.Checksum.Algorithm? =
      switch numbers(.fileDigestAlgorithm).first {
      // As RFC 4880, section 9.4, numbers them; without a number it is MD5.
      case nil, 1: .md5
      case 8: .sha256
      default: nil
      }
    return names.indices.compactMap { place in
      guard indexes.indices.contains(place), directories.indices.contains(indexes[place]) else {
        return nil
      }
      let digits = digests.indices.contains(place) ? digests[place] : []
      return (
        Array(directories[indexes[place]]) + names[place],
        algorithm.flatMap { PackageRecord.Checksum($0, hexadecimal: digits) }
      )
    }
  }
}
