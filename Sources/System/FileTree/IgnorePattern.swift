internal import LinuxSystem

/// A pattern for entries below a directory, as in a line of a .gitignore file.
///
/// A pattern without a slash matches the name of an entry at any depth; a pattern with a slash
/// matches the path from the directory. A leading slash has no other effect; a trailing slash limits
/// the pattern to directories. `*`, `?` and `[a-z]` do not match a slash; `**` between slashes
/// matches any directories. As in Git, patterns are bytes, and `?` and a set match one byte.
///
/// Matching takes at most pattern length times path length steps. The format is that of
/// gitignore(5), to the details of Git's `wildmatch.c`.
package struct IgnorePattern: Sendable, Hashable {
  private enum Element: Hashable {
    case byte(UInt8)
    case set(ByteSet)
    /// `*`: any bytes but slashes.
    case name
    /// `**`: any bytes.
    case anything
    /// `**/`: nothing, or any bytes and a slash after them.
    case directories
  }

  /// Whether what matches is not ignored, although an earlier pattern says so.
  let isNegated: Bool
  private let wantsDirectory: Bool
  private let wantsName: Bool
  /// What a text must begin with, and what must follow.
  private var start: [UInt8] = []
  private var rest: [Element] = []
  /// What a text must end with, which tells most texts that do not match.
  private let end: [UInt8]

  /// Makes a pattern in which a `!` or `#` at the beginning is an ordinary character.
  package init(_ pattern: [UInt8]) throws(GlobFlaw) {
    try self.init(pattern[...], isNegated: false)
  }

  /// Parses a line; `nil` for one that is empty, is a comment, or can match nothing.
  init?(line: ArraySlice<UInt8>) {
    guard line.first != UInt8(ascii: "#") else { return nil }
    // Git reads lines as C strings.
    let line = Self.withoutTrailingSpaces(line.prefix { $0 != 0 })
    let isNegated = line.first == UInt8(ascii: "!")
    let pattern = isNegated ? line.dropFirst() : line
    guard !pattern.isEmpty, let made = try? Self(pattern, isNegated: isNegated) else { return nil }
    self = made
  }

  private init(_ pattern: ArraySlice<UInt8>, isNegated: Bool) throws(GlobFlaw) {
    let slash = UInt8(ascii: "/")
    self.isNegated = isNegated
    wantsDirectory = pattern.last == slash
    var body = wantsDirectory ? pattern.dropLast() : pattern
    wantsName = !body.contains(slash)
    if body.first == slash { body.removeFirst() }
    let elements = try Self.elements(of: Array(body), areOfName: wantsName)
    for element in elements {
      guard rest.isEmpty, case .byte(let byte) = element else {
        rest.append(element)
        continue
      }
      start.append(byte)
    }
    var end: [UInt8] = []
    for element in rest.reversed() {
      guard case .byte(let byte) = element else { break }
      end.append(byte)
    }
    self.end = end.reversed()
  }

  /// Spaces at the end do not count unless a backslash stands before them.
  private static func withoutTrailingSpaces(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var next = line.startIndex
    while next < line.endIndex {
      let isEscape = line[next] == UInt8(ascii: "\\")
      let isSpace = line[next] == UInt8(ascii: " ")
      next = min(next + (isEscape ? 2 : 1), line.endIndex)
      if !isSpace { end = next }
    }
    return line[..<end]
  }

  private static func elements(
    of pattern: [UInt8], areOfName: Bool
  ) throws(GlobFlaw) -> [Element] {
    let (star, slash) = (UInt8(ascii: "*"), UInt8(ascii: "/"))
    let firstSpecial = pattern.firstIndex { "*?[\\".utf8.contains($0) }
    var elements: [Element] = []
    var next = 0
    while next < pattern.count {
      let position = next
      let byte = pattern[next]
      next += 1
      switch byte {
      case star:
        while next < pattern.count, pattern[next] == star { next += 1 }
        // Git compares what stands before the first special character apart, and so takes it for
        // the beginning.
        let isBounded =
          position == 0 || position == firstSpecial || pattern[position - 1] == slash
        let isDouble = next - position > 1
        if areOfName {
          elements.append(.name)
        } else if isDouble, isBounded, next == pattern.count {
          elements.append(.anything)
        } else if isDouble, isBounded, pattern[next] == slash {
          elements.append(.directories)
          next += 1
        } else if isDouble, isBounded, pattern[next...].starts(with: "\\/".utf8) {
          elements.append(.anything)
        } else {
          elements.append(.name)
        }
      case UInt8(ascii: "?"): elements.append(.set(.allButSlash))
      case UInt8(ascii: "["): elements.append(.set(try ByteSet(pattern, &next)))
      case UInt8(ascii: "\\"):
        guard next < pattern.count else { throw GlobFlaw(.nothingEscaped, at: position) }
        elements.append(.byte(pattern[next]))
        next += 1
      default: elements.append(.byte(byte))
      }
    }
    return elements
  }

  /// Whether an entry matches.
  ///
  /// - Parameters:
  ///   - path: from the directory of the pattern.
  ///   - row: memory that the caller keeps, so that matching allocates none.
  func matches(
    _ path: ArraySlice<UInt8>, isDirectory: Bool, _ row: inout [Bool]
  ) -> Bool {
    guard isDirectory || !wantsDirectory else { return false }
    var text = path
    if wantsName, let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      text = path[(slash + 1)...]
    }
    guard text.count >= start.count + end.count, text.starts(with: start),
      text.suffix(end.count).elementsEqual(end)
    else { return false }
    return restMatches(text.dropFirst(start.count), &row)
  }

  /// Keeps in a row how many bytes of the text the elements so far can match.
  private func restMatches(_ text: ArraySlice<UInt8>, _ row: inout [Bool]) -> Bool {
    let (slash, count, first) = (UInt8(ascii: "/"), text.count, text.startIndex)
    row.removeAll(keepingCapacity: true)
    row.append(true)
    for _ in 0..<count { row.append(false) }
    for element in rest {
      switch element {
      case .byte(let byte):
        for end in (0..<count).reversed() { row[end + 1] = row[end] && text[first + end] == byte }
        row[0] = false
      case .set(let set):
        for end in (0..<count).reversed() {
          row[end + 1] = row[end] && set.contains(text[first + end])
        }
        row[0] = false
      case .name:
        for end in 0..<count where row[end] && text[first + end] != slash { row[end + 1] = true }
      case .anything:
        for end in 0..<count where row[end] { row[end + 1] = true }
      case .directories:
        var isReached = false
        for end in 0..<count {
          isReached = isReached || row[end]
          if isReached, text[first + end] == slash { row[end + 1] = true }
        }
      }
    }
    return row[count]
  }
}

