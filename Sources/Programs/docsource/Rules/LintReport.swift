import ActivationRule
import CommandLineInterface
import TextFormats

/// A finding, the rule that has it, and where it is.
struct PlacedFinding {
  let rule: NamedRule
  let finding: RuleFinding
  /// In the lines of the file; `nil` if that is not known.
  let position: RulePlaces.Position?

  /// The place for people: in the file, otherwise in the predicate.
  private var shownPlace: String {
    if let position { return ":\(position.line):\(position.column)" }
    if case .text(let place) = finding.place { return ":\(place.line):\(place.column)" }
    return ""
  }

  /// `FILE:LINE:COLUMN: CODE: MESSAGE`.
  var line: String {
    "\(EscapedText(rule.path))\(shownPlace): \(finding.code.rawValue): "
      + "\(EscapedText(finding.message))"
  }

  var fields: JSONFields {
    let place: JSONFields =
      switch finding.place {
      case .text(let place):
        [
          "predicateLine": .number(place.line), "predicateColumn": .number(place.column),
          "predicateOffset": .number(place.offset),
        ]
      case .key(let key): ["key": .text(key)]
      case .rule: [:]
      }
    return rule.fields
      + finding.code.fields(["detail": .text(finding.detail)], message: finding.message)
      + ["line": .number(position?.line), "column": .number(position?.column)] + place
  }
}

/// Findings in the format of code hosts, the Static Analysis Results Interchange Format 2.1.0.
enum SARIFReport {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  static func text(of findings: [PlacedFinding]) -> String {
    let codes = RuleFinding.Code.allCases
    let rules: [JSONFields] = codes.map {
      [
        "id": .text($0.rawValue), "shortDescription": message($0.meaning),
        "defaultConfiguration": .object(["level": .text($0.severity.rawValue)]),
      ]
    }
    let results: [JSONFields] = findings.map {
      [
        "ruleId": .text($0.finding.code.rawValue),
        "ruleIndex": .number(codes.firstIndex(of: $0.finding.code) ?? 0),
        "level": .text($0.finding.code.severity.rawValue), "message": message($0.finding.message),
        "locations": .objects([location(of: $0)]),
      ]
    }
    let driver: JSONFields = [
      "name": .text(Tool.name), "version": .text(Tool.version), "rules": .objects(rules),
    ]
    let run: JSONFields = [
      "tool": .object(["driver": .object(driver)]), "columnKind": "unicodeCodePoints",
      "results": .objects(results),
    ]
    let report: JSONFields = [
      "$schema": .text(schema), "version": "2.1.0", "runs": .objects([run]),
    ]
    return report.text
  }

  private static func message(_ text: String) -> JSONFields.Field {
    .object(["text": .text(text)])
  }

  private static func location(of one: PlacedFinding) -> JSONFields {
    // The entry of a bundle is a file; that of an archive is none.
    let isFile = one.rule.entry != nil && one.position != nil
    let physical = one.rule.file.map { file -> JSONFields in
      [
        "artifactLocation": .object(["uri": .text(uri(isFile ? one.rule.path : Array(file)))]),
        "region": one.position.map {
          .object(["startLine": .number($0.line), "startColumn": .number($0.column)])
        },
      ]
    }
    var name = one.rule.entry.map { String(decoding: $0, as: UTF8.self) } ?? ""
    if !one.rule.found.keyPath.isEmpty {
      name += (name.isEmpty ? "" : ":") + one.rule.found.keyPath.joined(separator: "/")
    }
    if case .text(let place) = one.finding.place, one.position == nil {
      name += (name.isEmpty ? "" : ":") + "\(place.line):\(place.column)"
    }
    return [
      "physicalLocation": physical.map { .object($0) },
      "logicalLocations": name.isEmpty ? nil : .objects([["fullyQualifiedName": .text(name)]]),
    ]
  }

  /// A path as a reference to a URI, by RFC 3986.
  private static func uri(_ path: [UInt8]) -> String {
    let start = path.first == UInt8(ascii: "/") ? "file://" : ""
    return start + String(decoding: PercentEncoding.encoded(path, keeping: "/"), as: UTF8.self)
  }
}
