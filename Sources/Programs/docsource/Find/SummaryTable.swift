import CommandLineInterface
import DocumentSource
import TextFormats

/// Prints how many files came from which application.
enum SummaryTable {
  private static let widestBar = 30
  private static let usualColumns = 80

  /// A table for people: count, bar, application; at the end what has no source.
  static func write(_ summary: SourceSummary, _ console: Console) {
    write(
      rows(summary), [(summary.untagged, "untagged"), (summary.damaged, "damaged")], console)
  }

  /// How many files came from which application, in words.
  static func rows(_ summary: SourceSummary) -> [(Int, String)] {
    let rows = summary.rows.map { ($0.count, SourceText.summary($0.source)) }
    return summary.others > 0 ? rows + [(summary.others, "other applications")] : rows
  }

  /// Counts with a bar for each, then those without.
  static func write(_ rows: [(Int, String)], _ rest: [(Int, String)], _ console: Console) {
    let most = rows.map(\.0).max() ?? 0
    let digits = String((rows + rest).map(\.0).max() ?? 0).count
    let columns = TerminalSize(of: console.output)?.columns ?? usualColumns
    let widest = min(widestBar, max(0, (columns - digits - 4) / 2))
    for (count, words) in rows {
      // Whoever has a file has a mark.
      let width = most > 0 ? min(widest, max(1, widest * count / most)) : 0
      line(count, digits, String(repeating: "#", count: width), widest, words, console)
    }
    for (count, words) in rest { line(count, digits, "", widest, words, console) }
  }

  private static func line(
    _ count: Int, _ digits: Int, _ bar: String, _ widest: Int, _ words: String, _ console: Console
  ) {
    console.output.writeLine(
      padding(digits - String(count).count) + "\(count)  " + bar + padding(widest - bar.count)
        + "  \(EscapedText(words))")
  }

  private static func padding(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// The same for programs, an object a line.
  static func writeJSON(_ summary: SourceSummary, _ console: Console) {
    for row in summary.rows {
      object("tagged", row.count, row.source, console)
    }
    if summary.others > 0 { object("others", summary.others, nil, console) }
    object("untagged", summary.untagged, nil, console)
    object("damaged", summary.damaged, nil, console)
  }

  private static func object(
    _ state: String, _ count: Int, _ source: DocumentSource?, _ console: Console
  ) {
    let fields = source.map {
      [
        (key: "identifier", value: JSONText.string($0.identifier)),
        (key: "name", value: JSONText.string($0.name)),
      ]
    }
    console.output.writeLine(
      JSONText.object(
        [("state", JSONText.string(state))] + (fields ?? []) + [("count", String(count))]))
  }
}
