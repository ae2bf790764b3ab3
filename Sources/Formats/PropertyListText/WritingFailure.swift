package import LinuxSystem
package import TextFormats

/// Why a property list is not written as text to its end.
package enum WritingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The format has no form for some value; nothing was written.
  case unrepresentable(Unrepresentable)
  /// The text exceeds the limit.
  ///
  /// A shared value is written at each of its places, and deep values are indented at each: 5 KB of
  /// untrusted data could become 500 MB of text.
  case excess(WorkLimit.Excess)

  /// A reason that follows "cannot write: ".
  package var description: String {
    switch self {
    case .unrepresentable(let value): value.reason
    case .excess(let excess): excess.description
    }
  }
}

/// Text that goes to a sink in blocks, until that is too much.
package struct LimitedText {
  private static let block = 64 << 10
  /// A block and the piece that ends it, where that is not long: so blocks seldom outgrow their room.
  private static let room = 80 << 10

  private let meter: WorkMeter
  private let sink: ([UInt8]) -> Void
  private var pending: [UInt8] = []

  package init(_ meter: WorkMeter, _ sink: @escaping ([UInt8]) -> Void) {
    self.meter = meter
    self.sink = sink
    pending.reserveCapacity(Self.room)
  }

  /// Adds what `piece` appends, or nothing of that where it is too much.
  package mutating func send(_ piece: (inout [UInt8]) throws(WritingFailure) -> Void)
    throws(WritingFailure)
  {
    let start = pending.count
    try piece(&pending)
    do throws(WorkLimit.Excess) {
      try meter.count(pending.count - start)
    } catch {
      pending.removeLast(pending.count - start)
      throw .excess(error)
    }
    if pending.count >= Self.block { flush() }
  }

  package mutating func send(_ piece: String) throws(WritingFailure) {
    try send { (bytes) throws(WritingFailure) in bytes += piece.utf8 }
  }

  /// Sends what is left, after a failure too.
  package mutating func flush() {
    guard !pending.isEmpty else { return }
    let block = pending
    pending = []
    pending.reserveCapacity(Self.room)
    sink(block)
  }
}
