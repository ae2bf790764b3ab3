import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats

/// `docsource show`: reads the attribute.
enum ShowCommand: Command {
  private static let json = OptionDeclaration(
    "json", help: "one JSON object a line; exact, for programs")
  private static let field = OptionDeclaration(
    "field", short: "f", value: "NAME", choices: DocumentSource.Field.allCases.map(\.key),
    help: "one value alone")
  private static let xml = OptionDeclaration("xml", help: "the whole value as an XML property list")
  private static let raw = OptionDeclaration("raw", help: "the attribute's bytes as they are")
  private static let null = OptionDeclaration(
    "null", short: "0", help: "end each line with NUL and escape nothing")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "print nothing; the exit status tells")

  static let verb = "show"
  static let declaration = CommandDeclaration(
    name: verb, summary: "read which application a file came from", operands: "FILE...",
    details: [
      """
      One file is shown as a block, several are shown a line each. With --recursive, files without \
      a source are passed over in silence.
      """
    ],
    options: [
      json, field, xml, raw, null, Operands.recursive, Operands.noDereference, quiet,
    ],
    examples: [
      "docsource show notes.txt",
      "docsource show --field identifier -0 *.txt | sort -zu",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let operands = try Operands(arguments)
    let format = try format(arguments, operands)
    var shown = 0
    let status = operands.forEach(console) { operand in
      let status = show(operand, format, console)
      if status == .done { shown += 1 }
      return status == .noSource && operand.mayLackSource ? .done : status
    }
    return status == .done && shown == 0 ? .noSource : status
  }

  private static func format(
    _ arguments: ParsedArguments, _ operands: Operands
  ) throws(UsageError) -> ShowFormat {
    let chosen = [json, field, xml, raw, quiet].filter(arguments.has)
    guard chosen.count <= 1 else {
      let names = chosen.map { "--" + $0.long }.joined(separator: " and ")
      throw UsageError("\(names) exclude each other")
    }
    let end = arguments.has(null) ? UInt8(0) : UInt8(ascii: "\n")
    switch chosen.first {
    case json: return .json(end: end)
    case field:
      // The key may be spelled like the option that sets it, as GNU tools have it.
      let name = try arguments.text(field) == appInfoOption ? "appInfoURL" : arguments.choice(field)
      return .field(name.flatMap(DocumentSource.Field.init) ?? .identifier, end: end)
    case xml, raw:
      guard !operands.areSeveral else { throw UsageError("--xml and --raw take one file") }
      return chosen.first == xml ? .xml : .raw
    case quiet: return .nothing
    default: return operands.areSeveral || end == 0 ? .lines(end: end) : .block
    }
  }

  private static let appInfoOption = "app-info-url"

  private static func show(
    _ operand: Operands.Operand, _ format: ShowFormat, _ console: Console
  ) -> ExitStatus {
    let path = operand.path
    let attribute = DocumentSourceAttribute(of: operand.file)
    do throws(DocumentSourceError) {
      if case .raw = format {
        guard let stored = try attribute.stored() else {
          console.report(path.bytes, Absence.noAttribute.description)
          return .noSource
        }
        console.output.write(stored.bytes)
        return .done
      }
      let finding = try attribute.read()
      switch finding.content {
      case .source(let source, let mistyped):
        if case .nothing = format { return .done }
        for key in mistyped {
          console.report(path.bytes, "\(EscapedText(key.description)); ignored")
        }
        let status = format.write(source, finding, path, console)
        if status == .noSource, !operand.mayLackSource, case .field(let field, _) = format {
          console.report(path.bytes, "the document source has no \(field.key)")
        }
        return status
      case .none(let absence):
        if !operand.mayLackSource { format.write(absence, path, console) }
        return .noSource
      }
    } catch {
      format.write(error, console)
      return .failed
    }
  }
}

extension ShowCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Only what is a string counts as a field, as for the apps that write the attribute; \
        another type is told on standard error. A value without any of the four fields is no \
        document source. A value that is no property list is damaged: that is a failure, and \
        --raw still gives its bytes.
        """,
        """
        With --json each file is an object on a line of its own with these members: file, and \
        fileBase64 where the name is not UTF-8; source, an object of the fields that are there, or \
        null; carrier, the attribute it was read from; and where there is no source, reason or \
        error.
        """,
        """
        --field app-info-url is taken for appInfoURL. --xml and --raw give the whole value, keys \
        that are not among the four included.
        """,
      ],
      exitStatus: [
        .noSource: """
        Some file has no document source or, with --field, none with that field. With \
        --recursive: no file has one.
        """
      ],
      seeAlso: ["getfattr(1)"])
  }
}
