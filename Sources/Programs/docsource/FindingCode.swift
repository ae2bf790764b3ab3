import ActivationRule
import CommandLineInterface
import Handoff
import ShareItem
import TextFormats

/// A kind of finding of `rule lint`, `link check` and `intent lint`.
protocol FindingCode: RawRepresentable<String> {
  associatedtype Severity: RawRepresentable<String>

  var severity: Severity { get }
  /// What is found, in words for any place.
  var meaning: String { get }
}

extension FindingCode {
  /// The members of JSON that all findings have.
  ///
  /// - Parameters:
  ///   - place: what else is to be known, as where it is.
  ///   - message: what is found there, in words.
  func fields(_ place: JSONFields, message: String? = nil) -> JSONFields {
    ["code": .text(rawValue), "severity": .text(severity.rawValue)] + place
      + ["message": .text(message ?? meaning)]
  }
}

extension IntentFinding.Code: FindingCode {}
extension LinkFinding.Code: FindingCode {}
extension RuleFinding.Code: FindingCode {}
