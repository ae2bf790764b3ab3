/// Appends texts as UTF-8, with something else in the place of some characters.
///
/// What stands for the characters of ASCII is asked once, when the replacer is made; plain text is
/// copied eight bytes at a time.
package struct TextReplacer: Sendable {
  /// Which characters outside ASCII are offered for replacement.
  package enum Offered: Sendable {
    /// Those that `EscapedText.isShown` does not know as harmless.
    case harmful
    case all
  }

  /// What becomes of a character.
  package enum Outcome: Sendable {
    /// The character stays; nothing was appended.
    case stays
    /// Something else was appended.
    case replaced
    /// There is no form for the character; nothing was appended.
    case refused
  }

  /// Appends what stands for a character.
  package typealias Replace = @Sendable (Unicode.Scalar, inout [UInt8]) -> Outcome

  private let offered: Offered
  private let replace: Replace
  private let plain: PlainRun
  private let ascii: [Replacement]

  /// - Parameter replace: does the same for a character each time. Of printable ASCII it replaces at
  ///   most three characters.
  package init(_ offered: Offered, _ replace: @escaping Replace) {
    self.offered = offered
    self.replace = replace
    let ascii = (UInt8(0)..<0x80).map { Replacement(Unicode.Scalar($0), replace) }
    self.ascii = ascii
    let marks = (UInt8(0x20)..<0x7f).filter { ascii[Int($0)] != .none }
    precondition(marks.count <= 3)
    let last = marks.last ?? 0
    plain = PlainRun(without: (marks.first ?? last, marks.dropFirst().first ?? last, last))
  }

  /// Appends a text.
  ///
  /// - Returns: the first character that was refused; it is left out.
  @discardableResult
  package func append(_ text: String, to bytes: inout [UInt8]) -> Unicode.Scalar? {
    var text = text
    return text.withUTF8 { unsafe append($0, to: &bytes) }
  }

  /// The most room in bytes that is asked for at a time, so that short texts do not make the array
  /// outgrow what was reserved.
  private static let step = 8192

  /// - Parameter text: valid UTF-8.
  private func append(
    _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
  ) -> Unicode.Scalar? {
    if text.count > max(bytes.count, Self.step) {
      bytes.reserveCapacity(bytes.count + text.count + Self.step)
    }
    var refused: Unicode.Scalar?
    var position = 0
    while position < text.count {
      var isOffered = false
      let room = min((text.count - position) * Replacement.longest + 2 * PlainRun.width, Self.step)
      bytes.append(addingCapacity: room) { span in
        unsafe span.withUnsafeMutableBufferPointer { buffer, count in
          let output = UnsafeMutableRawBufferPointer(buffer)
          unsafe (isOffered, count) = copy(text, &position, to: output)
        }
      }
      guard isOffered else { continue }
      let (scalar, width) = unsafe Self.scalar(text, at: position)
      switch replace(scalar, &bytes) {
      case .replaced: break
      case .refused: refused = refused ?? scalar
      case .stays:
        unsafe bytes.append(
          contentsOf: UnsafeBufferPointer(rebasing: text[position..<position + width]))
      }
      position += width
    }
    return refused
  }

  /// Copies until the text or the room ends, or a character is to be offered.
  private func copy(
    _ text: UnsafeBufferPointer<UInt8>, _ position: inout Int,
    to output: UnsafeMutableRawBufferPointer
  ) -> (isOffered: Bool, count: Int) {
    guard let source = unsafe UnsafeRawPointer(text.baseAddress),
      let target = output.baseAddress
    else { return (false, 0) }
    var next = position
    defer { position = next }
    var count = 0
    // What is stored is a word, however little of it counts.
    while next < text.count, count + 2 * PlainRun.width <= output.count {
      if next + PlainRun.width <= text.count {
        let word = unsafe source.loadUnaligned(fromByteOffset: next, as: UInt64.self)
        unsafe target.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        let others = others(in: UInt64(littleEndian: word))
        // Were the length of each run counted, each word would wait for the one before.
        if others == 0 {
          next += PlainRun.width
          count += PlainRun.width
          continue
        }
        let length = others.trailingZeroBitCount / 8
        next += length
        count += length
      }
      let byte = unsafe text[next]
      guard byte >= 0x80 else {
        let replacement = ascii[Int(byte)]
        if replacement == .none {
          unsafe target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
          count += 1
        } else {
          guard replacement != .offered else { return (true, count) }
          unsafe target.storeBytes(
            of: replacement.word.littleEndian, toByteOffset: count, as: UInt64.self)
          count += replacement.count
        }
        next += 1
        continue
      }
      guard offered == .harmful else { return (true, count) }
      var width = unsafe Self.shownWidth(text, at: next)
      if width == 0 {
        let scalar: Unicode.Scalar
        unsafe (scalar, width) = Self.scalar(text, at: next)
        guard EscapedText.isShown(scalar) else { return (true, count) }
      }
      for _ in 0..<width {
        unsafe target.storeBytes(of: text[next], toByteOffset: count, as: UInt8.self)
        next += 1
        count += 1
      }
    }
    return (false, count)
  }

  /// A word whose high bits are set where bytes have to be looked at, and perhaps after such a byte.
  @inline(__always)
  private func others(in word: UInt64) -> UInt64 {
    let others = plain.others(in: word)
    return others == 0 || offered == .all ? others : others & ~PlainRun.shown(in: word)
  }

  /// The width of a character outside ASCII that its first two bytes tell to be one of those that
  /// `EscapedText.isShown` knows; 0 for others.
  @inline(__always)
  private static func shownWidth(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
    switch unsafe text[position] {
    // The end of a character that was known by its first byte.
    case 0x80...0xbf: 1
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

/// What stands for a character of ASCII.
private struct Replacement: Equatable {
  static let longest = 7
  static let none = Replacement(packed: 0)
  /// It is offered each time: it is refused, or what stands for it is longer.
  static let offered = Replacement(packed: .max)

  /// The bytes, the first one lowest, and above them their number.
  private let packed: UInt64

  private init(packed: UInt64) { self.packed = packed }

  init(_ character: Unicode.Scalar, _ replace: TextReplacer.Replace) {
    var bytes: [UInt8] = []
    switch replace(character, &bytes) {
    case .stays: self = .none
    case .replaced where 1...Self.longest ~= bytes.count:
      packed = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(bytes.count) << 56
    case .replaced, .refused: self = .offered
    }
  }

  var count: Int { Int(packed >> 56) }

  /// A word whose lowest bytes are the replacement.
  var word: UInt64 { packed }
}

/// Finds where printable ASCII without a few marks ends.
package struct PlainRun: Sendable {
  /// The bytes of a word.
  fileprivate static let width = 8

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Each mark in all bytes of a word.
  private let marks: (UInt64, UInt64, UInt64)

  package init(without marks: (UInt8, UInt8, UInt8)) {
    self.marks = (
      UInt64(marks.0) &* Self.ones, UInt64(marks.1) &* Self.ones, UInt64(marks.2) &* Self.ones
    )
  }

  /// The position of the next other byte; the count where there is none.
  package func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = unsafe UnsafeRawPointer(text.baseAddress) else { return start }
    var position = start
    while position + Self.width <= text.count {
      let word = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let others = others(in: UInt64(littleEndian: word))
      if others != 0 { return position + others.trailingZeroBitCount / 8 }
      position += Self.width
    }
    while position < text.count, unsafe others(in: UInt64(text[position])) & 0x80 == 0 {
      position += 1
    }
    return position
  }

  /// A word whose high bits are set where bytes are others, and perhaps after such a byte.
  @inline(__always)
  fileprivate func others(in word: UInt64) -> UInt64 {
    (word | Self.below(0x20, word) | Self.below(1, word ^ (0x7f &* Self.ones))
      | Self.below(1, word ^ marks.0) | Self.below(1, word ^ marks.1)
      | Self.below(1, word ^ marks.2)) & Self.highBits
  }

  /// A word whose high bits are set where bytes are below a limit of at most 0x80, and perhaps after
  /// such a byte.
  @inline(__always)
  private static func below(_ limit: UInt64, _ word: UInt64) -> UInt64 {
    (word &- limit &* ones) & ~word
  }

  /// A word whose high bits are set where bytes begin characters that `EscapedText.isShown` knows,
  /// known by that byte alone, or continue a character.
  @inline(__always)
  fileprivate static func shown(in word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let starts =
      (low &+ (0x80 - 0x43) &* ones) & ~(low &+ (0x80 - 0x4d) &* ones)
      | (low &+ (0x80 - 0x4e) &* ones) & ~(low &+ (0x80 - 0x58) &* ones)
      | (low &+ (0x80 - 0x64) &* ones) & ~(low &+ (0x80 - 0x6e) &* ones)
    return (starts | ~(low &+ (0x80 - 0x40) &* ones)) & word & highBits
  }
}

extension [UInt8] {
  /// Appends a literal, which is copied as it lies in the program.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
