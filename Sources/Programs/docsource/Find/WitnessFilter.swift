import CommandLineInterface
import DocumentSource
import LinuxSystem
import Witness

/// Which files' document sources agree with who was seen writing the files: `--verify` of `find`.
struct WitnessFilter: Sendable {
  static let option = OptionDeclaration(
    "verify", value: "VERDICT", choices: Witness.Verdict.allCases.map(\.rawValue),
    help: "select by 'show --verify'")

  private let verdict: Witness.Verdict

  /// - Returns: `nil` without the option.
  init?(_ arguments: Arguments) throws(UsageError) {
    guard let verdict = try arguments.choice(Self.option).flatMap({ Witness.Verdict(rawValue: $0) })
    else { return nil }
    self.verdict = verdict
  }

  /// Whether a file has a document source with the verdict that is wanted.
  func accepts(_ file: FileReference) throws(DocumentSourceError) -> Bool {
    let attribute = DocumentSourceAttribute(of: file)
    guard case .source(let source, _) = try attribute.read().content,
      let verification = try? Verification(source, of: file)
    else { return false }
    return verification.verdict == verdict
  }
}