/// Some of the 256 bytes.
private struct ByteSet: Hashable {
  private var words: SIMD4<UInt64> = .zero

  private static let slash = UInt8(ascii: "/")

  static let allButSlash: ByteSet = {
    var set = ByteSet()
    set.invert()
    return set
  }()

  private init() {}

  /// Parses a set as Git does; `next` is the position after its `[`, then that after its `]`.
  init(_ pattern: [UInt8], _ next: inout Int) throws(GlobFlaw) {
    let unclosed = GlobFlaw(.unclosedBracket, at: next - 1)
    let isNegated = next < pattern.count && "!^".utf8.contains(pattern[next])
    if isNegated { next += 1 }
    // The lower end of a range that may follow; 0 where none may.
    var lower: UInt8 = 0
    repeat {
      guard next < pattern.count else { throw unclosed }
      var byte = pattern[next]
      let following = next + 1 < pattern.count ? pattern[next + 1] : nil
      if byte == UInt8(ascii: "\\") {
        guard let following else { throw unclosed }
        next += 1
        byte = following
        insert(byte...byte)
      } else if byte == UInt8(ascii: "-"), lower != 0, let following,
        following != UInt8(ascii: "]")
      {
        next += following == UInt8(ascii: "\\") ? 2 : 1
        guard next < pattern.count else { throw unclosed }
        if lower <= pattern[next] { insert(lower...pattern[next]) }
        byte = 0
      } else if byte == UInt8(ascii: "["), following == UInt8(ascii: ":") {
        guard let end = pattern[(next + 2)...].firstIndex(of: UInt8(ascii: "]")) else {
          throw unclosed
        }
        if end - next > 2, pattern[end - 1] == UInt8(ascii: ":") {
          try insertClass(pattern[(next + 2)..<max(next + 2, end - 1)], at: next)
          next = end
          byte = 0
        } else {
          insert(byte...byte)
        }
      } else {
        insert(byte...byte)
      }
      lower = byte
      next += 1
    } while next >= pattern.count || pattern[next] != UInt8(ascii: "]")
    next += 1
    if isNegated { invert() } else { remove(Self.slash) }
  }

  func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

  private mutating func insert(_ ranges: ClosedRange<UInt8>...) {
    for byte in ranges.joined() { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
  }

  private mutating func remove(_ byte: UInt8) { words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63)) }

  /// No set holds a slash.
  private mutating func invert() {
    words = ~words
    remove(Self.slash)
  }

  private mutating func insertClass(
    _ name: ArraySlice<UInt8>, at position: Int
  ) throws(GlobFlaw) {
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": insert(0x30...0x39, 0x41...0x5a, 0x61...0x7a)
    case "alpha": insert(0x41...0x5a, 0x61...0x7a)
    case "blank": insert(0x20...0x20, 0x09...0x09)
    case "cntrl": insert(0x00...0x1f, 0x7f...0x7f)
    case "digit": insert(0x30...0x39)
    case "graph": insert(0x21...0x7e)
    case "lower": insert(0x61...0x7a)
    case "print": insert(0x20...0x7e)
    case "punct": insert(0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e)
    case "space": insert(0x20...0x20, 0x09...0x0a, 0x0d...0x0d)
    case "upper": insert(0x41...0x5a)
    case "xdigit": insert(0x30...0x39, 0x41...0x46, 0x61...0x66)
    default: throw GlobFlaw(.unknownClass, at: position)
    }
  }
}
