import Foundation

/// Prints the table: one line a goal, or a comparison that has none.
struct Report {
  private var missed: [String] = []

  /// Prints how many times as long the peer takes.
  mutating func compare(
    _ work: String, _ ours: Double, with peer: String, _ theirs: Double, goal: Double? = nil
  ) {
    let ratio = theirs / ours
    var line = Self.padded(work, 44) + Self.padded(Self.text(ours), 12)
    line += Self.padded(peer, 12) + Self.padded(Self.text(theirs), 12)
    line += Self.padded(Self.number(ratio) + " x", 12)
    if let goal {
      line += Self.padded("goal \(Self.number(goal)) x", 14)
      line += ratio >= goal ? "reached" : "NOT reached"
      if ratio < goal { missed.append("\(work), \(peer)") }
    }
    print(line)
    // At once, into a pipe too: the large list takes its time.
    fflush(nil)
  }

  func finish() {
    print(
      missed.isEmpty
        ? "all goals reached" : "goals not reached: \(missed.joined(separator: "; "))")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
  }

  private static func text(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: "\(number(nanoseconds)) ns"
    case ..<1e6: "\(number(nanoseconds / 1e3)) us"
    case ..<1e9: "\(number(nanoseconds / 1e6)) ms"
    default: "\(number(nanoseconds / 1e9)) s"
    }
  }

  /// Three digits that count.
  private static func number(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }
}
