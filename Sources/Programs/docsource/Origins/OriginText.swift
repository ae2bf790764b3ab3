import CommandLineInterface
import DocumentSource
import ForeignFormats
import Provenance
import ShareItem
import TextFormats
import Witness

/// Says in words where a file came from. Untrusted values stand in double quotes, escaped, so that
/// none of them reads like words of ours; whoever prints the words escapes the rest.
enum OriginText {
  /// The short answer: `from "Working Copy", downloaded from example.com by "Safari" on 2020-11-12`.
  static func summary(_ report: ProvenanceReport) -> String {
    var words: [UInt8] = []
    append(report, to: &words)
    return String(decoding: words, as: UTF8.self)
  }

  /// Appends the short answer as UTF-8.
  static func append(_ report: ProvenanceReport, to words: inout [UInt8]) {
    let start = words.count
    let parts = report.parts
    for part in parts {
      if words.count > start { words += ", ".utf8 }
      append(part, to: &words)
    }
    if parts.first?.kind == .zone { return }
    if let use = use(report) {
      if words.count > start { words += ", ".utf8 }
      words += use.utf8
    }
    if words.count > start {
      if report.isDoubtful { words += "; marks contradict each other".utf8 }
    } else if let state = untracked(report) {
      words += state.utf8
    } else {
      words +=
        report.marks.isEmpty
        ? "no mark of origin could be read".utf8
        : "marked, but no mark says where the file came from".utf8
    }
  }

  /// Of a file that is in a work tree, and not of the repository.
  private static func untracked(_ report: ProvenanceReport) -> String? {
    guard case .repository(let record)? = report.marks.first?.value, report.marks.count == 1,
      let state = record.state, !state.isTracked
    else { return nil }
    return "\(words(state)) by the repository \(package(record.repository.name))"
  }

  private static func append(_ part: OriginPart, to words: inout [UInt8]) {
    switch part.kind {
    case .application: words += "from ".utf8
    case .creator: words += "made by ".utf8
    case .download: words += "downloaded".utf8
    case .likelyDownload: words += "probably downloaded".utf8
    case .message: words += "sent by ".utf8
    case .page: words += "linked from ".utf8
    case .writing: words += "written".utf8
    case .device: words += "made with ".utf8
    case .package: words += "from the package ".utf8
    case .repository: words += "from the repository ".utf8
    case .program: words += "written by ".utf8
    case .zone: words += "from Windows zone ".utf8
    }
    let name = part.origin ?? ""
    switch part.kind {
    case .application, .creator, .message, .device, .program:
      EscapedText.append(quoting: name, to: &words)
    case .download, .likelyDownload:
      if part.origin != nil {
        words += " from ".utf8
        words += host(name).utf8
      }
    case .page: words += host(name).utf8
    case .package, .repository: words += package(name).utf8
    case .zone: words += name.utf8
    case .writing: break
    }
    if let program = part.program {
      words += " by ".utf8
      EscapedText.append(quoting: program, to: &words)
    }
    if let seconds = part.seconds {
      words += " on ".utf8
      MomentText.append(day: seconds, to: &words)
    }
  }

  private static func use(_ report: ProvenanceReport) -> String? {
    func words(_ use: RecentUse) -> String {
      quoted(use.application) + (use.seconds.map { " on \(MomentText.day($0))" } ?? "")
    }
    return switch report.lastUse {
    case .wrote(let use): "last written with \(words(use))"
    case .used(let use): "last used with \(words(use))"
    case .outdated(let use): "used with \(words(use)) and changed since"
    case nil: nil
    }
  }

  /// What happened to a file.
  static func words(_ event: LifeEvent) -> String {
    let program = event.program.map(quoted)
    let by = program.map { " by \($0)" } ?? ""
    let from = event.origin.map { " from \(host($0))" } ?? ""
    return switch event.kind {
    case .recorded: "made" + (program.map { " with \($0)" } ?? "")
    case .sent: "sent" + (event.origin.map { " by \(quoted($0))" } ?? "")
    case .downloaded: "downloaded" + from + by
    case .installed: "installed" + (event.origin.map { " with the package \(package($0))" } ?? "")
    case .committed:
      "committed" + by + (event.origin.map { " to the repository \(host($0))" } ?? "")
    case .shared: "shared" + from + by
    case .tagged:
      (event.seconds == nil ? "" : "tagged automatically as ")
        + (event.origin.map { "from \(quoted($0))" } ?? "tagged")
    case .written: "written" + by
    case .used: "used" + by
    case .changed: "content last changed"
    }
  }

