import BinaryPropertyList
import CommandLineInterface
import LinuxSystem
import PropertyListText
import TextFormats
import Xattr

/// `docsource plist show`: a binary property list as a tree, JSON or XML.
enum PlistShowCommand: Command {
  private static let json = OptionDeclaration("json", help: "a line of JSON for each list")
  private static let xml = OptionDeclaration("xml", help: "an XML property list; one file")

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "plist show", summary: "print what is in binary property lists", operands: "[FILE...]",
    details: [
      """
      Without FILE, or where it is -, standard input is read. In JSON, what JSON has no form for is \
      tagged: {"$data":"AQI="}, {"$date":"2001-01-01T00:00:00Z"}, {"$uid":1}, {"$set":[]}, \
      {"$float":1.5}, {"$real":"nan"}, {"$integer":"..."}; 'plist encode' reads it back exactly.
      """
    ],
    options: [json, xml, BinaryInput.trailingNUL],
    examples: [
      "docsource plist show Info.plist",
      "docsource show --raw notes.txt | docsource plist show --json --trailing-nul",
    ])

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let inputs = InputFile.named(arguments.operands)
    if arguments.has(json) && arguments.has(xml) {
      throw UsageError("--json and --xml exclude each other")
    }
    if arguments.has(xml) && inputs.count > 1 { throw UsageError("--xml takes one file") }
    let options = BinaryInput.options(arguments)

    var status = ExitStatus.done
    for input in inputs {
      guard let value = BinaryInput.value(of: input, options, console) else {
        status = .failed
        continue
      }
      if arguments.has(json) {
        JSONPropertyListWriter.write(value) { console.output.write($0) }
        console.output.writeLine("")
      } else if arguments.has(xml) {
        status = status.combined(with: writeXML(value, of: input, console))
      } else {
        if inputs.count > 1 { console.output.writeLine("\(input):") }
        TreeText.write(value) { console.output.writeLine($0) }
      }
    }
    return status
  }

  private static func writeXML(
    _ value: PropertyList, of input: InputFile, _ console: Console
  ) -> ExitStatus {
    do throws(Unrepresentable) {
      try XMLPropertyListWriter.write(value) { console.output.write($0) }
      return .done
    } catch {
      console.report(input.name, "cannot write as XML: \(error.reason); --json can")
      return .failed
    }
  }
}
