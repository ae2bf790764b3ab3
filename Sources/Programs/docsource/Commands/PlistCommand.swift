import BinaryPropertyList
import CommandLineInterface
import Glibc
import JSONPropertyList
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
    manual: ManualText(Manual.plist))
}

/// `docsource plist show`: prints binary property lists as a tree, JSON or XML.
enum PlistShowCommand: Command {
  private static let json = OptionDeclaration("json", help: "print one line of JSON per list")
  private static let xml = OptionDeclaration(
    "xml", help: "print an XML property list; takes one file")
  private static let limit = WorkLimit.option("write at most SIZE of each list")

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: "plist show", summary: "print the contents of binary property lists",
    operands: "[FILE...]",
    details: """
      Without FILE, or if FILE is -, standard input is read. In JSON, values that JSON cannot
      express are tagged: {"$data":"AQI="}, {"$date":"2001-01-01T00:00:00Z"}, {"$uid":1},
      {"$set":[]}, {"$float":1.5}, {"$real":"nan"}, {"$integer":"..."}; 'plist encode' reads them
      back exactly, except for keys with U+0000, which it refuses.
      """,
    options: [json, xml, limit, BinaryInput.trailingNUL, FileList.option],
    examples: [
      "docsource plist show Info.plist",
      "docsource show --raw notes.txt | docsource plist show --json --trailing-nul",
    ],
    manual: ManualText(Manual.plistShow))

  static let readsStandardInput = true

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let inputs = InputFile.named(arguments.operands)
    if arguments.has(json) && arguments.has(xml) {
      throw UsageError("--json and --xml cannot be combined")
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
          // Also after a part of a list, so that the next one begins a line.
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
      console.report(input.name, "cannot write as XML: \(failure); use --json")
    case .excess(let excess):
      console.report(input.name, "cannot write the whole list: \(excess)\(excess.remedy)")
    }
  }
}

/// `docsource plist encode`: makes a binary property list of JSON, XML or another binary one.
enum PlistEncodeCommand: Command {
  private static let from = OptionDeclaration(
    "from", value: "FORMAT", choices: ["json", "xml", "binary"],
    help: "set the input format (default: detect)")
  private static let canonical = OptionDeclaration(
    "canonical", help: "sort keys by their UTF-8 bytes")

  static let verb = "encode"
  static let declaration = CommandDeclaration(
    name: "plist encode", summary: "convert JSON or XML to a binary property list",
    operands: "[FILE]",
    details: """
      Without FILE, or if FILE is -, standard input is read. The format is detected from the first
      bytes. Keys keep their order unless --canonical is given; the same list always gives the same
      bytes. For types that JSON lacks, see 'docsource help plist show'.
      """,
    options: [from, canonical, OutputFile.option],
    examples: [
      "docsource plist encode -o a.plist a.json",
      "docsource show --xml notes.txt | docsource plist encode -o source.plist",
    ],
    manual: ManualText(Manual.plistEncode))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let inputs = InputFile.named(arguments.operands)
    guard inputs.count == 1, let input = inputs.first else {
      throw UsageError("give only one file")
    }
    let form = try arguments.choice(from).flatMap { PropertyListForm(rawValue: $0) }
    if console.output.isTerminal, !arguments.has(OutputFile.option) {
      throw UsageError("cannot write a binary property list to a terminal; use -o FILE or -o -")
    }
    guard let bytes = input.read(console),
      let value = (form ?? PropertyListForm(of: bytes)).value(of: bytes, input.name, console)
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
}

/// `docsource plist check`: checks that files are well-formed binary property lists.
enum PlistCheckCommand: Command {
  private static let canonical = OptionDeclaration(
    "canonical", help: "require the form of 'plist encode --canonical'")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "do not report well-formed files")

  static let verb = "check"
  static let declaration = CommandDeclaration(
    name: "plist check", summary: "check that files are well-formed binary property lists",
    operands: "[FILE...]",
    details: """
      Without FILE, or if FILE is -, standard input is read. Flaws that other programs and 'plist
      show' accept are failures too.
      """,
    options: [canonical, quiet, BinaryInput.trailingNUL, FileList.option],
    examples: ["docsource plist check *.plist", "docsource plist check --canonical a.plist"],
    manual: ManualText(Manual.plistCheck))

  static let readsStandardInput = true

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
            console.report(input.name, "not canonical; use 'docsource plist encode --canonical'")
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
        console.report(input.name, "cannot check: \(error)")
        status = .failed
      }
    }
    return status
  }
}

/// How `show` and `check` read binary property lists.
private enum BinaryInput {
  static let trailingNUL = OptionDeclaration(
    "trailing-nul", help: "accept one NUL after the list, as Samba adds")

  static func options(_ arguments: Arguments) -> DecodingOptions {
    var options = DecodingOptions()
    options.toleratesTrailingNUL = arguments.has(trailingNUL)
    return options
  }

  /// The memory of a list of short words, its values and its text, in sizes of the file.
  private static let expectedGrowth = 10

  /// Reads and decodes a list, and reports what is wrong with it; `nil` if it cannot be read.
  ///
  /// What other readers pass over is reported, and read.
  static func value(
    of input: InputFile, _ options: DecodingOptions, _ console: Console
  ) -> PropertyList? {
    guard let bytes = input.read(console, growth: expectedGrowth) else { return nil }
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: options)
    } catch {
      var lenient = DecodingOptions.lenient
      lenient.toleratesTrailingNUL = options.toleratesTrailingNUL
      lenient.expansionLimit = options.expansionLimit
      if let value = try? PropertyList(binary: bytes, options: lenient) {
        console.report(
          input.name,
          "not a well-formed binary property list: \(error); reading it as other programs do")
        return value
      }
      let remedy = error.reason == .expansion ? "; use --limit=none to allow more" : ""
      console.report(input.name, "cannot read binary property list: \(error)\(remedy)")
      return nil
    }
  }
}
