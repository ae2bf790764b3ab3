package import TextFormats

/// How docsource asks docsource-share for the kinds of files: messages with a path each are answered
/// one after the other.
package enum TypeProtocol {
  package enum Answer: Hashable, Sendable {
    /// - Parameter nameType: the MIME type by the name alone; empty if the file is empty, and GIO
    ///   took its type from that.
    case type(String, nameType: String, MIMEClasses)
    case failed(String)

    package var message: CompanionMessage {
      switch self {
      case .type(let type, let nameType, let classes):
        CompanionMessage("type", type, nameType, "\(classes.rawValue)")
      case .failed(let reason): CompanionMessage("failed", reason)
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      switch (message.fields.isEmpty ? "" : message.text(0), message.fields.count) {
      case ("type", 4):
        guard let classes = UInt8(message.text(3)) else { return nil }
        self = .type(
          message.text(1), nameType: message.text(2), MIMEClasses(rawValue: classes))
      case ("failed", 2): self = .failed(message.text(1))
      default: return nil
      }
    }
  }

  /// More bytes than a path has, or an answer.
  package static let messageLimit = 1 << 20

  /// The question for a file.
  package static func question(_ path: [UInt8]) -> CompanionMessage { CompanionMessage([path]) }

  /// The path of a question; `nil` for what is none.
  package static func path(_ question: CompanionMessage) -> [UInt8]? {
    question.fields.count == 1 ? question.fields[0] : nil
  }

  /// What docsource-share is called with.
  package static func verb(follows: Bool) -> String { follows ? "types" : "link-types" }

  /// Whether links are followed; `nil` for an unknown verb.
  package static func follows(_ verb: String) -> Bool? {
    switch verb {
    case "types": true
    case "link-types": false
    default: nil
    }
  }
}
