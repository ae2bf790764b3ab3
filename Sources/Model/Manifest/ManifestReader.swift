public import DocumentSource
public import LinuxSystem

/// Reads a manifest of either format entry by entry, in memory that does not grow with it.
///
/// The format is told by the first line that is not empty. A byte-order mark before it and carriage
/// returns at the ends of lines are passed over.
public struct ManifestReader {
  /// A line of more bytes is refused. The longest that `ManifestFormat` writes is shorter: a path
  /// of a thousand levels, and a value of 64 KiB whose one text stands in all four fields, each
  /// byte of both escaped.
  public static let lineLimit = 4 << 20

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
  ///   - rules: what a source may hold that stands in JSON without a value.
  ///   - block: gives the next bytes of the manifest, none at its end.
  public init(
    rules: WritingRules = WritingRules(), block: @escaping () throws(Errno) -> [UInt8]
  ) {
    lines = LineReader(limit: Self.lineLimit, block: block)
    self.rules = rules
  }

  /// The line that was read last, counted from 1.
  public var line: Int { lines.number }

  /// Returns the next entry; `nil` at the end.
  ///
  /// In a dump, attributes other than ours are passed over, and so are files that have no other.
  ///
  /// - Throws: `ManifestFailure`, after which the rest can be read unless that is final.
  public mutating func next() throws(ManifestFailure) -> ManifestEntry? {
    do throws(ManifestFailure.Reason) {
      while true {
        if case .atEnd = state { return nil }
        guard let line = try lines.next() else {
          state = .atEnd
          return nil
        }
        if let entry = try entry(of: line) { return entry }
      }
    } catch {
      if error.isFinal { state = .atEnd }
      throw ManifestFailure(line: max(1, lines.number), reason: error)
    }
  }

  private mutating func entry(
    of line: ArraySlice<UInt8>
  ) throws(ManifestFailure.Reason) -> ManifestEntry? {
    if case .atBeginning = state {
      let mark: [UInt8] = [0xef, 0xbb, 0xbf]
      let text = lines.number == 1 && line.starts(with: mark) ? line.dropFirst(mark.count) : line
      guard let first = text.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") })
      else { return nil }
      switch first {
      case UInt8(ascii: "{"): state = .jsonLines
      case UInt8(ascii: "#"): state = .dump(Dump())
      default: throw .unknownFormat
      }
      return try entry(of: text, state)
    }
    return try entry(of: line, state)
  }

  private mutating func entry(
    of line: ArraySlice<UInt8>, _ state: State
  ) throws(ManifestFailure.Reason) -> ManifestEntry? {
    guard case .dump(var dump) = state else { return try JSONLine.entry(of: line, by: rules) }
    let value = Result { () throws(ManifestFailure.Reason) in try dump.entry(of: line) }
    self.state = .dump(dump)
    return try value.get()
  }
}
