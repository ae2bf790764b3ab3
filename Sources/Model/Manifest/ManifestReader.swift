package import DocumentSource
internal import Glibc
package import LinuxSystem

/// Reads a manifest of either format entry by entry; the memory needed does not grow with the
/// manifest.
///
/// The first line that is not empty decides the format. A byte-order mark before it and carriage
/// returns at the ends of lines are ignored.
package struct ManifestReader {
  /// The longest line that is read, in bytes. The longest that `ManifestFormat` writes is shorter:
  /// a path of a thousand levels, and a value of 64 KiB whose one text stands in all four fields,
  /// each byte of both escaped.
  package static let lineLimit = 4 << 20

  // The compiler does not count the type of a typed throw as a use of its import.
  package typealias ReadError = Errno

  /// Returns the next bytes of a manifest, none at its end.
  package typealias NextBlock = () throws(ReadError) -> [UInt8]

  private enum State {
    case atBeginning
    case jsonLines
    case dump(Dump)
    case atEnd
  }

  private var lines: LineReader
  private let rules: WritingRules
  private var state = State.atBeginning

  /// - Parameters:
  ///   - rules: for a `source` in JSON that has no `value` beside it.
  ///   - block: returns the next bytes of the manifest.
  package init(rules: WritingRules = WritingRules(), block: @escaping NextBlock) {
    lines = LineReader(limit: Self.lineLimit, block: block)
    self.rules = rules
  }

  /// The line that was read last, counted from 1.
  package var line: Int { lines.number }

  /// Returns the next entry; `nil` at the end.
  ///
  /// In a dump, other attributes are skipped, and so are files without ours.
  ///
  /// - Throws: `ManifestFailure`, after which reading can go on unless `isFinal` says otherwise.
  package mutating func next() throws(ManifestFailure) -> ManifestEntry? {
    while let part = nextPart() {
      if let entry = try part.entry() { return entry }
    }
    return nil
  }

  /// A part of a manifest that gives an entry, or nothing.
  fileprivate struct Part: Sendable {
    enum Content: Sendable {
      case line(ArraySlice<UInt8>)
      case entry(ManifestEntry)
      case flaw(ManifestFailure.Reason)
    }

    let line: Int
    let content: Content
    let rules: WritingRules

    /// - Throws: `ManifestFailure`, as `next` does.
    func entry() throws(ManifestFailure) -> ManifestEntry? {
      do throws(ManifestFailure.Reason) {
        switch content {
        case .line(let text): return try JSONLine.entry(of: text, by: rules)
        case .entry(let entry): return entry
        case .flaw(let reason): throw reason
        }
      } catch {
        throw ManifestFailure(line: line, reason: error)
      }
    }
  }

  /// Consecutive lines of a manifest. Any thread may read them, which is most of the work.
  package struct Piece: Sendable {
    fileprivate enum Content: Sendable {
      /// With the state of the lines before, if they are those of a dump.
      case lines(ArraySlice<UInt8>, Dump?)
      case part(Part)
    }

    /// That of the first line, counted from 1.
    fileprivate let line: Int
    fileprivate let content: Content
    fileprivate let rules: WritingRules

    /// Calls `body` with each entry and each failure in turn, up to one after which nothing can be read.
    package func read(_ body: (Result<ManifestEntry, ManifestFailure>) -> Void) {
      switch content {
      case .part(let part): _ = pass(part, to: body)
      case .lines(let bytes, var dump):
        var (start, line) = (bytes.startIndex, line)
        while start < bytes.endIndex {
          let plain = unsafe bytes[start...].withUnsafeBufferPointer { left in
            unsafe PlainManifest.entry(at: left, dump)
          }
          if let plain {
            body(.success(plain.entry))
            start += plain.count
            line += plain.lines
            continue
          }
          let end = LineReader.lineEnd(in: bytes[start...]) ?? bytes.endIndex
          let text = LineReader.withoutReturns(bytes[start..<end])
          if let content = ManifestReader.content(of: text, &dump),
            !pass(Part(line: line, content: content, rules: rules), to: body)
          {
            return
          }
          start = end + 1
          line += 1
        }
      }
    }

    /// - Returns: whether anything after it can be read.
    private func pass(
      _ part: Part, to body: (Result<ManifestEntry, ManifestFailure>) -> Void
    ) -> Bool {
      do throws(ManifestFailure) {
        if let entry = try part.entry() { body(.success(entry)) }
        return true
      } catch {
        body(.failure(error))
        return !error.isFinal
      }
    }
  }

  /// Returns the next lines: one, for which a block may have to be read, and those in memory after it. None at
  /// the end. Lines that follow a failure after which nothing can be read may be returned all the same.
  package mutating func pieces() -> [Piece] {
    guard let part = nextPart() else { return [] }
    var pieces = [Piece(line: part.line, content: .part(part), rules: rules)]
    while let piece = pieceInMemory() { pieces.append(piece) }
    return pieces
  }

  private mutating func pieceInMemory() -> Piece? {
    let line = lines.number + 1
    switch state {
    case .jsonLines:
      let bytes = lines.take(upTo: [UInt8(ascii: "\n")])
      return bytes.map { Piece(line: line, content: .lines($0, nil), rules: rules) }
    case .dump(let dump):
      guard let bytes = lines.take(upTo: [UInt8(ascii: "\n"), UInt8(ascii: "\n")]) else {
        return nil
      }
      state = .dump(Dump())
      return Piece(line: line, content: .lines(bytes, dump), rules: rules)
    case .atBeginning, .atEnd: return nil
    }
  }

  fileprivate static func content(
    of line: ArraySlice<UInt8>, _ dump: inout Dump?
  ) -> Part.Content? {
    guard dump != nil else { return .line(line) }
    do throws(ManifestFailure.Reason) {
      return try dump?.entry(of: line).map { .entry($0) }
    } catch {
      return .flaw(error)
    }
  }

  private mutating func nextPart() -> Part? {
    do throws(ManifestFailure.Reason) {
      while true {
        if case .atEnd = state { return nil }
        guard let line = try lines.next() else {
          state = .atEnd
          return nil
        }
        if let content = try content(of: line) {
          return Part(line: lines.number, content: content, rules: rules)
        }
      }
    } catch {
      if error.isFinal { state = .atEnd }
      return Part(line: max(1, lines.number), content: .flaw(error), rules: rules)
    }
  }

  private mutating func content(
    of line: ArraySlice<UInt8>
  ) throws(ManifestFailure.Reason) -> Part.Content? {
    var line = line
    if case .atBeginning = state {
      let mark: [UInt8] = [0xef, 0xbb, 0xbf]
      if lines.number == 1, line.starts(with: mark) { line = line.dropFirst(mark.count) }
      guard let first = line.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") })
      else { return nil }
      switch first {
      case UInt8(ascii: "{"): state = .jsonLines
      case UInt8(ascii: "#"): state = .dump(Dump())
      default: throw .unknownFormat
      }
    }
    guard case .dump(var dump) = state else { return .line(line) }
    let value = Result { () throws(ManifestFailure.Reason) in try dump.entry(of: line) }
    state = .dump(dump)
    return try value.get().map { .entry($0) }
  }
}

