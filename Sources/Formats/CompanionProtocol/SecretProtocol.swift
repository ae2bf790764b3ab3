internal import Glibc
package import LinuxSystem

/// How docsource asks docsource-share for secrets: the secret to store, until the socket is shut for
/// writing, is answered by a letter and what belongs to it. No secret is written to a file.
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

    package var bytes: [UInt8] {
      switch self {
      case .done(let secret): [UInt8(ascii: "d")] + secret
      case .none: [UInt8(ascii: "n")]
      case .failed(let reason): [UInt8(ascii: "f")] + reason.utf8
      }
    }

    /// `nil` for what is no answer: the program has ended before it gave one.
    package init?(_ bytes: [UInt8]) {
      let rest = Array(bytes.dropFirst())
      switch bytes.first {
      case UInt8(ascii: "d"): self = .done(rest)
      case UInt8(ascii: "n"): self = .none
      case UInt8(ascii: "f"): self = .failed(String(decoding: rest, as: UTF8.self))
      default: return nil
      }
    }
  }

  /// More bytes than any password or token has.
  package static let limit = 1 << 20

  /// Reads what the other side sends, to its end; `nil` where that is too much.
  package static func receive(from socket: CInt) throws(Errno) -> [UInt8]? {
    try Descriptor.read(socket, limit: limit + 1)
  }
}
