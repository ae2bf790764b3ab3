package import ForeignFormats
internal import Glibc
package import LinuxSystem

/// How docsource asks docsource-content what programs have written into files: over a `FileChannel`, one
/// open file after the other, each with its answer.
package enum ContentProtocol {
  package enum Answer: Hashable, Sendable {
    /// Nothing that names a program or a device.
    case none
    case origin(EmbeddedOrigin)
    /// Why it is not known; lasting if it will not be of any other file either.
    case failed(String, isLasting: Bool)

    package var message: CompanionMessage {
      switch self {
      case .none: return CompanionMessage("none")
      case .failed(let reason, let isLasting):
        return CompanionMessage("failed", reason, isLasting ? "lasting" : "")
      case .origin(let origin):
        let steps = origin.history.flatMap { step in
          [
            step.program ?? "", step.action ?? "", step.time ?? "",
            step.isCredential ? "credential" : "",
          ]
        }
        let words = ["origin", origin.tag, origin.program?.words ?? "", origin.device ?? ""]
        return CompanionMessage((words + steps).map { Array($0.utf8) })
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      let words = message.fields.indices.map { message.text($0) }
      func text(_ index: Int) -> String? { words[index].isEmpty ? nil : words[index] }
      switch (words.first, words.count) {
      case ("none", 1): self = .none
      case ("failed", 3): self = .failed(words[1], isLasting: !words[2].isEmpty)
      case ("origin", 4...) where words.count % 4 == 0:
        let steps = stride(from: 4, to: words.count, by: 4).map { start in
          EmbeddedOrigin.Step(
            program: text(start), action: text(start + 1), time: text(start + 2),
            isCredential: text(start + 3) != nil)
        }
        self = .origin(
          EmbeddedOrigin(tag: words[1], program: text(2), device: text(3), history: steps))
      default: return nil
      }
    }
  }

  /// How long a file is read, in milliseconds, the start of exiftool included.
  package static let milliseconds = 5000
  /// When there is no answer any more, in milliseconds: the program asks exiftool a second time where that
  /// has ended.
  package static let limit = 2 * milliseconds + 1000

  /// Asks about an open file.
  ///
  /// - Parameter limit: how long an answer is waited for, in milliseconds.
  /// - Returns: `nil` if the program has ended without an answer, or gives none in time.
  package static func answer(
    about file: CInt, over channel: FileChannel, within limit: Int = limit
  ) -> Answer? {
    guard (try? channel.send([1], [file], waits: true)) != nil else { return nil }
    let end = Clock.milliseconds + limit
    while true {
      var answer = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
      let rest = end - Clock.milliseconds
      guard rest > 0 else { return nil }
      let count = unsafe poll(&answer, 1, CInt(rest))
      if count < 0, errno == EINTR { continue }
      guard count > 0, case .packet(let packet) = channel.receive() else { return nil }
      for file in packet.files { close(file) }
      let messages = try? CompanionMessage.all(in: Array(packet.bytes))
      return messages?.count == 1 ? messages?.first.flatMap(Answer.init) : nil
    }
  }
}
