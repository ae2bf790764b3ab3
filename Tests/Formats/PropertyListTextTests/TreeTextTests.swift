import BinaryPropertyList
import PropertyListText
import Testing

/// The tree that people read.
@Suite struct TreeTextTests {
  @Test(
    arguments: [
      ([], "data (0 bytes)\n"), ([0x0a], "data (1 byte) 0a\n"),
      ([0x0a, 0xff], "data (2 bytes) 0aff\n"),
    ] as [([UInt8], String)])
  func bytesAreCountedInWords(_ bytes: [UInt8], _ line: String) throws {
    var text = ""
    try TreeText.write(.data(bytes)) { text += String(decoding: $0, as: UTF8.self) }
    #expect(text == line)
  }
}
