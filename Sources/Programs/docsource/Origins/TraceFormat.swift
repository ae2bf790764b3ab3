import CommandLineInterface
import DocumentSource
import ForeignFormats
import LinuxSystem
import Provenance
import TextFormats
import Witness
import Xattr

/// How `trace` prints a report.
enum TraceFormat {
  /// The short answer, and a line or two for each mark.
  case block
  /// The short answer, what happened to the file, in the order of time, and the marks that say nothing of
  /// that.
  case life
  /// The short answer.
  case line
  case json(withLife: Bool)

  var isJSON: Bool { if case .json = self { true } else { false } }

  func write(_ report: ProvenanceReport, _ console: Console) {
    switch self {
    case .block:
      Self.line(report, console)
      for mark in report.marks { Self.write(mark, console) }
      Self.writeDoubts(report, console)
    case .life:
      Self.line(report, console)
      let life = report.life
      for event in life { Self.write(event, of: report, console) }
      let shown = Set(life.flatMap(\.evidence).map(\.carrier))
      for mark in report.marks where !shown.contains(mark.carrier) { Self.write(mark, console) }
      Self.writeDoubts(report, console)
    case .line where report.marks.isEmpty: Self.report(report, console)
    case .line:
      Self.line(report, console)
      for flaw in report.flaws { console.report(report.file.bytes, Self.words(flaw)) }
    case .json(let withLife): console.write(TraceJSON.fields(report, withLife: withLife))
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
    _ = console.output.writeRecord(end: UInt8(ascii: "\n")) { line in
      console.append(report.file.bytes, as: .heading, to: &line)
      line += ": ".utf8
      let start = line.count
      OriginText.append(report, to: &line)
      if let document = report.document {
        let missing = document.isMissing ? ", which is missing" : ""
        line += "; belongs to \(OriginText.place(document.path))\(missing)".utf8
      }
      EscapedText.escape(&line, from: start)
    }
  }

  private static func write(_ mark: Mark, _ console: Console) {
    let label = OriginText.label(mark.kind)
    console.writeRow(EscapedText(label).description, OriginText.value(mark))
    let trust = mark.trust == .claim ? "" : " (\(OriginText.trust(mark)))"
    console.output.writeLine("    \(OriginText.place(mark.carrier.name))\(trust)")
  }

  private static func write(_ event: LifeEvent, of report: ProvenanceReport, _ console: Console) {
    let time = event.seconds.map(MomentText.exact) ?? "time unknown"
    let gap = String(repeating: " ", count: max(1, 22 - time.count))
    console.output.writeLine(
      "  \(console.styled(time, .label))\(gap)\(EscapedText(OriginText.words(event)))")
    for evidence in event.evidence {
      let trust = evidence.trust == .claim ? "" : " (\(evidence.trust))"
      // Of a download, the event has no more than the host.
      let mark =
        event.kind == .downloaded && evidence.trust == .claim
        ? report.marks.first { $0.carrier == evidence.carrier } : nil
      let value = mark.map { ": " + EscapedText(OriginText.value($0)).description } ?? ""
      console.output.writeLine("    \(OriginText.place(evidence.carrier.name))\(value)\(trust)")
    }
  }

  private static func writeDoubts(_ report: ProvenanceReport, _ console: Console) {
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
  static func fields(_ report: ProvenanceReport, withLife: Bool) -> JSONFields {
    let document = report.document
    return [
      "file": .path(report.file.bytes), "origin": origin(report),
      "marks": .objects(report.marks.map(mark)),
      "life": withLife ? .objects(report.life.map(event)) : nil,
      "contradictions": .objects(report.contradictions.map(contradiction)),
      "flaws": .objects(report.flaws.map(flaw)),
      document?.isMissing == true ? "missing" : "belongsTo": .path(document?.path[...]),
    ]
  }

  /// What the short answer goes by; `null` if nothing is known.
  private static func origin(_ report: ProvenanceReport) -> JSONFields.Field {
    var fields: JSONFields = [:]
    for subject in Claim.Subject.allCases {
      guard let claim = report.first(subject) else { continue }
      // As the text says: what is no download was written then.
      let isWriting = subject == .downloaded && !report.isDownload
      fields += [
        isWriting ? "written" : word(subject): value(claim.value),
        "host": subject == .url ? .text(report.host) : nil,
      ]
    }
    if report.isLikely { fields += ["likely": .flag(true)] }
    return fields.isEmpty ? .null : .object(fields)
  }

  /// A subject as programs know it: the path in the application is the document, as in options.
  private static func word(_ subject: Claim.Subject) -> String {
    subject == .path ? "document" : subject.rawValue
  }

  private static func mark(_ mark: Mark) -> JSONFields {
    let content: JSONFields =
      switch mark.content {
      case .value(let value): ["value": self.value(value)]
      case .empty: ["value": .null, "reason": "empty"]
      case .damaged(let failure): ["value": .null] + self.failure(failure)
      case .unreadable(let reason): ["value": .null, "error": .text(reason)]
      }
    return [
      "mark": .text(mark.kind.name), "carrier": .path(mark.carrier.name),
      "form": .text(mark.carrier.form.rawValue), "trust": .text(mark.trust.rawValue),
    ] + content + ["bytes": .text(Base64.text(of: mark.bytes[...]))]
  }

  private static func event(_ event: LifeEvent) -> JSONFields {
    let evidence: [JSONFields] = event.evidence.map {
      ["carrier": .path($0.carrier.name), "trust": .text($0.trust.rawValue)]
    }
    return [
      "event": .text(event.kind.rawValue), "time": .text(event.seconds.map(MomentText.exact)),
      "program": .text(event.program), "origin": .text(event.origin),
      "evidence": .objects(evidence),
    ]
  }

  private static func failure(_ failure: MarkFailure) -> JSONFields {
    ["reason": .text(failure.reason.description), "offset": .number(failure.offset)]
  }

  private static func value(_ value: MarkValue) -> JSONFields.Field? {
    switch value {
    case .source(let source, _):
      .object(JSONFields(DocumentSource.Field.allCases.map { ($0.key, .text(source[$0])) }))
    case .quarantine(let quarantine):
      .object([
        "flags": .number(Int(quarantine.flags.rawValue)),
        "time": .text(quarantine.seconds.map { MomentText.exact(Double($0)) }),
        "agent": .text(quarantine.agent), "agentIdentifier": .text(quarantine.agentIdentifier),
        "eventIdentifier": .text(quarantine.identifier),
      ])
    case .origins(let origins): .texts(origins)
    case .moment(let seconds): self.value(Claim.Value.moment(seconds))
    case .tags(let tags):
      .objects(tags.map { ["name": .text($0.name), "color": .number($0.color.map { Int($0) })] })
    case .applicationKey(let key): .text(String(key, radix: 16))
    case .zone(let zone): .object(self.zone(zone))
    case .text(let text): .text(text)
    case .item(let item): .object(ItemFormat.fields(item))
    case .use(let use): self.value(Claim.Value.use(use))
    case .grant(let application, let permissions):
      .object(["application": .text(application), "permissions": .texts(permissions)])
    case .download(let record, let match):
      .object([
        "url": .text(record.url), "firstURL": .text(record.firstURL), "page": .text(record.page),
        "browser": .text(record.browser), "path": .path(record.path[...]),
        "time": .text(record.end.map(MomentText.exact)),
        "size": .number(record.size.map { Int($0) }),
        "match": .text(match.rawValue),
      ])
    case .embedded(let origin): .object(self.origin(origin))
    case .repository(let record): .object(repository(record))
    case .witness(let record, let voidness):
      .object([
        "state": .text(voidness.map(Verification.word) ?? "valid"),
        "history": .objects(Verification.history(record)),
      ])
    case .package(let record, let verification):
      .object([
        "manager": .text(record.manager.rawValue), "package": .text(record.package),
        "version": .text(record.version), "architecture": .text(record.architecture),
        "path": .path(record.path[...]), "installed": .text(record.installed.map(MomentText.exact)),
        "verified": .text(verification?.rawValue),
      ])
    }
  }

  private static func repository(_ record: RepositoryRecord) -> JSONFields {
    let commit = record.commit.map { commit -> JSONFields in
      [
        "id": .text(commit.identifier), "time": .text(MomentText.exact(Double(commit.seconds))),
        "author": .text(commit.author), "subject": .text(commit.subject),
      ]
    }
    return [
      "name": .text(record.repository.name), "root": .path(record.repository.root[...]),
      "remote": .text(record.repository.remote), "path": .path(record.path[...]),
      "state": .text(record.state?.rawValue), "commit": commit.map { .object($0) },
    ]
  }

  private static func origin(_ origin: EmbeddedOrigin) -> JSONFields {
    let history: [JSONFields] = origin.history.map { step in
      [
        "program": .text(step.program), "action": .text(step.action), "time": .text(step.time),
        "verified": step.isCredential ? .flag(false) : nil,
      ]
    }
    return [
      "program": .text(origin.program?.name), "version": .text(origin.program?.version),
      "words": .text(origin.program?.words), "device": .text(origin.device),
      "history": .objects(history),
    ]
  }

  private static func zone(_ zone: ZoneIdentifier) -> JSONFields {
    let fields: JSONFields = [
      "zone": .number(zone.zone.map { Int($0.rawValue) }), "hostURL": .text(zone.hostURL),
      "referrerURL": .text(zone.referrerURL), "hostAddress": .text(zone.hostAddress),
      "lastWriter": .text(zone.lastWriter),
    ]
    let undecoded = ZoneIdentifier.Field.allCases.map {
      (key: $0.rawValue, value: JSONFields.Field.path(zone.undecoded[$0]?[...]))
    }
    return fields + JSONFields(undecoded)
  }

  private static func value(_ value: Claim.Value) -> JSONFields.Field? {
    switch value {
    case .text(let text): .text(text)
    case .moment(let seconds): .text(MomentText.exact(seconds))
    case .zone(let zone): .number(Int(zone.rawValue))
    case .use(let use):
      .object([
        "application": .text(use.application), "command": .text(use.command),
        "first": .text(use.first.map(MomentText.exact)),
        "time": .text(use.seconds.map(MomentText.exact)), "count": .number(use.count),
      ])
    }
  }

  private static func contradiction(_ contradiction: Contradiction) -> JSONFields {
    let claims: [JSONFields] = contradiction.claims.map {
      [
        "value": value($0.value), "carrier": .path($0.carrier.name),
        "trust": .text($0.trust.rawValue),
      ]
    }
    return ["subject": .text(word(contradiction.subject)), "claims": .objects(claims)]
  }

  static func flaw(_ flaw: MarkCarrier.Flaw) -> JSONFields {
    let reason: JSONFields =
      switch flaw.cause {
      case .malformed(let failure): self.failure(failure)
      case .unreadable(let reason): ["error": .text(reason)]
      }
    return ["carrier": .path(flaw.name)] + reason
  }
}
