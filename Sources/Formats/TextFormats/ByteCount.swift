/// A number of bytes in words: `1 byte`, `300 bytes`.
package struct ByteCount: CustomStringConvertible {
  private let count: Int

  package init(_ count: Int) { self.count = count }

  package var description: String { count == 1 ? "1 byte" : "\(count) bytes" }
}
