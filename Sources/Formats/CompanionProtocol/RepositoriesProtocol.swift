package import ForeignFormats
internal import LinuxSystem

/// How docsource asks docsource-repositories about files: one question about one repository, and what has
/// been found.
package enum RepositoriesProtocol {
  package struct Answer: Hashable, Sendable {
    /// `nil` if the directory is not the work tree of a repository that counts.
    package let repository: RepositoryRecord.Repository?
    /// Whether the directory has no repository at all, so that it may be in one of a directory above.
    package let isMissing: Bool
    /// All of the repository.
    package let records: [RepositoryRecord]
    /// Why something could not be read.
    package let failures: [String]

    package init(
      _ repository: RepositoryRecord.Repository?, isMissing: Bool = false,
      records: [RepositoryRecord] = [], failures: [String] = []
    ) {
      self.repository = repository
      self.isMissing = isMissing
      self.records = records
      self.failures = failures
    }

    /// A message for the repository, one for the files of each commit, and one for each failure.
    package var bytes: [UInt8] {
      var messages: [CompanionMessage] = []
      if isMissing { messages.append(CompanionMessage("missing")) }
      if let repository {
        messages.append(
          CompanionMessage([
            Array("repository".utf8), repository.root, Array((repository.remote ?? "").utf8),
          ]))
      }
      var rest = records[...]
      while let first = rest.first {
        let own = rest.prefix { $0.commit == first.commit }
        rest = rest.dropFirst(own.count)
        let commit = first.commit
        let words = [
          "files", commit?.identifier ?? "", commit.map { "\($0.seconds)" } ?? "",
          commit?.author ?? "", commit?.subject ?? "",
        ]
        messages.append(
          CompanionMessage(
            words.map { Array($0.utf8) }
              + own.flatMap { [$0.path, Array(($0.state?.rawValue ?? "").utf8)] }))
      }
      messages += failures.map { CompanionMessage("failed", $0) }
      return messages.flatMap(\.bytes)
    }
  }

  /// The most paths of a question.
  package static let pathLimit = 64
  /// The most bytes of a question.
  package static let questionLimit = 1 << 20
  /// The most bytes of an answer.
  package static let limit = 128 << 20

  /// How long a repository is read, in milliseconds: long histories, from a slow disk.
  package static func milliseconds(for question: RepositoryQuestion) -> Int {
    if case .trees = question.extent { 30_000 } else { 10_000 }
  }

  /// When the program is ended, in milliseconds after its start.
  package static func limit(for question: RepositoryQuestion) -> Int {
    milliseconds(for: question) + 2000
  }

  package static func message(_ question: RepositoryQuestion) -> CompanionMessage {
    func message(_ kind: String, _ paths: [[UInt8]]) -> CompanionMessage {
      CompanionMessage([Array(kind.utf8), question.root] + paths)
    }
    return switch question.extent {
    case .files(let files): message("files", files)
    case .entries(let directory): message("entries", [directory])
    case .trees(let directories): message("trees", directories)
    }
  }

  /// Reads a question; `nil` for what is none.
  package static func question(_ message: CompanionMessage) -> RepositoryQuestion? {
    let fields = message.fields
    guard fields.count > 2, fields.count - 2 <= pathLimit, fields[1].first == 0x2f,
      !fields[1].contains(0)
    else { return nil }
    let paths = Array(fields[2...])
    guard paths.allSatisfy({ $0.first != 0x2f && $0.last != 0x2f && !$0.contains(0) }) else {
      return nil
    }
    switch message.text(0) {
    case "files": return RepositoryQuestion(fields[1], .files(paths))
    case "entries" where paths.count == 1: return RepositoryQuestion(fields[1], .entries(paths[0]))
    case "trees": return RepositoryQuestion(fields[1], .trees(paths))
    default: return nil
    }
  }

  /// The answer that docsource-repositories has written.
  ///
  /// - Returns: `nil` for anything else.
  package static func answer(_ bytes: [UInt8]) -> Answer? {
    guard let messages = try? CompanionMessage.all(in: bytes) else { return nil }
    var repository: RepositoryRecord.Repository?
    var isMissing = false
    var records: [RepositoryRecord] = []
    var failures: [String] = []
    for message in messages {
      let fields = message.fields
      switch fields.isEmpty ? "" : message.text(0) {
      case "missing" where fields.count == 1: isMissing = true
      case "repository" where fields.count == 3 && repository == nil:
        repository = RepositoryRecord.Repository(
          root: fields[1], remote: fields[2].isEmpty ? nil : message.text(2))
      case "files" where fields.count > 5 && fields.count % 2 == 1:
        guard let repository else { return nil }
        var commit: RepositoryRecord.Commit?
        if !fields[1].isEmpty {
          guard let seconds = Int64(message.text(2)) else { return nil }
          commit = RepositoryRecord.Commit(
            identifier: message.text(1), seconds: seconds, author: message.text(3),
            subject: message.text(4))
        }
        for place in stride(from: 5, to: fields.count, by: 2) {
          let state = RepositoryRecord.State(rawValue: message.text(place + 1))
          guard state != nil || fields[place + 1].isEmpty else { return nil }
          records.append(
            RepositoryRecord(repository, path: fields[place], commit: commit, state: state))
        }
      case "failed" where fields.count == 2: failures.append(message.text(1))
      default: return nil
      }
    }
    return Answer(repository, isMissing: isMissing, records: records, failures: failures)
  }
}
