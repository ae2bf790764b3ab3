import Applications
import CommandLineInterface
import TextFormats

/// A word of the command line that means an application: an identifier or a name.
struct ApplicationWord {
  /// No application is meant, or several are; in words that stand alone.
  struct Failure: Error {
    let reason: String
  }

  private let text: String

  /// - Throws: `UsageError` where the bytes are not UTF-8, or none.
  init(_ bytes: [UInt8]) throws(UsageError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("'\(EscapedText(bytes))' is not UTF-8")
    }
    guard !text.isEmpty else { throw UsageError("an application's identifier is not empty") }
    self.text = text
  }

  func application(among known: KnownApplications) throws(Failure) -> KnownApplication {
    let shown = EscapedText(text)
    switch known.match(text) {
    case .one(let application): return application
    case .several(let identifiers):
      let list = identifiers.map { "'\(EscapedText($0))'" }.joined(separator: ", ")
      throw Failure(reason: "several applications are called '\(shown)': \(list)")
    case .none:
      let hint = Self.nearest(to: text, among: known.all())
      throw Failure(
        reason: "no application '\(shown)' is known"
          + (hint.map { "; did you mean '\(EscapedText($0))'?" } ?? ""))
    }
  }

  /// The identifier of the application that a mistyped word meant.
  static func nearest(to word: String, among all: [KnownApplication]) -> String? {
    var meant: [String: String] = [:]
    for one in all {
      // A person remembers the last part of an identifier.
      let last = one.identifier.split(separator: ".").last.map(String.init)
      for alias in [one.identifier, last].compactMap(\.self) + one.names {
        let alias = alias.lowercased()
        if meant[alias] == nil { meant[alias] = one.identifier }
      }
    }
    return Spelling.nearest(to: word.lowercased(), among: meant.keys.sorted())
      .flatMap { meant[$0] }
  }
}
