import CommandLineInterface
import DocumentSource
import ForeignFormats
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// How `trace` prints a report.
enum TraceFormat {
  /// The short answer, and a line or two for each mark.
  case block
  /// The short answer.
  case line
  case json

  func write(_ report: ProvenanceReport, _ console: Console) {
    switch self {
    case .block: Self.block(report, console)
    case .line where report.marks.isEmpty: Self.report(report, console)
    case .line:
      Self.line(report, console)
      for flaw in report.flaws { console.report(report.file.bytes, Self.words(flaw)) }
    case .json: console.write(TraceJSON.members(report))
    }
  }

  /// Says of a file without marks what of it cannot be read.
  private static func report(_ report: ProvenanceReport, _ console: Console) {
    let first = report.flaws.first.map { ": \(words($0))" } ?? ""
    let others = report.flaws.count - 1
    let rest = others > 0 ? ", and \(CountText.of(others)) more" : ""
    console.report(report.file.bytes, "\(OriginText.summary(report))\(first)\(rest)")
  }

  private static func line(_ report: ProvenanceReport, _ console: Console) {
    let document =
      report.document.map { document in
        let missing = document.isMissing ? ", which is missing" : ""
        return "; belongs to \(OriginText.place(document.path))\(missing)"
      } ?? ""
    let words = EscapedText(OriginText.summary(report) + document).description
    let name = console.styled(EscapedText(report.file.bytes).description, .heading)
    console.output.writeLine("\(name): \(words)")
  }

  private static func block(_ report: ProvenanceReport, _ console: Console) {
    line(report, console)
    for mark in report.marks {
      let label = OriginText.label(mark.kind)
      console.writeRow(EscapedText(label).description, OriginText.value(mark))
      let trust = mark.trust == .claim ? "" : " (\(mark.trust))"
      console.output.writeLine("    \(OriginText.place(mark.carrier.name))\(trust)")
    }
    for contradiction in report.contradictions {
      let title = console.styled("Contradiction:", .heading)
      console.output.writeLine("  \(title) \(OriginText.label(contradiction.subject))")
      for claim in contradiction.claims {
        let value = EscapedText(OriginText.value(claim))
        console.output.writeLine("    \(value) (\(OriginText.place(claim.carrier.name)))")
      }
    }
    for flaw in report.flaws {
      console.output.writeLine("  Not read: \(words(flaw))")
    }
  }

  private static func words(_ flaw: MarkCarrier.Flaw) -> String {
    "\(OriginText.place(flaw.name)): \(EscapedText(flaw.description))"
  }
}

/// A report as a JSON object.
enum TraceJSON {
  typealias Members = [(key: String, value: String)]

  static func members(_ report: ProvenanceReport) -> Members {
    let document: Members =
      report.document.map { document in
        JSONText.path(document.path[...], key: document.isMissing ? "missing" : "belongsTo")
      } ?? []
    return JSONText.path(report.file.bytes) + [
      ("origin", origin(report)), ("marks", array(report.marks.map(mark))),
      ("contradictions", array(report.contradictions.map(contradiction))),
      ("flaws", array(report.flaws.map(flaw))),
    ] + document
  }

  private static func array(_ elements: [String]) -> String { JSONText.array(elements) }

  private static func string(_ key: String, _ text: String?) -> Members {
    JSONText.member(key, text)
  }

  private static func moment(_ key: String, _ seconds: Double?) -> Members {
    string(key, seconds.map(MomentText.exact))
  }

  /// What the short answer goes by; `null` where nothing is known.
  private static func origin(_ report: ProvenanceReport) -> String {
    var members: Members = []
    for subject in Claim.Subject.allCases {
      guard let claim = report.first(subject) else { continue }
      // As the text says: what is no download was written then.
      let isWriting = subject == .downloaded && !report.isDownload
      members.append((isWriting ? "written" : word(subject), value(claim.value)))
      if subject == .url { members += string("host", report.host) }
    }
    return members.isEmpty ? "null" : JSONText.object(members)
  }

  /// A subject as programs know it: the path in the application is the document, as in options.
  private static func word(_ subject: Claim.Subject) -> String {
    subject == .path ? "document" : subject.rawValue
  }

