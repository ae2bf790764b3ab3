internal import TextFormats

/// Why text is no property list, and where.
package struct ReadingFailure: Error, Hashable, CustomStringConvertible, Sendable {
  package let reason: String
  /// From 1.
  package let line: Int

  /// - Parameter offset: of the flaw in the text, in bytes.
  init(_ reason: String, at offset: Int, in text: [UInt8]) {
    self.reason = reason
    var line = 1
    for byte in text[..<min(offset, text.count)] where byte == 0x0a { line += 1 }
    self.line = line
  }

  package var description: String { "\(EscapedText(reason)) (line \(line))" }
}
