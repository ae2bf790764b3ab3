import ActivationRule
import CommandLineInterface
import TextFormats

/// A finding, the rule that has it, and where it is.
struct PlacedFinding {
  let rule: NamedRule
  let finding: RuleFinding
  /// In the lines of the file; `nil` where that is not known.
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

  var members: [(key: String, value: String)] {
    var members = rule.members
    members += [
      ("code", JSONText.string(finding.code.rawValue)),
      ("severity", JSONText.string(finding.code.severity.rawValue)),
    ]
    members += JSONText.member("detail", finding.detail)
    members.append(("message", JSONText.string(finding.message)))
    if let position {
      members += [("line", "\(position.line)"), ("column", "\(position.column)")]
    }
    switch finding.place {
    case .text(let place):
      members += [
        ("predicateLine", "\(place.line)"), ("predicateColumn", "\(place.column)"),
        ("predicateOffset", "\(place.offset)"),
      ]
    case .key(let key): members += JSONText.member("key", key)
    case .rule: break
    }
    return members
  }
}

/// Findings in the format of code hosts, the Static Analysis Results Interchange Format 2.1.0.
enum SARIFReport {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  static func text(of findings: [PlacedFinding]) -> String {
    let codes = RuleFinding.Code.allCases
    let rules = codes.map { code in
      JSONText.object([
        ("id", JSONText.string(code.rawValue)), ("shortDescription", message(code.meaning)),
        ("defaultConfiguration", JSONText.object([("level", level(code))])),
      ])
    }
    let driver = JSONText.object([
      ("name", JSONText.string(Tool.name)), ("version", JSONText.string(Tool.version)),
      ("rules", JSONText.array(rules)),
    ])
    let results = findings.map { one in
      JSONText.object([
        ("ruleId", JSONText.string(one.finding.code.rawValue)),
        ("ruleIndex", "\(codes.firstIndex(of: one.finding.code) ?? 0)"),
        ("level", level(one.finding.code)), ("message", message(one.finding.message)),
        ("locations", JSONText.array([location(of: one)])),
      ])
    }
    let run = JSONText.object([
      ("tool", JSONText.object([("driver", driver)])),
      ("columnKind", JSONText.string("unicodeCodePoints")),
      ("results", JSONText.array(results)),
    ])
    return JSONText.object([
      ("$schema", JSONText.string(schema)), ("version", JSONText.string("2.1.0")),
      ("runs", JSONText.array([run])),
    ])
  }

  private static func message(_ text: String) -> String {
    JSONText.object([("text", JSONText.string(text))])
  }

  private static func level(_ code: RuleFinding.Code) -> String {
    JSONText.string(code.severity.rawValue)
  }

  private static func location(of one: PlacedFinding) -> String {
    var members: [(key: String, value: String)] = []
    if let file = one.rule.file {
      // The entry of a bundle is a file; that of an archive is none.
      let isFile = one.rule.entry != nil && one.position != nil
      var physical = [
        (
          "artifactLocation",
          JSONText.object([("uri", JSONText.string(uri(isFile ? one.rule.path : Array(file))))])
        )
      ]
      if let position = one.position {
        physical.append(
          (
            "region",
            JSONText.object([
              ("startLine", "\(position.line)"), ("startColumn", "\(position.column)"),
            ])
          ))
      }
      members.append(("physicalLocation", JSONText.object(physical)))
    }
    var name = one.rule.entry.map { String(decoding: $0, as: UTF8.self) } ?? ""
    if !one.rule.found.keyPath.isEmpty {
      name += (name.isEmpty ? "" : ":") + one.rule.found.keyPath.joined(separator: "/")
    }
    if case .text(let place) = one.finding.place, one.position == nil {
      name += (name.isEmpty ? "" : ":") + "\(place.line):\(place.column)"
    }
    if !name.isEmpty {
      members.append(
        (
          "logicalLocations",
          JSONText.array([JSONText.object([("fullyQualifiedName", JSONText.string(name))])])
        ))
    }
    return JSONText.object(members)
  }

  /// A path as a reference to a URI, by RFC 3986.
  private static func uri(_ path: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = path.first == UInt8(ascii: "/") ? Array("file://".utf8) : []
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
