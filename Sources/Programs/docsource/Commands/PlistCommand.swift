import BinaryPropertyList
import CommandLineInterface
import Glibc
import LinuxSystem
import PropertyListText
import TextFormats
import Xattr

/// `docsource plist`: shows, encodes and checks binary property lists in any file.
enum PlistCommand: Command {
  static let verb = "plist"
  static var members: [any Command.Type] {
    [PlistShowCommand.self, PlistEncodeCommand.self, PlistCheckCommand.self]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "show, encode and check binary property lists", operands: "[FILE...]",
    members: members.map { $0.declaration },
    examples: [
      "docsource plist show Info.plist", "docsource plist encode --canonical -o a.plist a.json",
    ],
    manual: manual)

  private static let manual = ManualText(
    """
    A binary property list is the format of Apple's that begins with bplist00. The value of the
    attribute user.x-document-source is one, but any other will do.
    """,
    exitStatus: [.noSource: ""], seeAlso: ["plistutil(1)"])
}

/// `docsource plist show`: prints binary property lists as a tree, JSON or XML.
enum PlistShowCommand: Command {
  private static let json = OptionDeclaration("json", help: "a line of JSON for each list")
  private static let xml = OptionDeclaration("xml", help: "an XML property list; one file")
  private static let limit = WorkLimit.option("write at most SIZE of each list")

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "plist show", summary: "print what is in binary property lists", operands: "[FILE...]",
    details: """
      Without FILE, or where it is -, standard input is read. In JSON, what JSON has no form for is
      tagged: {"$data":"AQI="}, {"$date":"2001-01-01T00:00:00Z"}, {"$uid":1}, {"$set":[]},
      {"$float":1.5}, {"$real":"nan"}, {"$integer":"..."}; 'plist encode' reads it back exactly, but
      for keys with U+0000, which it refuses.
      """,
    options: [json, xml, limit, BinaryInput.trailingNUL],
    examples: [
      "docsource plist show Info.plist",
      "docsource show --raw notes.txt | docsource plist show --json --trailing-nul",
    ],
    manual: manual)

  private static let manual = ManualText(
    """
    A list can refer to the same value from many places, and it is written at each of them: 5 KB
    that a stranger made become 500 MB. So at most 256 MiB are written of each list, in at most 10
    seconds of processor time. JSON and the tree break off there; XML that would be longer is not
    begun. A list of more than a million values beside one for each of its bytes is not begun
    either, unless --limit=none lifts all limits.

    \(WorkLimit.manual)
    """,
    exitStatus: [
      .noSource: "",
      .failed: "A list cannot be read, or is not written to its end. The rest is done.",
    ])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let inputs = InputFile.named(arguments.operands)
    if arguments.has(json) && arguments.has(xml) {
      throw UsageError("--json and --xml exclude each other")
    }
    if arguments.has(xml) && inputs.count > 1 { throw UsageError("--xml takes one file") }
    let limit = try WorkLimit.given(by: limit, in: arguments)
    var options = BinaryInput.options(arguments)
    if limit == .none { options.expansionLimit = .max }

    var status = ExitStatus.done
    for input in inputs {
      guard let value = BinaryInput.value(of: input, options, console) else {
        status = .failed
        continue
      }
      do throws(WritingFailure) {
        if arguments.has(json) {
          // Also behind a part of a list, so that the next one begins a line.
          defer { console.output.writeLine("") }
          try JSONPropertyListWriter.write(value, within: limit) { console.output.write($0) }
        } else if arguments.has(xml) {
          try XMLPropertyListWriter.write(value, within: limit) { console.output.write($0) }
        } else {
          if inputs.count > 1 { console.output.writeLine("\(input):") }
          try TreeText.write(value, within: limit) { console.output.write($0) }
        }
      } catch {
        report(error, of: input, console)
        status = .failed
      }
    }
    return status
  }

  private static func report(
    _ failure: WritingFailure, of input: InputFile, _ console: Console
  ) {
    switch failure {
    case .unrepresentable:
      console.report(input.name, "cannot write as XML: \(failure); --json can")
    case .excess(let excess):
      console.report(input.name, "cannot write all of it: \(excess)\(excess.remedy)")
    }
  }
}

