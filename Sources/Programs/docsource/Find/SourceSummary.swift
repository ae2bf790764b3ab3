import CommandLineInterface
import DocumentSource
import TextFormats

/// Counts files by the application they came from.
///
/// Applications are distinguished by identifier, or by name where they have none. Since both come
/// from strangers, the memory for them is limited; the files of further applications are counted
/// together.
struct SourceSummary: Sendable {
  /// What distinguishes an application.
  private enum Key: Hashable {
    case identifier(String)
    case name(String)
    case unnamed
  }

  private struct Application {
    var name: String?
    var count: Int
  }

  /// The most bytes of identifiers and names that are kept.
  private static let mostBytes = 8 << 20
  /// The approximate memory for an application besides its texts.
  private static let bytesForEach = 256

  private(set) var untagged = 0
  private(set) var damaged = 0
  /// The files of applications beyond the limit.
  private(set) var others = 0
  private var applications: [Key: Application] = [:]
  private var bytes = 0

  mutating func count(_ state: FileSource) {
    switch state {
    case .untagged: untagged += 1
    case .damaged: damaged += 1
    case .source(let source, _):
      let key: Key =
        source.identifier.map { .identifier($0) } ?? source.name.map { .name($0) } ?? .unnamed
      add(key, Application(name: source.name, count: 1))
    }
  }

  mutating func add(_ other: SourceSummary) {
    untagged += other.untagged
    damaged += other.damaged
    others += other.others
    for (key, application) in other.applications { add(key, application) }
  }

  private mutating func add(_ key: Key, _ application: Application) {
    guard let index = applications.index(forKey: key) else {
      let identifier = if case .identifier(let text) = key { text } else { "" }
      let cost =
        identifier.utf8.count + (application.name?.utf8.count ?? 0) + Self.bytesForEach
      guard bytes + cost <= Self.mostBytes else {
        others += application.count
        return
      }
      bytes += cost
      applications[key] = application
      return
    }
    applications.values[index].count += application.count
    // Of several names the first in the order of bytes stays, whichever thread met which.
    let former = applications.values[index].name
    guard let name = application.name, former.map({ name < $0 }) ?? true else { return }
    let growth = name.utf8.count - (former?.utf8.count ?? 0)
    guard bytes + growth <= Self.mostBytes else { return }
    bytes += growth
    applications.values[index].name = name
  }

  /// The applications, those with the most files first.
  var rows: [(source: DocumentSource, count: Int)] {
    applications.map { key, application in
      let identifier: String? = if case .identifier(let text) = key { text } else { nil }
      return (DocumentSource(identifier: identifier, name: application.name), application.count)
    }.sorted { left, right in
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
