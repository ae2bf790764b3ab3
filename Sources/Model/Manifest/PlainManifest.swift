internal import DocumentSource
internal import Glibc
internal import LinuxSystem
internal import TextFormats

/// Entries in the form in which `ManifestFormat.append` writes them, with text of printable ASCII: most
/// entries, read in a fifth of the time.
enum PlainManifest {
  fileprivate static let plain = PlainRun(
    without: (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\"")))

  /// In the order of `DocumentSource.Field.allCases`.
  private static let keys: [StaticString] = [
    "identifier\":\"", "name\":\"", "path\":\"", "appInfoURL\":\"",
  ]

  /// An entry, and how many bytes and lines it takes.
  typealias Found = (entry: ManifestEntry, count: Int, lines: Int)

  /// The entry that lines begin with.
  ///
  /// - Parameter dump: the state of the lines before; `nil` for JSON.
  /// - Returns: `nil` for any other lines, which may be valid all the same.
  static func entry(at lines: UnsafeBufferPointer<UInt8>, _ dump: Dump?) -> Found? {
    guard let dump else { return unsafe entry(ofJSON: lines) }
    return dump.isBetweenFiles ? unsafe entry(ofDump: lines) : nil
  }

  private static func entry(ofJSON lines: UnsafeBufferPointer<UInt8>) -> Found? {
    var cursor = unsafe Cursor(lines)
    guard cursor.skip("{\"file\":\""), let path = unsafe cursor.text() else { return nil }
    var texts = unsafe InlineArray<4, UnsafeBufferPointer<UInt8>?>(repeating: nil)
    let hasSource = cursor.skip(",\"source\":{\"")
    if hasSource {
      repeat {
        guard let position = keys.indices.first(where: { cursor.skip(keys[$0]) }),
          unsafe texts[position] == nil, let text = unsafe cursor.text()
        else { return nil }
        unsafe texts[position] = text
      } while cursor.skip(",\"")
      guard cursor.skip("}") else { return nil }
    }
    guard cursor.skip(",\"value\":\""), let digits = unsafe cursor.bytes(upTo: "\""),
      cursor.skip("}"), cursor.isAtEnd || cursor.skip("\n"),
      let value = unsafe Base64.bytes(of: digits),
      unsafe !hasSource || Content.hasFields(texts, in: value),
      let path = unsafe FilePath(bytes: path)
    else { return nil }
    return (ManifestEntry(path: path, value: value), cursor.position, lines: 1)
  }

  /// A file that has our attribute alone.
  private static func entry(ofDump lines: UnsafeBufferPointer<UInt8>) -> Found? {
    var cursor = unsafe Cursor(lines)
    guard cursor.skip("# file: "), let name = unsafe cursor.bytes(upTo: "\n"),
      unsafe plain.end(in: name, from: 0) == name.count, cursor.skip("user.x-document-source=0s"),
      let digits = unsafe cursor.bytes(upTo: "\n"), cursor.skip("\n"),
      let value = unsafe Base64.bytes(of: digits), let path = unsafe FilePath(bytes: name)
    else { return nil }
    return (ManifestEntry(path: path, value: value), cursor.position, lines: 3)
  }

  @safe
  private struct Cursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let count: Int
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      unsafe self.bytes = bytes
      count = bytes.count
    }

    var isAtEnd: Bool { position == count }

    mutating func skip(_ text: StaticString) -> Bool {
      let length = text.utf8CodeUnitCount
      guard count - position >= length, let base = unsafe bytes.baseAddress,
        unsafe memcmp(base + position, text.utf8Start, length) == 0
      else { return false }
      position += length
      return true
    }

    /// Text without escapes up to a double quote, which is skipped.
    mutating func text() -> UnsafeBufferPointer<UInt8>? {
      let end = unsafe PlainManifest.plain.end(in: bytes, from: position)
      guard end < count, unsafe bytes[end] == UInt8(ascii: "\"") else { return nil }
      defer { position = end + 1 }
      return unsafe UnsafeBufferPointer(rebasing: bytes[position..<end])
    }

    /// All bytes up to a certain one, which is skipped.
    mutating func bytes(upTo mark: Unicode.Scalar) -> UnsafeBufferPointer<UInt8>? {
      guard let base = unsafe UnsafeRawPointer(bytes.baseAddress),
        let found = unsafe memchr(base + position, Int32(mark.value), count - position)
      else { return nil }
      let end = unsafe base.distance(to: UnsafeRawPointer(found))
      defer { position = end + 1 }
      return unsafe UnsafeBufferPointer(rebasing: bytes[position..<end])
    }
  }
}
