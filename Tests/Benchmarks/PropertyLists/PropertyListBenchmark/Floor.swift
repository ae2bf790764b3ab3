import BinaryPropertyList
import CFloor
import Glibc

/// The least that a writer in C does for the same bytes.
struct Floor {
  private let texts: [cfloor_text]

  /// Copies keys and values to where C finds them, for as long as the process runs.
  init(_ entries: [FlatEntry]) {
    texts = (entries.map(\.key) + entries.map(\.value)).map { text in
      guard let copy = strdup(text) else { fatalError("no memory") }
      return cfloor_text(bytes: copy, length: text.utf8.count)
    }
  }

  /// Writes the property list, and returns its length.
  func write(into target: inout [UInt8]) -> Int {
    cfloor_write(texts, texts.count / 2, &target)
  }
}
