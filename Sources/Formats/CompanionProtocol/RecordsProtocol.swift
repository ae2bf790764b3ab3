package import ForeignFormats

/// How docsource asks docsource-records for downloads: one question, and as many answers as there are.
package enum RecordsProtocol {
  package enum Answer: Hashable, Sendable {
    case download(DownloadRecord)
    /// A database that cannot be read, by its path, and why.
    case failed(database: [UInt8], String)

    package var message: CompanionMessage {
      switch self {
      case .download(let record):
        let words =
          [record.browser, record.firstURL ?? "", record.url ?? "", record.page ?? ""]
          + [record.end.map { "\($0)" } ?? "", record.size.map { "\($0)" } ?? ""]
        return CompanionMessage([record.database, record.path] + words.map { Array($0.utf8) })
      case .failed(let database, let reason):
        return CompanionMessage([database, Array(reason.utf8)])
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      switch message.fields.count {
      case 2: self = .failed(database: message.fields[0], message.text(1))
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

  /// More bytes than a question has.
  package static let questionLimit = 1 << 16
  /// The most bytes of all answers.
  package static let limit = 64 << 20
  /// How long all databases together are read, in milliseconds.
  package static let milliseconds = 1000

  /// The question for the downloads that may be a file's; `nil` for all.
  package static func question(_ file: DownloadedFile?) -> CompanionMessage {
    guard let file else { return CompanionMessage([]) }
    return CompanionMessage([
      file.path, Array("\(file.size)".utf8), Array("\(file.modified)".utf8),
    ])
  }

  /// The file of a question, `nil` for all; no file for what is no question.
  package static func file(_ question: CompanionMessage) -> DownloadedFile?? {
    switch question.fields.count {
    case 0: return .some(nil)
    case 3:
      guard let size = Int64(question.text(1)), let modified = Double(question.text(2)),
        modified.isFinite
      else { return nil }
      return .some(DownloadedFile(path: question.fields[0], size: size, modified: modified))
    default: return nil
    }
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
