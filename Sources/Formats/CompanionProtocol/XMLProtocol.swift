package import LinuxSystem

/// How docsource hands XML property lists to docsource-xml, one after the other, and gets each as a
/// binary one: a message is its length in four bytes, the highest first, and the list. The answer to
/// a list that cannot be read is empty.
package enum XMLProtocol {
  /// What docsource-xml is called with.
  package static let verb = "property-lists"
  /// Longer than any attribute, and what is made of it.
  private static let limit = 16 << 20
  private static let headLength = 4

  /// The message with a list.
  package static func message(_ list: [UInt8]) -> [UInt8] {
    let count = list.count <= limit ? UInt32(list.count) : 0
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + list.prefix(Int(count))
  }

  /// Waits for the next list; `nil` where no other follows.
  ///
  /// The corresponding C function is read(2).
  package static func receive(from descriptor: CInt) throws(Errno) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      // Each side sends one message and waits, so that what is there belongs to one.
      let block = try Descriptor.readBlock(descriptor)
      if block.isEmpty { return nil }
      bytes += block
      guard bytes.count >= headLength else { continue }
      let count = bytes[..<headLength].reduce(0) { $0 << 8 | Int($1) }
      guard count <= limit, bytes.count <= headLength + count else { return nil }
      if bytes.count == headLength + count { return Array(bytes[headLength...]) }
    }
  }
}
