import CommandLineInterface
import TextFormats

/// The JSON objects of the verbs that change files: the file, what became of it in a word, and what
/// was written or removed.
struct ChangeObject {
  typealias Members = [(key: String, value: String)]

  /// What became of a file; in a dry run, what would.
  enum Outcome: String {
    case changed, unchanged, failed
    /// Of `import`: the file had no value.
    case added
    /// Of `import`: the file keeps the value that it has.
    case kept
    /// Of `import`: there is no such file.
    case missing

    /// Those of the entries of a manifest, in the order in which they are counted.
    static let ofEntries: [Outcome] = [.added, .changed, .unchanged, .kept, .missing, .failed]
  }

  /// What an object about a failure has besides the file and the error.
  static let ofFailure: Members? = [("outcome", JSONText.string(Outcome.failed.rawValue))]

  let outcome: Outcome
  let isDry: Bool
  /// The members behind the outcome.
  let members: Members

  init(_ outcome: Outcome, isDry: Bool, _ members: Members = []) {
    self.outcome = outcome
    self.isDry = isDry
    self.members = members
  }

  func write(of path: ArraySlice<UInt8>, _ console: Console) {
    var all = JSONText.path(path)
    all.append((key: "outcome", value: JSONText.string(outcome.rawValue)))
    if isDry { all.append((key: "dryRun", value: "true")) }
    all += members
    console.write(all)
  }

  /// A member with the carriers of these names, as an array of objects; none where there is none.
  static func carriers(_ key: String, _ names: [[UInt8]]) -> Members {
    guard !names.isEmpty else { return [] }
    let carriers = names.map { JSONText.object(JSONText.path($0[...], key: "carrier")) }
    return [(key: key, value: JSONText.array(carriers))]
  }
}