  private static func mark(_ mark: Mark) -> String {
    var members = string("mark", mark.kind.name)
    members += JSONText.path(mark.carrier.name[...], key: "carrier")
    members += string("form", mark.carrier.form.rawValue)
    members += string("trust", mark.trust.rawValue)
    switch mark.content {
    case .value(let value): members.append(("value", self.value(value)))
    case .empty: members += [("value", "null")] + string("reason", "empty")
    case .damaged(let failure): members += [("value", "null")] + self.failure(failure)
    case .unreadable(let reason): members += [("value", "null")] + string("error", reason)
    }
    return JSONText.object(members + string("bytes", Base64.text(of: mark.bytes[...])))
  }

  private static func failure(_ failure: MarkFailure) -> Members {
    string("reason", failure.reason.description) + [("offset", String(failure.offset))]
  }

  private static func value(_ value: MarkValue) -> String {
    switch value {
    case .source(let source, _):
      JSONText.object(DocumentSource.Field.allCases.flatMap { string($0.key, source[$0]) })
    case .quarantine(let quarantine):
      self.quarantine(quarantine)
    case .origins(let origins): array(origins.map { JSONText.string($0) as String })
    case .moment(let seconds): self.value(Claim.Value.moment(seconds))
    case .tags(let tags):
      array(
        tags.map { tag in
          JSONText.object(
            string("name", tag.name) + (tag.color.map { [("color", String($0))] } ?? []))
        })
    case .applicationKey(let key): JSONText.string(String(key, radix: 16)) as String
    case .zone(let zone):
      self.zone(zone)
    case .text(let text): self.value(Claim.Value.text(text))
    case .item(let item): JSONText.object(ItemFormat.fields(item))
    case .use(let use): self.value(Claim.Value.use(use))
    }
  }

  private static func quarantine(_ quarantine: Quarantine) -> String {
    var members: Members = [(key: "flags", value: String(quarantine.flags.rawValue))]
    members += moment("time", quarantine.seconds.map { Double($0) })
    members += string("agent", quarantine.agent)
    members += string("agentIdentifier", quarantine.agentIdentifier)
    members += string("eventIdentifier", quarantine.identifier)
    return JSONText.object(members)
  }

  private static func zone(_ zone: ZoneIdentifier) -> String {
    var members: Members = zone.zone.map { [(key: "zone", value: String($0.rawValue))] } ?? []
    members += string("hostURL", zone.hostURL)
    members += string("referrerURL", zone.referrerURL)
    members += string("hostAddress", zone.hostAddress)
    members += string("lastWriter", zone.lastWriter)
    for field in ZoneIdentifier.Field.allCases {
      guard let bytes = zone.undecoded[field] else { continue }
      members += JSONText.path(bytes[...], key: field.rawValue)
    }
    return JSONText.object(members)
  }

  private static func value(_ value: Claim.Value) -> String {
    switch value {
    case .text(let text): JSONText.string(text) as String
    case .moment(let seconds): JSONText.string(MomentText.exact(seconds)) as String
    case .zone(let zone): String(zone.rawValue)
    case .use(let use):
      JSONText.object(
        string("application", use.application) + string("command", use.command)
          + moment("time", use.seconds) + (use.count.map { [("count", String($0))] } ?? []))
    }
  }

  private static func contradiction(_ contradiction: Contradiction) -> String {
    let claims = contradiction.claims.map { claim in
      JSONText.object(
        [("value", value(claim.value))]
          + JSONText.path(claim.carrier.name[...], key: "carrier")
          + string("trust", claim.trust.rawValue))
    }
    return JSONText.object(
      string("subject", word(contradiction.subject)) + [("claims", array(claims))])
  }

  static func flaw(_ flaw: MarkCarrier.Flaw) -> String {
    let reason =
      switch flaw.cause {
      case .malformed(let failure): self.failure(failure)
      case .unreadable(let reason): string("error", reason)
      }
    return JSONText.object(JSONText.path(flaw.name[...], key: "carrier") + reason)
  }
}
