/// How much work a stranger's bytes may make: some kilobytes can be written, or packed, so that
/// what comes of them is gigabytes.
public struct WorkLimit: Hashable, Sendable {
  /// The most bytes that may come of the work; `nil` for any number.
  public let bytes: Int?
  /// The most seconds of processor time that the work may take; `nil` for any number.
  public let seconds: Int?

  public init(bytes: Int?, seconds: Int?) {
    self.bytes = bytes
    self.seconds = seconds
  }

  /// As much as a person waits for: 256 MiB and 10 seconds.
  public static let standard = WorkLimit(bytes: 256 << 20, seconds: 10)
  /// No limit at all.
  public static let none = WorkLimit(bytes: nil, seconds: nil)

  /// The limit that the work has exceeded.
  public enum Excess: Error, Hashable, Sendable, CustomStringConvertible {
    /// More bytes came of it than these.
    case bytes(Int)
    /// It took as many seconds of processor time.
    case seconds(Int)

    /// A reason that follows "cannot …: ".
    public var description: String {
      switch self {
      case .bytes(let limit): "the output exceeds \(Self.text(of: limit))"
      case .seconds(let limit):
        "processing takes more than \(limit) second\(limit == 1 ? "" : "s") of CPU time"
      }
    }

    /// In the largest unit that gives a whole number.
    private static func text(of bytes: Int) -> String {
      if bytes == 1 { return "1 byte" }
      let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
      let rank = bytes == 0 ? 0 : min(bytes.trailingZeroBitCount / 10, units.count - 1)
      return "\(bytes >> (10 * rank)) \(units[rank])"
    }
  }
}

/// Counts the work that is done within a limit. It belongs to one thread.
public final class WorkMeter {
  /// The processor time is asked for once in so many bytes: that takes a system call.
  private static let interval = 64 << 10
  /// As how many bytes a piece counts besides its own where the processor time is concerned.
  private static let pieceCost = 256

  private let limit: WorkLimit
  private let start = Clock.processorMilliseconds
  private var bytes = 0
  private var untilNextLook = 0

  /// Begins the work.
  public init(_ limit: WorkLimit) { self.limit = limit }

  /// Counts bytes that are to come of the work.
  ///
  /// The time is measured now and then, so that a piece which takes long may exceed its limit.
  ///
  /// - Throws: the limit that these bytes exceed; they are not to be used then.
  ///
  /// The corresponding C function is clock_gettime(2).
  public func count(_ piece: Int) throws(WorkLimit.Excess) {
    bytes += piece
    if let most = limit.bytes, bytes > most { throw .bytes(most) }
    guard let most = limit.seconds else { return }
    untilNextLook -= piece + Self.pieceCost
    guard untilNextLook < 0 else { return }
    untilNextLook = Self.interval
    guard Clock.processorMilliseconds - start < most * 1000 else { throw .seconds(most) }
  }

  /// Counts from no bytes again; the time goes on.
  public func beginAgain() { bytes = 0 }
}