/// Splits blocks of bytes into lines, of which no more than the limit is kept in memory beside a block.
private struct LineReader {
  private let limit: Int
  private let block: () throws(Errno) -> [UInt8]
  /// The block that was read last, and where the next line begins in it.
  private var bytes: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// How many lines were read.
  private(set) var number = 0

  /// - Parameter block: returns the next bytes, none at the end.
  init(limit: Int, block: @escaping () throws(Errno) -> [UInt8]) {
    self.limit = limit
    self.block = block
  }

  /// The most bytes of lines that are taken together.
  private static let pieceLimit = 32 << 10

  /// Takes lines that are in memory, up to and with the last place where certain bytes stand; `nil` if
  /// there is none within some KiB.
  mutating func take(upTo mark: [UInt8]) -> ArraySlice<UInt8>? {
    let window = bytes[position...].prefix(Self.pieceLimit)
    guard let last = window.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
    var end = last + 1
    while !bytes[position..<end].suffix(mark.count).elementsEqual(mark) {
      guard let previous = bytes[position..<end - 1].lastIndex(of: UInt8(ascii: "\n")) else {
        return nil
      }
      end = previous + 1
    }
    let taken = bytes[position..<end]
    while position < end, let next = Self.lineEnd(in: bytes[position..<end]) {
      number += 1
      position = next + 1
    }
    return taken
  }

  /// Returns the next line without its end, `nil` after the last. A line ends with a line feed, and with
  /// the carriage returns before that.
  ///
  /// - Throws: `unreadable`, or `lineTooLong`, after which the next line can be read.
  mutating func next() throws(ManifestFailure.Reason) -> ArraySlice<UInt8>? {
    // What stands of the line in blocks before.
    var begun: [UInt8] = []
    var isTooLong = false
    while true {
      let end = Self.lineEnd(in: bytes[position...])
      let part = bytes[position..<(end ?? bytes.endIndex)]
      isTooLong = isTooLong || begun.count + part.count > limit
      position = end.map { $0 + 1 } ?? bytes.endIndex
      if end == nil, !isAtEnd {
        if isTooLong { begun = [] } else { begun += part }
        try read()
        continue
      }
      guard end != nil || !begun.isEmpty || !part.isEmpty || isTooLong else { return nil }
      number += 1
      guard !isTooLong else { throw .lineTooLong }
      return Self.withoutReturns(begun.isEmpty ? part : (begun + part)[...])
    }
  }

  /// The position of the next line feed. The corresponding C function is memchr.
  static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    unsafe bytes.withUnsafeBufferPointer { memory in
      guard let base = unsafe UnsafeRawPointer(memory.baseAddress), !memory.isEmpty,
        let found = unsafe memchr(base, Int32(UInt8(ascii: "\n")), memory.count)
      else { return nil }
      return unsafe bytes.startIndex + base.distance(to: UnsafeRawPointer(found))
    }
  }

  static func withoutReturns(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  private mutating func read() throws(ManifestFailure.Reason) {
    do throws(Errno) {
      bytes = try block()
      position = 0
      isAtEnd = bytes.isEmpty
    } catch {
      number += 1
      throw .unreadable(error)
    }
  }
}
