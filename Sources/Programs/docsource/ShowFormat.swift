import BinaryPropertyList
import CommandLineInterface
import DocumentSource
import LinuxSystem
import PropertyListText
import TextFormats
import Xattr

/// How `show` prints what it reads.
enum ShowFormat {
  /// Several lines for one file, for people.
  case block
  /// A line for each file, for people.
  case lines(end: UInt8)
  case json(end: UInt8)
  case field(DocumentSource.Field, end: UInt8)
  case xml
  case raw
  case nothing

  /// Prints a source; `.noSource` where it lacks the field that is asked for.
  func write(
    _ source: DocumentSource, _ finding: Finding, _ path: FilePath, _ console: Console
  ) -> ExitStatus {
    switch self {
    case .block: block(source, finding, path, console)
    case .lines(let end): line(source, path, end, console)
    case .json(let end):
      write(JSONText.object(Self.members(source, finding, path)), end, console)
    case .field(let field, let end):
      guard let value = source[field] else { return .noSource }
      let isEscaped = end != 0 && console.output.isTerminal
      write(isEscaped ? EscapedText(value).description : value, end, console)
    case .xml: return xml(finding, path, console)
    case .raw, .nothing: break
    }
    return .done
  }

  /// Says that there is no source.
  func write(_ absence: Absence, _ path: FilePath, _ console: Console) {
    switch self {
    case .nothing: break
    case .json(let end):
      write(
        JSONText.object(
          JSONText.path(path.bytes) + [
            ("source", "null"), ("reason", JSONText.string(absence.description)),
          ]), end, console)
    default: console.report(path.bytes, EscapedText(absence.description).description)
    }
  }

  /// Says that reading failed; with `--json` on both streams.
  func write(_ error: DocumentSourceError, _ console: Console) {
    if case .json(let end) = self {
      write(
        JSONText.object(
          JSONText.path(error.path.bytes) + [
            ("source", "null"), ("error", JSONText.string(error.message)),
          ]), end, console)
    }
    console.report(error.path.bytes, EscapedText(error.message).description)
  }

  private func write(_ text: String, _ end: UInt8, _ console: Console) {
    if end == UInt8(ascii: "\n") {
      console.output.writeLine(text)
    } else {
      console.output.write(text, end: end)
    }
  }

  private func line(
    _ source: DocumentSource, _ path: FilePath, _ end: UInt8, _ console: Console
  ) {
    if end == 0 {
      console.output.write(path.bytes)
      write(": " + SourceText.summary(source), end, console)
    } else {
      write(
        "\(EscapedText(path.bytes)): \(EscapedText(SourceText.summary(source)))", end, console)
    }
  }

  private func xml(_ finding: Finding, _ path: FilePath, _ console: Console) -> ExitStatus {
    do {
      guard let value = try finding.value() else { return .noSource }
      try XMLPropertyListWriter.write(value) { console.output.write($0) }
      return .done
    } catch let damage as DamagedValue {
      console.report(path.bytes, EscapedText("cannot read document source: \(damage)").description)
    } catch let flaw as Unrepresentable {
      console.report(
        path.bytes, "cannot write document source as XML: \(flaw.reason); --raw or --json can")
    } catch {
      console.report(path.bytes, EscapedText("\(error)").description)
    }
    return .failed
  }

  private func block(
    _ source: DocumentSource, _ finding: Finding, _ path: FilePath, _ console: Console
  ) {
    console.output.writeLine(EscapedText(path.bytes).description)
    for field in [DocumentSource.Field.name, .identifier, .path, .appInfoURL] {
      guard let value = source[field] else { continue }
      row(SourceText.label(field), value, console)
    }
    if let carrier = finding.stored?.carrier, carrier != .native {
      row("Stored in", carrier.attributeName.description, console)
    }
  }

  private func row(_ label: String, _ value: String, _ console: Console) {
    let gap = String(repeating: " ", count: max(1, 13 - label.count))
    console.output.writeLine("  \(label)\(gap)\(EscapedText(value))")
  }

  private static func members(
    _ source: DocumentSource, _ finding: Finding, _ path: FilePath
  ) -> [(key: String, value: String)] {
    JSONText.path(path.bytes) + members(source, finding.stored?.carrier)
  }

  /// The members for JSON but for the file's path.
  static func members(
    _ source: DocumentSource, _ carrier: Carrier?
  ) -> [(key: String, value: String)] {
    let fields = DocumentSource.Field.allCases.compactMap { field in
      source[field].map { (key: field.key, value: JSONText.string($0)) }
    }
    let carrier = carrier.map {
      (key: "carrier", value: JSONText.string($0.attributeName.description))
    }
    return [(key: "source", value: JSONText.object(fields))] + [carrier].compactMap(\.self)
  }
}
