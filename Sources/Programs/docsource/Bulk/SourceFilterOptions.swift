import CommandLineInterface
import DocumentSource

/// The options that a `SourceFilter` is given by.
///
/// Where `--identifier` and its like set values, those of the filter are called `--if-identifier`.
struct SourceFilterOptions: Sendable {
  let identifier: OptionDeclaration
  let name: OptionDeclaration
  let path: OptionDeclaration

  static let untagged = OptionDeclaration("untagged", help: "those without a source")
  static let damaged = OptionDeclaration("damaged", help: "those whose attribute cannot be read")
  static let file = OptionDeclaration(
    "file", value: "GLOB", repeats: true, help: "those whose own name matches")
  static let ignoresCase = OptionDeclaration(
    "ignore-case", short: "I", help: "let letters match in either case")

  /// Of a verb that sets no values.
  static let plain = SourceFilterOptions(
    identifier: OptionDeclaration(
      "identifier", short: "i", value: "GLOB", kind: .identifier, repeats: true,
      help: "those whose application's identifier matches"),
    name: OptionDeclaration(
      "name", value: "GLOB", repeats: true, help: "those whose application's name matches"),
    path: OptionDeclaration(
      "path", short: "p", value: "GLOB", repeats: true,
      help: "those whose path in the application matches"))

  /// Of a verb that sets them.
  static let conditional = SourceFilterOptions(
    identifier: OptionDeclaration(
      "if-identifier", value: "GLOB", kind: .identifier, repeats: true,
      help: "only where the identifier matches now"),
    name: OptionDeclaration(
      "if-name", value: "GLOB", repeats: true, help: "only where the name matches now"),
    path: OptionDeclaration(
      "if-path", value: "GLOB", repeats: true, help: "only where the path matches now"))

  /// The options by the fields that they look at.
  var fields: [(field: DocumentSource.Field, option: OptionDeclaration)] {
    [(.identifier, identifier), (.name, name), (.path, path)]
  }
}
