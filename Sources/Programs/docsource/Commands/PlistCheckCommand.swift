import BinaryPropertyList
import CommandLineInterface

/// `docsource plist check`: whether files are well-formed binary property lists.
enum PlistCheckCommand: Command {
  private static let canonical = OptionDeclaration(
    "canonical", help: "also that they are as 'plist encode --canonical' writes them")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "say nothing of files that are well-formed")

  static let verb = "check"
  static let declaration = CommandDeclaration(
    name: "plist check", summary: "check that files are well-formed binary property lists",
    operands: "[FILE...]",
    details: ["Without FILE, or where it is -, standard input is read."],
    options: [canonical, quiet, BinaryInput.trailingNUL],
    examples: ["docsource plist check *.plist", "docsource plist check --canonical a.plist"])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let options = BinaryInput.options(arguments)
    var status = ExitStatus.done
    for input in InputFile.named(arguments.operands) {
      guard let bytes = input.read(console) else {
        status = .failed
        continue
      }
      do {
        let table = try ObjectTable(bytes, options: options)
        if arguments.has(canonical) {
          let value = try PropertyList(binary: bytes, options: options)
          guard try value.binary(options: EncodingOptions(keyOrder: .sorted)) == bytes else {
            console.report(input.name, "not canonical; 'docsource plist encode --canonical' is")
            status = .failed
            continue
          }
        }
        guard !arguments.has(quiet) else { continue }
        let objects = table.count == 1 ? "1 object" : "\(table.count) objects"
        console.output.writeLine("\(input): well-formed, \(bytes.count) bytes, \(objects)")
      } catch let failure as DecodingFailure {
        console.report(input.name, "not a well-formed binary property list: \(failure)")
        status = .failed
      } catch {
        console.report(input.name, "cannot be checked: \(error)")
        status = .failed
      }
    }
    return status
  }
}
