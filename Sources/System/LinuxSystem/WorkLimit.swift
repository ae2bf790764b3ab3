/// A limit for processing untrusted data: a few kilobytes, compressed or written for the purpose,
/// can expand to gigabytes.
public struct WorkLimit: Hashable, Sendable {
  /// The largest output in bytes; `nil` for no limit.
  public let bytes: Int?
  /// The longest CPU time in seconds; `nil` for no limit.
  public let seconds: Int?

  public init(bytes: Int?, seconds: Int?) {
    self.bytes = bytes
    self.seconds = seconds
  }

  /// As long as a person waits: 256 MiB and 10 seconds.
  public static let standard = WorkLimit(bytes: 256 << 20, seconds: 10)
  /// No limit at all.
  public static let none = WorkLimit(bytes: nil, seconds: nil)

  /// The limit that the work has exceeded.
  public enum Excess: Error, Hashable, Sendable, CustomStringConvertible {
    /// The output exceeds this number of bytes.
    case bytes(Int)
    /// Processing took this number of seconds of CPU time.
    case seconds(Int)

    /// A reason that follows "cannot …: ".
    public var description: String {
      switch self {
      case .bytes(let limit): "the output exceeds \(WorkLimit.text(of: limit))"
      case .seconds(let limit):
        "processing takes more than \(limit) second\(limit == 1 ? "" : "s") of CPU time"
      }
    }

  }

  /// A number of bytes in words, in the largest unit that gives a whole number.
  public static func text(of bytes: Int) -> String {
    if bytes == 1 { return "1 byte" }
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    let rank = bytes == 0 ? 0 : min(bytes.trailingZeroBitCount / 10, units.count - 1)
    return "\(bytes >> (10 * rank)) \(units[rank])"
  }
}

/// Counts work against a limit. To be used on one thread.
public final class WorkMeter {
  /// The CPU time is read once in so many bytes, because reading takes a system call.
  private static let interval = 64 << 10
  /// The number of bytes that each piece counts in addition to its own, for reading the CPU time.
  private static let pieceCost = 256

  private let limit: WorkLimit
  private let start = Clock.processorMilliseconds
  private var bytes = 0
  private var untilNextLook = 0

  /// Begins the work.
  public init(_ limit: WorkLimit) { self.limit = limit }

  /// Counts bytes of output before they are produced.
  ///
  /// The time is measured at intervals, so a piece that takes long may exceed the limit.
  ///
  /// - Throws: the limit that these bytes exceed; do not produce these bytes then.
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

  /// Resets the number of bytes, but not the time.
  public func beginAgain() { bytes = 0 }
}
