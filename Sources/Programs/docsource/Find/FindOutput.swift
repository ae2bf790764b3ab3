import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Xattr

/// What `find` tells of what it finds.
enum FindOutput: Sendable {
  /// A path a line; commands are run with the same paths.
  case paths(end: UInt8, escapes: Bool)
  case template(FormatTemplate, end: UInt8, escapes: Bool)
  case json(end: UInt8)
  case count
  case summary(isJSON: Bool)

  /// The fields that have to be read to tell it.
  var fields: DocumentSource.FieldSet {
    switch self {
    case .paths, .count: []
    case .template(let template, _, _): template.fields
    case .summary: DocumentSource.FieldSet([.identifier, .name])
    case .json: .all
    }
  }

  /// Whether it tells no more of a file than its path, or that it is there.
  var tellsOnlyPaths: Bool {
    switch self {
    case .paths, .count: true
    case .template, .json, .summary: false
    }
  }

  /// Writes the record of a file, if there is one for each.
  ///
  /// - Parameter state: `nil` where paths are all that is told.
  func append(
    _ path: ArraySlice<UInt8>, _ state: FileSource?, to record: inout [UInt8]
  ) {
    switch self {
    case .paths(let end, let escapes):
      if escapes {
        record.append(contentsOf: EscapedText(path).description.utf8)
      } else {
        record.append(contentsOf: path)
      }
      record.append(end)
    case .template(let template, let end, let escapes):
      template.append(path, state, escapes: escapes, to: &record)
      record.append(end)
    case .json(let end):
      record.append(contentsOf: JSONText.object(Self.members(path, state)).utf8)
      record.append(end)
    case .count, .summary: break
    }
  }

  /// As `show --json` has them.
  private static func members(
    _ path: ArraySlice<UInt8>, _ state: FileSource?
  ) -> [(key: String, value: String)] {
    let path = JSONText.path(path)
    switch state {
    case .source(let source, let carrier):
      return path + ShowFormat.members(source, carrier)
    case .untagged(let absence):
      return path + [("source", "null"), ("reason", JSONText.string(absence.description))]
    case .damaged(let error):
      return path + [("source", "null"), ("error", JSONText.string(error.message))]
    case nil: return path
    }
  }
}
