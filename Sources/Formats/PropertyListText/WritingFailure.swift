public import LinuxSystem
public import TextFormats

/// Why a property list is not written as text to its end.
public enum WritingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The format has no form for some value; nothing was written.
  case unrepresentable(Unrepresentable)
  /// The text exceeds the limit.
  ///
  /// A shared value is written at each of its places, and deep values are indented at each: 5 KB of
  /// untrusted data could become 500 MB of text.
  case excess(WorkLimit.Excess)

  /// A reason that follows "cannot write: ".
  public var description: String {
    switch self {
    case .unrepresentable(let value): value.reason
    case .excess(let excess): excess.description
    }
  }
}

/// Text that goes to a sink piece by piece, until that is too much.
final class LimitedText {
  private let meter: WorkMeter
  private let sink: (String) -> Void

  init(_ meter: WorkMeter, _ sink: @escaping (String) -> Void) {
    self.meter = meter
    self.sink = sink
  }

  func send(_ piece: String) throws(WritingFailure) {
    do throws(WorkLimit.Excess) {
      try meter.count(piece.utf8.count)
    } catch {
      throw .excess(error)
    }
    sink(piece)
  }
}
