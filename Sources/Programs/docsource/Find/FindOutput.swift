import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Xattr

/// The form in which `find` tells what it has found.
enum FindOutput: Sendable {
  /// A line with the path of each file; commands are run with the same paths.
  case paths(end: UInt8, escapes: Bool, isStyled: Bool)
  case template(FormatTemplate, end: UInt8, escapes: Bool)
  case json(end: UInt8)
  case count
  case summary(isJSON: Bool)

  /// The fields that must be read for this form.
  var fields: DocumentSource.FieldSet {
    switch self {
    case .paths, .count: []
    case .template(let template, _, _): template.fields
    case .summary: DocumentSource.FieldSet([.identifier, .name])
    case .json: .all
    }
  }

  /// Whether the form needs no more of a file than its path.
  var tellsOnlyPaths: Bool {
    switch self {
    case .paths, .count: true
    case .template, .json, .summary: false
    }
  }

  /// Writes the record of a file, in the forms that have one for each file.
  ///
  /// - Parameter state: `nil` if only the path is shown.
  func append(
    _ path: ArraySlice<UInt8>, isDirectory: Bool, _ state: FileSource?, to record: inout [UInt8]
  ) {
    switch self {
    case .paths(let end, let escapes, let isStyled):
      if isStyled {
        record.append(styled: path, isDirectory: isDirectory, escapes: escapes)
      } else {
        record.append(path, escapes: escapes)
      }
      record.append(end)
    case .template(let template, let end, let escapes):
      template.append(path, state, escapes: escapes, to: &record)
      record.append(end)
    case .json(let end):
      Self.fields(path, state).append(to: &record)
      record.append(end)
    case .count, .summary: break
    }
  }

  /// The members that `show --json` has.
  private static func fields(_ path: ArraySlice<UInt8>, _ state: FileSource?) -> JSONFields {
    let path: JSONFields = ["file": .path(path)]
    switch state {
    case .source(let source, let carrier):
      return path + ShowFormat.fields(source, carrier)
    case .untagged(let absence):
      return path + ["source": .null, "reason": .text(absence.description)]
    case .damaged(let error): return path + ["source": .null, "error": .text(error.message)]
    case nil: return path
    }
  }
}

/// The text of `--format`, with the placeholders of `--exec` for a file's path and its parts, and
/// those for fields, which are called as the options of `tag`: `{app-name}\t{}`.
struct FormatTemplate: Sendable {
  private enum Piece: Sendable {
    case text([UInt8])
    /// The file's path, as `find` lists it.
    case path
    /// The last component of the path.
    case name
    case directory, withoutExtension, nameWithoutExtension
    case field(DocumentSource.Field)
  }

  private var pieces: [Piece] = []

  /// The placeholders that were given by their former names, each once.
  private(set) var renamed: [(former: String, name: String)] = []

  private static let placeholders: [(name: String, piece: Piece)] = [
    ("", .path), ("/", .name), ("//", .directory), (".", .withoutExtension),
    ("/.", .nameWithoutExtension), ("identifier", .field(.identifier)),
    ("app-name", .field(.name)), ("document", .field(.path)), ("app-info-url", .field(.appInfoURL)),
  ]

  /// The names of the version before, which still work.
  private static let formerNames: [(former: String, name: String)] = [
    ("path", ""), ("file", "/"), ("name", "app-name"), ("url", "app-info-url"),
  ]

  /// - Throws: `UsageError` for a placeholder or an escape that means nothing.
  init(_ template: [UInt8]) throws(UsageError) {
    var rest = template[...]
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        text.append(try Self.escaped(rest.popFirst()))
      case UInt8(ascii: "{"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
          throw UsageError("--format: '{' without '}'; write '\\{' for a literal brace")
        }
        let piece = try placeholder(rest[..<end])
        pieces += [.text(text), piece]
        rest = rest[(end + 1)...]
        text = []
      default: text.append(byte)
      }
    }
    pieces.append(.text(text))
  }

  private mutating func placeholder(_ typed: ArraySlice<UInt8>) throws(UsageError) -> Piece {
    let other = Self.formerNames.first { typed.elementsEqual($0.former.utf8) }
    if let other, !renamed.contains(where: { $0.former == other.former }) { renamed.append(other) }
    let name = String(decoding: typed, as: UTF8.self)
    let present = other?.name ?? name
    if let known = Self.placeholders.first(where: { $0.name == present }) { return known.piece }
    let names = Self.placeholders.map(\.name)
    // The parts of the path are signs, which resemble nothing.
    let words = names.filter { $0.first?.isLetter == true }
    let near = Spelling.nearest(to: name, among: words)
    let hint =
      near.map { "did you mean '{\($0)}'?" }
      ?? "placeholders are " + names.map { "{\($0)}" }.joined(separator: " ")
    throw UsageError("--format: unknown placeholder '{\(EscapedText(typed))}'; \(hint)")
  }

  private static func escaped(_ byte: UInt8?) throws(UsageError) -> UInt8 {
    switch byte {
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "0"): return 0
    case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): return byte ?? 0
    default:
      let typed = EscapedText(byte.map { [$0] } ?? [])
      throw UsageError(
        "--format: unknown escape '\\\(typed)'; escapes are \\t \\n \\0 \\\\ \\{ \\}")
    }
  }

  /// The fields that the template has placeholders for.
  var fields: DocumentSource.FieldSet {
    DocumentSource.FieldSet(
      pieces.compactMap { piece in
        guard case .field(let field) = piece else { return nil }
        return field
      })
  }

  /// Writes the text for a file; a field that is missing is empty.
  func append(
    _ path: ArraySlice<UInt8>, _ state: FileSource?, escapes: Bool, to record: inout [UInt8]
  ) {
    for piece in pieces {
      switch piece {
      case .text(let text): record += text
      case .path: record.append(path, escapes: escapes)
      case .name: record.append(PathParts(path).name, escapes: escapes)
      case .directory: record.append(PathParts(path).directory, escapes: escapes)
      case .withoutExtension: record.append(PathParts(path).withoutExtension, escapes: escapes)
      case .nameWithoutExtension:
        record.append(PathParts(path).nameWithoutExtension, escapes: escapes)
      case .field(let field):
        guard case .source(let source, _) = state, let value = source[field] else { continue }
        record.append(Array(value.utf8)[...], escapes: escapes)
      }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ value: ArraySlice<UInt8>, escapes: Bool) {
    if escapes {
      append(contentsOf: EscapedText(value).description.utf8)
    } else {
      append(contentsOf: value)
    }
  }

  /// Adds a path in which directories stand out, those that lead to a file too.
  fileprivate mutating func append(
    styled path: ArraySlice<UInt8>, isDirectory: Bool, escapes: Bool
  ) {
    let slash = isDirectory ? path.indices.last : path.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { path[($0 + 1)...] } ?? path
    let lead = path[..<name.startIndex]
    if !lead.isEmpty {
      append(contentsOf: TerminalStyle.directory.start.utf8)
      append(lead, escapes: escapes)
      append(contentsOf: TerminalStyle.end.utf8)
    }
    append(name, escapes: escapes)
  }
}
