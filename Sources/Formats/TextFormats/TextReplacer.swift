/// Appends texts as UTF-8, with something else in the place of some characters.
///
/// What is plain is found eight bytes at a time and copied in one piece.
package struct TextReplacer: Sendable {
  /// Which characters outside ASCII are offered for replacement.
  package enum Offered: Sendable {
    /// Those that `EscapedText.isShown` does not know as harmless.
    case harmful
    case all
  }

  private let plain: PlainRun
  private let offered: Offered

  /// - Parameter marks: the printable ASCII characters that are offered for replacement.
  package init(_ marks: (UInt8, UInt8, UInt8), _ offered: Offered) {
    plain = PlainRun(without: marks)
    self.offered = offered
  }

  /// Appends a text.
  ///
  /// - Parameter replace: called with each mark, each control character and each other character
  ///   that is offered; appends what stands for it, or returns `false` where it stays as it is.
  package func append(
    _ text: String, to bytes: inout [UInt8], _ replace: (Unicode.Scalar, inout [UInt8]) -> Bool
  ) {
    var text = text
    text.withUTF8 { unsafe append($0, to: &bytes, replace) }
  }

  /// - Parameter text: valid UTF-8.
  private func append(
    _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8],
    _ replace: (Unicode.Scalar, inout [UInt8]) -> Bool
  ) {
    // The first byte that has not been appended.
    var start = 0
    var position = 0
    while true {
      // Where marks or other characters are many, runs need not be looked for.
      if position < text.count, unsafe plain.holds(text[position]) {
        position = unsafe plain.end(in: text, from: position)
      }
      if offered == .harmful {
        while position < text.count, case let width = unsafe Self.shownWidth(text, at: position),
          width > 0
        {
          position += width
        }
        if position < text.count, unsafe plain.holds(text[position]) { continue }
      }
      guard position < text.count else { break }
      let (scalar, width) = unsafe Self.scalar(text, at: position)
      let next = position + width
      if width == 1 || offered == .all || !EscapedText.isShown(scalar) {
        if position - start < 4 {
          for byte in start..<position { unsafe bytes.append(text[byte]) }
        } else {
          unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
        }
        start = replace(scalar, &bytes) ? next : position
      }
      position = next
    }
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// The width of a character outside ASCII that its first two bytes tell to be one of those that
  /// `EscapedText.isShown` knows; 0 for others.
  @inline(__always)
  private static func shownWidth(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
    switch unsafe text[position] {
    case 0xe4...0xed: 3
    case 0xc3...0xcc, 0xce...0xd7: 2
    case 0xe3: unsafe text[position + 1] != 0x85 ? 3 : 0
    case 0xe2: unsafe text[position + 1] >= 0x82 ? 3 : 0
    default: 0
    }
  }

  @inline(__always)
  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> (Unicode.Scalar, width: Int) {
    let first = unsafe UInt32(text[position])
    func more(_ offset: Int) -> UInt32 { unsafe UInt32(text[position + offset] & 0x3f) }
    let (value, width) =
      switch first {
      case ..<0x80: (first, 1)
      case ..<0xe0: ((first & 0x1f) << 6 | more(1), 2)
      case ..<0xf0: ((first & 0xf) << 12 | more(1) << 6 | more(2), 3)
      default: ((first & 0x7) << 18 | more(1) << 12 | more(2) << 6 | more(3), 4)
      }
    return (Unicode.Scalar(value) ?? "\u{fffd}", width)
  }
}

/// Finds where printable ASCII without a few marks ends.
package struct PlainRun: Sendable {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  private let marks: (UInt8, UInt8, UInt8)

  package init(without marks: (UInt8, UInt8, UInt8)) { self.marks = marks }

  /// The position of the next other byte; the count where there is none.
  package func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    if let base = unsafe UnsafeRawPointer(text.baseAddress) {
      let (first, second) = (UInt64(marks.0) &* Self.ones, UInt64(marks.1) &* Self.ones)
      let third = UInt64(marks.2) &* Self.ones
      while position + 8 <= text.count {
        let word = unsafe UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        // Of each, the lowest high bit that is set belongs to the first such byte.
        let others =
          word | Self.below(0x20, word) | Self.below(1, word ^ (0x7f &* Self.ones))
          | Self.below(1, word ^ first) | Self.below(1, word ^ second)
          | Self.below(1, word ^ third)
        if others & Self.highBits != 0 {
          return position + (others & Self.highBits).trailingZeroBitCount / 8
        }
        position += 8
      }
    }
    while position < text.count, unsafe holds(text[position]) { position += 1 }
    return position
  }

  /// A word whose high bits are set where bytes are below a limit of at most 0x80, and perhaps behind
  /// such a byte.
  @inline(__always)
  private static func below(_ limit: UInt64, _ word: UInt64) -> UInt64 {
    (word &- limit &* ones) & ~word
  }

  @inline(__always)
  package func holds(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && byte != marks.0 && byte != marks.1 && byte != marks.2
  }
}
