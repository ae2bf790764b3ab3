package import ForeignFormats
internal import Glibc
internal import LinuxSystem

/// How docsource asks docsource-records for downloads: one question, and as many answers as there are.
package enum RecordsProtocol {
  package enum Answer: Hashable, Sendable {
    case download(DownloadRecord)
    /// A database that cannot be read, by its path, and why; momentarily if the browser was writing.
    case failed(database: [UInt8], String, isMomentary: Bool)

    fileprivate var isMomentary: Bool {
      if case .failed(_, _, isMomentary: true) = self { true } else { false }
    }

    package var message: CompanionMessage {
      switch self {
      case .download(let record):
        let words =
          [record.browser, record.firstURL ?? "", record.url ?? "", record.page ?? ""]
          + [record.end.map { "\($0)" } ?? "", record.size.map { "\($0)" } ?? ""]
        return CompanionMessage([record.database, record.path] + words.map { Array($0.utf8) })
      case .failed(let database, let reason, let isMomentary):
        return CompanionMessage([
          database, Array(reason.utf8), Array((isMomentary ? "again" : "").utf8),
        ])
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      switch message.fields.count {
      case 3:
        self = .failed(
          database: message.fields[0], message.text(1), isMomentary: !message.fields[2].isEmpty)
      case 8:
        func text(_ index: Int) -> String? {
          message.fields[index].isEmpty ? nil : message.text(index)
        }
        guard let end = Self.optional(text(6), Double.init),
          let size = Self.optional(text(7), Int64.init)
        else { return nil }
        self = .download(
          DownloadRecord(
            browser: message.text(2), database: message.fields[0], path: message.fields[1],
            firstURL: text(3), url: text(4), page: text(5), end: end, size: size))
      default: return nil
      }
    }

    /// `nil` for a text that is no number.
    private static func optional<Number>(
      _ text: String?, _ number: (String) -> Number?
    ) -> Number?? {
      guard let text else { return .some(nil) }
      return number(text).map { .some($0) }
    }
  }

  /// The most files of a question.
  package static let fileLimit = 64
  /// More bytes than a question has.
  package static let questionLimit = 1 << 20
  /// The most bytes of all answers.
  package static let limit = 64 << 20
  /// How long all databases together are read, in milliseconds.
  package static func milliseconds(for wanted: [DownloadedFile]?) -> Int {
    wanted == nil ? 5000 : 1000
  }
  /// How often a question is asked if a browser is writing, and the pause before it is asked again, in
  /// milliseconds.
  private static let (attempts, pause) = (10, 20)
  /// When the program is ended, in milliseconds after its start.
  package static func limit(for wanted: [DownloadedFile]?) -> Int {
    milliseconds(for: wanted) + 500
  }

  /// The question for the downloads that may be those of files; `nil` for all.
  package static func question(_ files: [DownloadedFile]?) -> CompanionMessage {
    guard let files else { return CompanionMessage("all") }
    return CompanionMessage(
      [Array("files".utf8)]
        + files.flatMap { [$0.path, Array("\($0.size)".utf8), Array("\($0.modified)".utf8)] })
  }

  /// The files of a question, `nil` for all; no value at all for what is no question.
  package static func files(_ question: CompanionMessage) -> [DownloadedFile]?? {
    let count = question.fields.count
    switch question.fields.isEmpty ? "" : question.text(0) {
    case "all": return count == 1 ? .some(nil) : nil
    case "files" where count % 3 == 1 && count / 3 <= fileLimit:
      let files = stride(from: 1, to: count, by: 3).compactMap { start -> DownloadedFile? in
        guard let size = Int64(question.text(start + 1)),
          let modified = Double(question.text(start + 2)), modified.isFinite
        else { return nil }
        return DownloadedFile(path: question.fields[start], size: size, modified: modified)
      }
      return files.count == count / 3 ? .some(files) : nil
    default: return nil
    }
  }

  /// The answers to a question, which is asked again for a while if a browser was writing: the program
  /// opens the files anew each time, so that what the browser makes meanwhile counts, too.
  ///
  /// - Parameter ask: starts the program.
  package static func answers<Failure: Error>(
    for wanted: [DownloadedFile]?, _ ask: () throws(Failure) -> [Answer]
  ) throws(Failure) -> [Answer] {
    let end = Clock.milliseconds + milliseconds(for: wanted)
    for _ in 1..<attempts {
      let answers = try ask()
      guard answers.contains(where: \.isMomentary), Clock.milliseconds < end else { return answers }
      usleep(UInt32(pause) * 1000)
    }
    return try ask()
  }

  /// The answers that docsource-records has written.
  ///
  /// - Returns: `nil` for anything else.
  package static func answers(_ bytes: [UInt8]) -> [Answer]? {
    guard let messages = try? CompanionMessage.all(in: bytes) else { return nil }
    let answers = messages.compactMap { Answer($0) }
    return answers.count == messages.count ? answers : nil
  }
}
