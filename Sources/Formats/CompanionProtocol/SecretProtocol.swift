/// How docsource asks docsource-share for secrets: a message with the secret to store, empty for the
/// other verbs, is answered by one. No secret is written to a file.
package enum SecretProtocol {
  package enum Verb: String, CaseIterable {
    case store = "store-secret"
    case lookup = "secret"
    case remove = "remove-secret"
  }

  package enum Answer: Hashable, Sendable {
    /// The secret that was asked for; empty for other verbs.
    case done([UInt8])
    case none
    /// In words that stand alone.
    case failed(String)

    package var message: CompanionMessage {
      switch self {
      case .done(let secret): CompanionMessage([Array("done".utf8), secret])
      case .none: CompanionMessage("none")
      case .failed(let reason): CompanionMessage("failed", reason)
      }
    }

    /// `nil` for what is no answer.
    package init?(_ message: CompanionMessage) {
      switch (message.fields.isEmpty ? "" : message.text(0), message.fields.count) {
      case ("done", 2): self = .done(message.fields[1])
      case ("none", 1): self = .none
      case ("failed", 2): self = .failed(message.text(1))
      default: return nil
      }
    }
  }

  /// More bytes than any password or token has.
  package static let limit = 1 << 20
  /// Of a message with a secret, and a word.
  package static let messageLimit = limit + 64

  package static let excess = "the secret is larger than \(limit >> 20) MiB"
}
