internal import DocumentSource
internal import Glibc
internal import LinuxSystem
internal import TextFormats

/// Lines of JSON in the form in which `JSONLine.append` writes them, with text of printable ASCII: most
/// lines, read in a fifth of the time.
enum PlainJSONLine {
  fileprivate static let plain = PlainRun(
    without: (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\"")))

  /// - Returns: `nil` for any other line, which may be valid all the same.
  static func entry(of line: ArraySlice<UInt8>) -> ManifestEntry? {
    var cursor = Cursor(line)
    guard cursor.skip("{\"file\":\""), let path = cursor.text() else { return nil }
    var texts = [ArraySlice<UInt8>?](repeating: nil, count: DocumentSource.Field.allCases.count)
    let hasSource = cursor.skip(",\"source\":{\"")
    if hasSource {
      repeat {
        guard let key = cursor.text(), cursor.skip(":\""), let text = cursor.text(),
          let position = DocumentSource.Field.allCases.firstIndex(where: {
            key.elementsEqual($0.key.utf8)
          }), texts[position] == nil
        else { return nil }
        texts[position] = text
      } while cursor.skip(",\"")
      guard cursor.skip("}") else { return nil }
    }
    guard cursor.skip(",\"value\":\""), let digits = cursor.text(), cursor.skip("}"),
      cursor.isAtEnd, let value = Base64.bytes(of: digits),
      !hasSource || Content.hasFields(texts, in: value), let path = FilePath(bytes: path)
    else { return nil }
    return ManifestEntry(path: path, value: value)
  }

  private struct Cursor {
    private let line: ArraySlice<UInt8>
    private var position: Int

    init(_ line: ArraySlice<UInt8>) {
      self.line = line
      position = line.startIndex
    }

    var isAtEnd: Bool { position == line.endIndex }

    mutating func skip(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard line.endIndex - position >= count else { return false }
      let (line, start) = (line, position - line.startIndex)
      let isThere = unsafe line.withUnsafeBytes { line in
        guard let base = line.baseAddress else { return false }
        return unsafe memcmp(base + start, text.utf8Start, count) == 0
      }
      if isThere { position += count }
      return isThere
    }

    /// Text without escapes up to a double quote, which is skipped.
    mutating func text() -> ArraySlice<UInt8>? {
      let start = position
      let end = unsafe line[start...].withUnsafeBufferPointer { rest -> Int? in
        let end = unsafe PlainJSONLine.plain.end(in: rest, from: 0)
        return unsafe end < rest.count && rest[end] == UInt8(ascii: "\"") ? end : nil
      }
      guard let end else { return nil }
      position = start + end + 1
      return line[start..<start + end]
    }
  }
}