/// `docsource plist encode`: makes a binary property list of JSON, XML or another binary one.
enum PlistEncodeCommand: Command {
  private static let from = OptionDeclaration(
    "from", value: "FORMAT", choices: ["json", "xml", "binary"],
    help: "the input's format, otherwise told by its first bytes")
  private static let canonical = OptionDeclaration(
    "canonical", help: "sort keys by their UTF-8 bytes")

  static let verb = "encode"
  static let declaration = CommandDeclaration(
    name: "plist encode", summary: "make a binary property list from JSON or XML",
    operands: "[FILE]",
    details: """
      Without FILE, or where it is -, standard input is read. Keys keep their order unless
      --canonical is given; the same list always gives the same bytes. For types that JSON lacks see
      'docsource help plist show'.
      """,
    options: [from, canonical, OutputFile.option],
    examples: [
      "docsource plist encode -o a.plist a.json",
      "docsource show --xml notes.txt | docsource plist encode -o source.plist",
    ],
    manual: manual)

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let inputs = InputFile.named(arguments.operands)
    guard inputs.count == 1, let input = inputs.first else {
      throw UsageError("one file at a time")
    }
    let format = try arguments.choice(from)
    if console.output.isTerminal, !arguments.has(OutputFile.option) {
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
    return OutputFile.write(encoded, to: arguments.bytes(OutputFile.option), console)
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
        let ending = try CompanionProgram.xml.start(
          [Array("property-list".utf8), Array(input.name)], input: bytes
        ).wait()
        // A failing docsource-xml has told the reason.
        console.passOn(ending.errors)
        return ending.status == .done ? try PropertyList(binary: ending.output) : nil
      }
    } catch {
      let words = EscapedText("\(error)")
      console.report(input.name, "cannot read as \(format): \(words)")
      return nil
    }
  }

  private static let manual = ManualText(
    """
    XML property lists are read by the program docsource-xml, which gives up all its rights before
    it reads one, and takes UTF-8, UTF-16, ISO-8859-1 and ASCII. XML has no form for null, sets and
    most control characters, and keeps neither the width of reals nor fractions of seconds; a
    dictionary with CF$UID alone is a UID there. In JSON, what it lacks is tagged: see
    docsource-plist-show(1).
    """,
    exitStatus: [
      .noSource: "", .failed: "The input cannot be read or encoded.",
    ])
}

/// `docsource plist check`: checks that files are well-formed binary property lists.
enum PlistCheckCommand: Command {
  private static let canonical = OptionDeclaration(
    "canonical", help: "also that they are as 'plist encode --canonical' writes them")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "say nothing of files that are well-formed")

  static let verb = "check"
  static let declaration = CommandDeclaration(
    name: "plist check", summary: "check that files are well-formed binary property lists",
    operands: "[FILE...]",
    details: "Without FILE, or where it is -, standard input is read.",
    options: [canonical, quiet, BinaryInput.trailingNUL],
    examples: ["docsource plist check *.plist", "docsource plist check --canonical a.plist"])

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
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
      } catch let failure as DecodingFailure where failure.reason != .expansion {
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

/// How `show` and `check` read binary property lists.
private enum BinaryInput {
  static let trailingNUL = OptionDeclaration(
    "trailing-nul", help: "accept one NUL behind the list, as Samba adds it")

  static func options(_ arguments: Arguments) -> DecodingOptions {
    var options = DecodingOptions()
    options.toleratesTrailingNUL = arguments.has(trailingNUL)
    return options
  }

  /// Reads and decodes a list; `nil` after reporting why that failed.
  static func value(
    of input: InputFile, _ options: DecodingOptions, _ console: Console
  ) -> PropertyList? {
    guard let bytes = input.read(console) else { return nil }
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: options)
    } catch {
      let remedy = error.reason == .expansion ? "; --limit=none allows more" : ""
      console.report(input.name, "cannot read binary property list: \(error)\(remedy)")
      return nil
    }
  }
}