  private static func quoted(_ value: String) -> String { EscapedText(quoting: value).description }

  /// A host as it is where it has only what hosts' names and addresses have: that is one word.
  static func host(_ name: String) -> String {
    let bytes = name.utf8Span.span
    for position in bytes.indices {
      switch bytes[position] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
        break
      default: return quoted(name)
      }
    }
    return name
  }

  /// An application, with its identifier where it has a name too.
  static func application(_ source: DocumentSource) -> String {
    switch (source.name, source.identifier) {
    case (let name?, let identifier?): "\(quoted(name)) (\(quoted(identifier)))"
    case (let name?, nil): quoted(name)
    case (nil, let identifier?): quoted(identifier)
    case (nil, nil): "unnamed application"
    }
  }

  /// Where a mark stands, as `--raw` takes it; in quotes where that is more than a word.
  static func place(_ name: [UInt8]) -> String { EscapedText(word: name).description }

  /// What a mark says, in one line.
  static func value(_ mark: Mark) -> String {
    switch mark.content {
    case .value(let value): text(value) + automatic(mark)
    case .empty: "empty"
    case .damaged(let failure): "damaged: \(failure)"
    case .unreadable(let reason): "cannot be read: \(reason)"
    }
  }

  /// Says of a document source that `docsource watch` has written it.
  private static func automatic(_ mark: Mark) -> String {
    let claim = Claim.all(of: mark).first { $0.subject == .taggedByWatch }
    guard case .moment(let seconds)? = claim?.value else { return "" }
    return ", tagged automatically \(MomentText.exact(seconds))"
  }

  private static func text(_ value: MarkValue) -> String {
    switch value {
    case .source(let source, let mistyped):
      list(
        [list([application(source), source.path.map(quoted)])] + mistyped.map { "\($0)" }, "; ")
    case .quarantine(let quarantine): text(quarantine)
    case .origins(let origins): text(origins)
    case .moment(let seconds): MomentText.exact(seconds)
    case .tags(let tags):
      tags.isEmpty ? "none" : tags.map { quoted($0.name) }.joined(separator: ", ")
    case .applicationKey: "an application key, meaningful only on the Mac that wrote it"
    case .zone(let zone): text(zone)
    case .text(let text): quoted(text)
    case .item(let item): text(item)
    case .use(let use):
      list([
        quoted(use.application), use.seconds.map(MomentText.exact),
        use.first == use.seconds ? nil : use.first.map { "first \(MomentText.exact($0))" },
        use.count.map { CountText.of($0, "time") },
      ])
    case .grant(let application, let permissions):
      list([quoted(application)] + permissions.map { "may \(place(Array($0.utf8)))" })
    case .download(let record, let match): text(record, match)
    case .embedded(let origin): text(origin)
    case .package(let record, let verification): text(record, verification)
    case .repository(let record): text(record)
    case .witness(let record, let voidness): text(record, voidness)
    }
  }

  /// The parts that are known, one after the other. Swift's `joined` looks for conformances when it is called
  /// first.
  private static func list(_ parts: [String?], _ separator: String = ", ") -> String {
    var list = ""
    for (number, part) in parts.compactMap(\.self).enumerated() {
      if number > 0 { list += separator }
      list += part
    }
    return list
  }

  /// The program, its words where these say more, the device, and the programs of the history.
  private static func text(_ origin: EmbeddedOrigin) -> String {
    let program = origin.program
    let words = program?.words == program?.title ? nil : program?.words
    let earlier = origin.programs.filter { $0.words != program?.words }.map { quoted($0.words) }
    let hasCredentials = origin.history.contains(where: \.isCredential)
    return list([
      program.map { "by \(quoted($0.title))" }, words.map { "called \(quoted($0))" },
      origin.device.map { "with \(quoted($0))" },
      earlier.isEmpty ? nil : "in its history \(earlier.joined(separator: ", "))",
      hasCredentials ? "content credentials not verified" : nil,
    ])
  }

  private static func text(
    _ record: DownloadRecord, _ match: DownloadRecord.Match
  ) -> String {
    let first = record.firstURL == record.url ? nil : record.firstURL
    return list([
      record.url.map(quoted), first.map { "asked for as \(quoted($0))" },
      record.page.map { "linked from \(quoted($0))" }, "by \(quoted(record.browser))",
      record.end.map(MomentText.exact),
      match == .content ? "then at \(EscapedText(quoting: record.path[...]))" : nil,
    ])
  }

  /// How far to trust a mark, in words.
  static func trust(_ mark: Mark) -> String {
    if case .download(_, .content)? = mark.value {
      return "recorded on this computer of a file of the same size and time, likely this one"
    }
    return mark.trust.description
  }

  /// What the app that handed the content over said of it.
  private static func text(_ item: ShareItem) -> String {
    let words = list([
      item.title.map(quoted), item.referrer.appName.map { "shared by \(quoted($0))" },
      item.sourceURL.map { "from \(quoted($0))" },
      item.referrer.webURL.map { "linked from \(quoted($0))" },
    ])
    return words.isEmpty ? "a share item" : words
  }

  /// A mail has its sender, subject and identifier where a download has URLs.
  private static func text(_ origins: [String]) -> String {
    guard let sender = origins.first, !MarkValue.isDownload(origins) else {
      return origins.map(quoted).joined(separator: ", linked from ")
    }
    let rest = origins.dropFirst().enumerated().map { position, text in
      (position == 0 ? "subject " : position == 1 ? "message " : "") + quoted(text)
    }
    return list([quoted(sender)] + rest)
  }

  private static func text(_ quarantine: Quarantine) -> String {
    let words: [(Quarantine.Flags, String)] = [
      (.download, "downloaded"), (.sandbox, "by a sandboxed application"),
      (.approved, "approved by the user"),
    ]
    let flags = words.filter { quarantine.flags.contains($0.0) }.map(\.1)
    return list(
      [agent(quarantine), quarantine.seconds.map { MomentText.exact(Double($0)) }] + flags)
  }

  private static func agent(_ quarantine: Quarantine) -> String? {
    let agent = DocumentSource(identifier: quarantine.agentIdentifier, name: quarantine.agent)
    return agent.isEmpty ? nil : application(agent)
  }

  private static func text(_ zone: ZoneIdentifier) -> String {
    func field(_ field: ZoneIdentifier.Field, _ text: String?) -> String? {
      text.map(quoted) ?? zone.undecoded[field].map { EscapedText(quoting: $0[...]).description }
    }
    return list([
      zone.zone.map { "\($0)" }, field(.hostURL, zone.hostURL),
      field(.referrerURL, zone.referrerURL).map { "linked from \($0)" },
      field(.hostAddress, zone.hostAddress),
      field(.lastWriter, zone.lastWriter).map { "last written by \($0)" },
    ])
  }

  static func value(_ claim: Claim) -> String {
    switch claim.value {
    case .text(let text): quoted(text)
    case .moment(let seconds): MomentText.exact(seconds)
    case .zone(let zone): "\(zone)"
    case .use(let use): quoted(use.application)
    }
  }

  static func label(_ kind: MarkKind) -> String {
    switch kind {
    case .documentSource: "Source"
    case .quarantine: "Quarantine"
    case .whereFroms: "Where from"
    case .downloadedDate: "Downloaded"
    case .userTags: "Tags"
    case .finderComment: "Comment"
    case .metadataCreator: "Creator"
    case .originSubject: "Subject"
    case .lastUsedDate: "Last used"
    case .applicationKey: "Provenance"
    case .zoneIdentifier: "Zone"
    case .originURL: "Origin"
    case .referrerURL: "Referrer"
    case .mediaType: "Media type"
    case .creator: "Creator"
    case .note(let name): note(name)
    case .shareItem: "Share item"
    case .recentUse: "Recent use"
    case .activity: "Activity"
    case .portalGrant: "Portal"
    case .searchIndex: "Search index"
    case .downloadRecord: "Download"
    case .embeddedOrigin: "Content"
    case .packageRecord: "Package"
    case .repositoryRecord: "Repository"
    case .witness: "Witness"
    }
  }

  /// A package with its version; as it is where it has only what names and versions of packages have.
  private static func package(_ title: String) -> String {
    let words = title.split(separator: " ", omittingEmptySubsequences: false)
    let isPlain =
      words.count <= 2
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte)
              || ".-_+~:^".utf8.contains(byte)
          }
      }
    return isPlain ? title : quoted(title)
  }

  private static func text(
    _ record: PackageRecord, _ verification: PackageRecord.Verification?
  ) -> String {
    let checked: String? =
      switch verification {
      case .same: "content as in the package"
      case .changed: "content differs from that in the package"
      case .unknown: "content not verified"
      case nil: nil
      }
    return list([
      quoted(record.title), record.architecture.map { "for \(quoted($0))" },
      "installed by \(record.manager.rawValue)",
      record.path == record.file ? nil : "as \(EscapedText(quoting: record.path[...]))", checked,
    ])
  }

  /// The repository, its address, the commit and whether the file is as in that.
  private static func text(_ record: RepositoryRecord) -> String {
    let repository = [quoted(record.repository.name), record.repository.remote.map(quoted)]
    let commit = record.commit.map { commit in
      "commit \(commit.identifier.prefix(8)) of \(MomentText.day(Double(commit.seconds)))"
        + " by \(quoted(commit.author)), \(quoted(commit.subject))"
    }
    let change = list([commit, record.state.map(words)], "; ")
    return list(repository) + (change.isEmpty ? "" : ": \(change)")
  }

  /// Who was seen writing the file last, and what is known since.
  private static func text(_ record: WitnessRecord, _ voidness: Witness.Voidness?) -> String {
    guard let event = record.history.last else { return "" }
    let writer = [event.application.map(quoted), "the program \(quoted(event.executable))"]
    let seen =
      "written by " + list(writer) + ", "
      + MomentText.exact(Double(event.time / 1_000_000_000))
    return seen + (voidness.map { "; \(words($0))" } ?? "")
  }

  /// Why a record says nothing of the present content.
  static func words(_ voidness: Witness.Voidness) -> String {
    switch voidness {
    case .otherFile: "that was another file, which was copied here"
    case .content: "changed since by something not seen"
    case .something: "changed since by something not seen, perhaps only its name or attributes"
    case .isWritten: "a program has it open for writing now"
    }
  }

  private static func words(_ state: RepositoryRecord.State) -> String {
    switch state {
    case .unchanged: "unchanged since"
    case .staged: "staged"
    case .changed: "changed since"
    case .untracked: "not tracked"
    case .ignored: "ignored"
    }
  }

  /// Labels of other marks that one word makes.
  private static let ownLabels: Set = [
    "source", "quarantine", "download", "content", "downloaded", "tags", "provenance", "zone",
    "origin", "referrer", "creator", "contradiction", "package", "activity", "portal", "repository",
    "witness",
  ]

  /// The last word of the name where it is one, and no label of another mark: names below
  /// `dublincore.` may be anything.
  private static func note(_ name: String) -> String {
    let word = name.split(separator: ".").last ?? ""
    let isWord =
      !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d }
    let isOurs = name.hasPrefix("dublincore.") && ownLabels.contains(word.lowercased())
    return isWord && !isOurs ? word.prefix(1).uppercased() + word.dropFirst() : "Note"
  }

  /// What claims disagree about.
  static func label(_ subject: Claim.Subject) -> String {
    switch subject {
    case .identifier: "application identifier"
    case .name: "application name"
    case .path: "path in the application"
    case .taggedByWatch: "automatic tag"
    case .creator: "creating application"
    case .url: "download URL"
    case .referrer: "referring page"
    case .sender: "sender"
    case .agent: "downloading program"
    case .downloaded: "download time"
    case .zone: "zone"
    case .lastUse: "last application"
    case .program: "program in the content"
    case .device: "device in the content"
    case .package: "package"
    case .repository: "repository"
    }
  }
}
