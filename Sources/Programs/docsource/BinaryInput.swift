import BinaryPropertyList
import CommandLineInterface

/// Binary property lists that the user names.
enum BinaryInput {
  static let trailingNUL = OptionDeclaration(
    "trailing-nul", help: "accept one NUL behind the list, as Samba adds it")

  static func options(_ arguments: ParsedArguments) -> DecodingOptions {
    var options = DecodingOptions()
    options.toleratesTrailingNUL = arguments.has(trailingNUL)
    return options
  }

  /// Reads a list whole; `nil` after saying why it cannot be read.
  static func value(
    of input: InputFile, _ options: DecodingOptions, _ console: Console
  ) -> PropertyList? {
    guard let bytes = input.read(console) else { return nil }
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: options)
    } catch {
      console.report(input.name, "cannot read binary property list: \(error)")
      return nil
    }
  }
}
