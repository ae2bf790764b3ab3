import CommandLineInterface
import DocumentSource
import TextFormats

extension SourceSummary {
  /// The applications, those with the most files first.
  var rows: [(source: DocumentSource, count: Int)] {
    counts.sorted { left, right in
      left.count != right.count
        ? left.count > right.count
        : SourceText.exactSummary(left.source) < SourceText.exactSummary(right.source)
    }
  }
}

/// Prints a `SourceSummary`.
enum SummaryTable {
  static let otherApplications = "other applications"
  private static let widestBar = 30
  private static let usualColumns = 80

  /// A table for people: count, bar and application, followed by the files without a source.
  static func write(_ summary: SourceSummary, _ console: Console) {
    write(
      rows(summary), [(summary.untagged, "untagged"), (summary.damaged, "damaged")], console)
  }

  /// The number of files and the words for each application.
  static func rows(
    _ summary: SourceSummary, _ words: (DocumentSource) -> String = SourceText.summary
  ) -> [(Int, String)] {
    let rows = summary.rows.map { ($0.count, words($0.source)) }
    return summary.others > 0 ? rows + [(summary.others, otherApplications)] : rows
  }

  /// Rows with a bar for each count, followed by rows without one.
  static func write(_ rows: [(Int, String)], _ rest: [(Int, String)], _ console: Console) {
    let most = rows.map(\.0).max() ?? 0
    let digits = String((rows + rest).map(\.0).max() ?? 0).count
    let columns = TerminalSize(of: console.output)?.columns ?? usualColumns
    let widest = min(widestBar, max(0, (columns - digits - 4) / 2))
    for (count, words) in rows {
      // One file is enough for a mark.
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

  /// The summary for programs, a JSON object a line.
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
    console.write([
      "state": .text(state), "identifier": .text(source?.identifier), "name": .text(source?.name),
      "count": .number(count),
    ])
  }
}
