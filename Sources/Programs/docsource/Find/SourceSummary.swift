import DocumentSource

/// How many files came from which application.
///
/// An application is told by its identifier, and by its name where it has none. Since both come from
/// strangers, there is a limit to how many are told apart; the files of further ones are counted
/// together.
struct SourceSummary: Sendable {
  /// What an application is told by.
  private enum Key: Hashable {
    case identifier(String)
    case name(String)
    case unnamed
  }

  /// An application and how many files came from it.
  struct Row: Sendable {
    let source: DocumentSource
    let count: Int
  }

  private struct Application {
    var name: String?
    var count: Int
  }

  /// The most bytes of identifiers and names that are kept.
  private static let mostBytes = 8 << 20
  /// What keeping one costs besides.
  private static let bytesForEach = 256

  private(set) var untagged = 0
  private(set) var damaged = 0
  /// Of applications that are not told apart.
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
    // Of several names it has the first in the order of bytes, whatever thread met which.
    let former = applications.values[index].name
    guard let name = application.name, former.map({ name < $0 }) ?? true else { return }
    let growth = name.utf8.count - (former?.utf8.count ?? 0)
    guard bytes + growth <= Self.mostBytes else { return }
    bytes += growth
    applications.values[index].name = name
  }

  /// The applications, those with the most files first.
  var rows: [Row] {
    applications.map { key, application in
      let identifier: String? = if case .identifier(let text) = key { text } else { nil }
      return Row(
        source: DocumentSource(identifier: identifier, name: application.name),
        count: application.count)
    }.sorted { left, right in
      left.count != right.count
        ? left.count > right.count
        : SourceText.summary(left.source) < SourceText.summary(right.source)
    }
  }
}
