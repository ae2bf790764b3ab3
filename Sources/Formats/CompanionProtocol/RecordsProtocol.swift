package import ForeignFormats
internal import Glibc
internal import LinuxSystem

/// How docsource asks docsource-records for downloads, and for what the desktop has recorded: one question,
/// and as many answers as there are.
package enum RecordsProtocol {
  package enum Answer: Hashable, Sendable {
    case download(DownloadRecord)
    case desktop(DesktopRecord)
    /// A database that cannot be read, by its path, and why; momentarily if its program was writing.
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
      case .desktop(let record):
        let words = Self.words(of: record.content).map { Array($0.utf8) }
        return CompanionMessage([record.database, record.path] + words)
      case .failed(let database, let reason, let isMomentary):
        return CompanionMessage([
          database, Array(reason.utf8), Array((isMomentary ? "again" : "").utf8),
        ])
      }
    }

    private static func words(of content: DesktopRecord.Content) -> [String] {
      switch content {
      case .use(let use):
        let times = [use.first, use.seconds].map { $0.map { "\($0)" } ?? "" }
        return ["use", use.application] + times + [use.count.map { "\($0)" } ?? ""]
      case .grant(let application, let permissions):
        return ["grant", application, permissions.joined(separator: " ")]
      case .indexed(let program, let device, let modified):
        return ["indexed", program ?? "", device ?? "", "\(modified)"]
      }
    }

    /// `nil` for what is no such record.
    private static func content(_ message: CompanionMessage) -> DesktopRecord.Content? {
      func text(_ index: Int) -> String? {
        message.fields[index].isEmpty ? nil : message.text(index)
      }
      switch (message.text(2), message.fields.count) {
      case ("use", 7):
        guard let first = optional(text(4), Double.init), let last = optional(text(5), Double.init),
          let count = optional(text(6), { Int($0) })
        else { return nil }
        return .use(
          RecentUse(application: message.text(3), seconds: last, first: first, count: count))
      case ("grant", 5):
        let permissions = message.text(4).split(separator: " ").map { String($0) }
        return .grant(application: message.text(3), permissions: permissions)
      case ("indexed", 6):
        return Int64(message.text(5)).map { modified in
          .indexed(program: text(3), device: text(4), modified: modified)
        }
      default: return nil
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      switch message.fields.count {
      case 5, 6, 7:
        guard let content = Self.content(message) else { return nil }
        self = .desktop(
          DesktopRecord(
            database: message.fields[0], path: message.fields[1], content: content))
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

  /// The word that follows the kind of a question for what the desktop has recorded, too.
  private static let desktop = "desktop"

  /// The question for the downloads that may be those of files; `nil` for all.
  ///
  /// - Parameter wantsDesktop: whether it is also one for what the desktop has recorded of the files.
  package static func question(
    _ files: [DownloadedFile]?, wantsDesktop: Bool = false
  ) -> CompanionMessage {
    let option = Array((wantsDesktop ? desktop : "").utf8)
    guard let files else { return CompanionMessage([Array("all".utf8), option]) }
    return CompanionMessage(
      [Array("files".utf8), option]
        + files.flatMap { [$0.path, Array("\($0.size)".utf8), Array("\($0.modified)".utf8)] })
  }

  /// The files of a question, `nil` for all, and whether the desktop's records are wanted; no value at all
  /// for what is no question.
  package static func wanted(
    _ question: CompanionMessage
  ) -> (files: [DownloadedFile]?, desktop: Bool)? {
    let count = question.fields.count
    guard count > 1, ["", desktop].contains(question.text(1)) else { return nil }
    let wantsDesktop = !question.fields[1].isEmpty
    switch question.text(0) {
    case "all": return count == 2 ? (nil, wantsDesktop) : nil
    case "files" where count % 3 == 2 && count / 3 <= fileLimit:
      let files = stride(from: 2, to: count, by: 3).compactMap { start -> DownloadedFile? in
        guard let size = Int64(question.text(start + 1)),
          let modified = Double(question.text(start + 2)), modified.isFinite
        else { return nil }
        return DownloadedFile(path: question.fields[start], size: size, modified: modified)
      }
      return files.count == count / 3 ? (files, wantsDesktop) : nil
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
