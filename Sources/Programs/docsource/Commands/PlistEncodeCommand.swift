import BinaryPropertyList
import CommandLineInterface
import Glibc
import LinuxSystem
import PropertyListText
import TextFormats

/// `docsource plist encode`: a binary property list from JSON, XML or another binary one.
enum PlistEncodeCommand: Command {
  private static let from = OptionDeclaration(
    "from", value: "FORMAT", choices: ["json", "xml", "binary"],
    help: "the input's format, otherwise told by its first bytes")
  private static let canonical = OptionDeclaration(
    "canonical", help: "sort keys by their UTF-8 bytes")
  private static let output = OptionDeclaration(
    "output", short: "o", value: "FILE", help: "write to FILE, or - for standard output")

  static let verb = "encode"
  static let declaration = CommandDeclaration(
    name: "plist encode", summary: "make a binary property list from JSON or XML",
    operands: "[FILE]",
    details: [
      """
      Without FILE, or where it is -, standard input is read. Keys keep their order unless \
      --canonical is given; the same list always gives the same bytes. For types that JSON lacks \
      see 'docsource help plist show'.
      """
    ],
    options: [from, canonical, output],
    examples: [
      "docsource plist encode -o a.plist a.json",
      "docsource show --xml notes.txt | docsource plist encode -o source.plist",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let inputs = InputFile.named(arguments.operands)
    guard inputs.count == 1, let input = inputs.first else {
      throw UsageError("one file at a time")
    }
    let format = try arguments.choice(from)
    let standardOutput = [UInt8(ascii: "-")]
    let target = arguments.bytes(output) ?? standardOutput
    let isStandardOutput = target == standardOutput
    if console.output.isTerminal, isStandardOutput, !arguments.has(output) {
      throw UsageError("a binary property list on a terminal is of no use; give -o FILE, or -o -")
    }
    guard let bytes = input.read(console),
      let value = value(of: bytes, format ?? guess(bytes), input, console)
    else { return .failed }
    let options = EncodingOptions(keyOrder: arguments.has(canonical) ? .sorted : .insertion)
    let encoded: [UInt8]
    do throws(EncodingFailure) {
      encoded = try value.binary(options: options)
    } catch {
      console.report(input.name, "cannot encode: \(error)")
      return .failed
    }
    guard !isStandardOutput, let path = FilePath(bytes: target) else {
      console.output.write(encoded)
      return .done
    }
    do throws(OutputFile.Failure) {
      try OutputFile(path).replace(with: encoded)
      return .done
    } catch {
      console.report(target[...], "cannot write: \(error.reason)")
      return .failed
    }
  }

  private static func guess(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: "bplist".utf8) { return "binary" }
    for utf16 in [[0xff, 0xfe], [0xfe, 0xff], [0x3c, 0x00], [0x00, 0x3c]] as [[UInt8]]
    where bytes.starts(with: utf16) {
      return "xml"
    }
    let text = bytes.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    return text.first == UInt8(ascii: "<") ? "xml" : "json"
  }

  private static func value(
    of bytes: [UInt8], _ format: String, _ input: InputFile, _ console: Console
  ) -> PropertyList? {
    do {
      switch format {
      case "binary": return try PropertyList(binary: bytes)
      case "json": return try JSONPropertyListReader.read(bytes)
      default:
        let program = CompanionProgram("docsource-xml")
        let ending = try program.start(
          [Array("property-list".utf8), Array(input.name)], input: bytes
        ).wait()
        // Where it failed, the program has said what is wrong.
        return ending.status == .done ? try PropertyList(binary: ending.output) : nil
      }
    } catch {
      let words = EscapedText("\(error)")
      console.report(input.name, "cannot read as \(format): \(words)")
      return nil
    }
  }
}

extension PlistEncodeCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        XML property lists are read by the program docsource-xml. XML has no form for null, sets \
        and most control characters, and keeps neither the width of reals nor fractions of \
        seconds; a dictionary with CF$UID alone is a UID there. In JSON, what it lacks is tagged: \
        see docsource-plist-show(1).
        """
      ],
      exitStatus: [
        .noSource: "", .failed: "The input cannot be read or encoded.",
      ])
  }
}
