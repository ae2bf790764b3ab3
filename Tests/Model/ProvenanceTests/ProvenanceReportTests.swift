import DocumentSource
import ForeignFormats
import LinuxSystem
import Testing
import Witness

@testable import Provenance

/// What a report takes for the answer, and what it shows besides.
@Suite struct ProvenanceReportTests {
  private static func text(
    _ kind: MarkKind, _ text: String, _ trust: Trust = .claim, _ carrier: String = "c"
  ) -> Mark {
    Mark(
      kind, in: MarkCarrier(form: .attribute, name: Array(carrier.utf8)), trust: trust,
      bytes: Array(text.utf8))
  }

  private static func report(_ marks: Mark..., modified: Double? = nil) -> ProvenanceReport {
    ProvenanceReport(file: FilePath("file"), marks: marks, modified: modified)
  }

  @Test func whatStandsOnTheFileCountsBeforeWhatStandsBeside() {
    let report = Self.report(
      Self.text(.quarantine, "0081;5fad2a2e;Safari;", .beside),
      Self.text(.quarantine, "0081;5fad2a2e;Firefox;", .claim))
    #expect(report.text(.agent) == "Firefox")
    #expect(report.marks.count == 2)
    #expect(report.contradictions.map(\.subject) == [.agent])
  }

  /// A mark in the AppleDouble file beside.
  private static func beside(_ kind: MarkKind, _ bytes: [UInt8]) -> Mark {
    Mark(
      kind, in: MarkCarrier(form: .appleDouble, name: Array("._file:\(kind.name)".utf8)),
      trust: .beside, bytes: bytes)
  }

  private static func source(
    _ identifier: String?, name: String? = nil, path: String? = nil
  ) throws -> [UInt8] {
    try DocumentSource(identifier: identifier, name: name, path: path).encoded()
  }

  @Test func nothingCountsInAFileOfWhichAMarkContradicts() throws {
    let download = Self.beside(.quarantine, Array("0081;5fad2a2e;Safari;".utf8))
    let origins = Self.beside(.whereFroms, Self.origins(["https://a.example/"]).bytes)
    let own = Self.text(.quarantine, "0082;5fad2a2e;Editor;")
    let agreeing = Self.report(Self.text(.quarantine, "0082;5fad2a2e;Safari;"), download, origins)
    #expect(agreeing.host == "a.example")
    #expect(agreeing.isDownload)
    let report = Self.report(own, download, origins)
    #expect(report.text(.agent) == "Editor")
    #expect(report.host == nil)
    #expect(!report.isDownload)
    #expect(report.contradictions.map(\.subject) == [.agent])
    // The mark that contradicts comes after those which do not.
    let tagged = Self.report(
      Self.text(.originURL, "https://b.example/"), download, origins,
      Self.beside(.documentSource, try Self.source("com.b")))
    #expect(tagged.text(.url) == "https://b.example/")
    #expect(tagged.first(.identifier) == nil)
    #expect(tagged.first(.agent) == nil)
  }

  @Test func ofMarksOnTheFileOnlyThatCountsWhichContradictsNone() {
    let report = Self.report(
      Self.origins(["https://a.example/"]), Self.text(.originURL, "https://b.example/"),
      Self.text(.creator, "editor"))
    #expect(report.text(.url) == "https://a.example/")
    #expect(report.text(.creator) == "editor")
  }

  @Test func pathWithoutAnApplicationContradictsNone() throws {
    let own = try Self.source(nil, path: "p/q")
    func mark(_ bytes: [UInt8]) -> Mark {
      Mark(
        .documentSource, in: MarkCarrier(form: .attribute, name: Array("c".utf8)), trust: .claim,
        bytes: bytes)
    }
    let report = Self.report(
      mark(own), Self.beside(.documentSource, try Self.source("com.b", name: "B", path: "r")))
    #expect(report.text(.name) == "B")
    #expect(report.text(.path) == "r")
    #expect(Self.report(mark(own)).text(.path) == "p/q")
  }

  @Test func lettersOfIdentifiersAgreeInEitherCase() throws {
    let report = Self.report(
      Mark(
        .documentSource, in: MarkCarrier(form: .attribute, name: Array("c".utf8)), trust: .claim,
        bytes: try Self.source("com.a")),
      Self.beside(.documentSource, try Self.source("COM.A")),
      Self.beside(.whereFroms, Self.origins(["https://a.example/"]).bytes))
    #expect(report.contradictions.isEmpty)
    #expect(report.text(.identifier) == "com.a")
    #expect(report.host == "a.example")
  }

  @Test func whatIsInAnotherUsersFileIsShownAndDoesNotCount() {
    let report = Self.report(
      Self.text(.originURL, "https://a.example/", .foreign),
      Self.text(.quarantine, "0001;5fad2a2e;Safari;", .foreign))
    #expect(report.first(.url) == nil)
    #expect(report.host == nil)
    #expect(!report.isDownload)
    #expect(report.marks.count == 2)
    #expect(report.claims.map(\.subject) == [.agent, .downloaded, .url])
  }

  @Test func momentsWithinHalfAnHourAgree() {
    func contradictions(_ seconds: String) -> [Claim.Subject] {
      Self.report(
        Self.text(.quarantine, "0081;5fad2a2e;;"), Self.text(.quarantine, "0081;\(seconds);;")
      ).contradictions.map(\.subject)
    }
    #expect(contradictions("5fad3136") == [])
    #expect(contradictions("5fad3137") == [.downloaded])
  }

  @Test(arguments: [
    ("https://Example.com:8080/a", "example.com"), ("ftp://u:p@host.example", "host.example"),
    ("blob:https://page.example/uuid", "page.example"), ("https://a.example?x|{}", "a.example"),
    ("https://[2001:DB8::1]/", "[2001:db8::1]"), ("file:///etc/passwd", nil), ("about:blank", nil),
    ("https:///x", nil), ("C:\\x", nil), ("", nil), ("x", nil), ("https://a b/", nil),
    ("://a", nil),
  ])
  func hostOfAURL(_ url: String, _ host: String?) {
    #expect(LinkText.host(of: url) == host)
  }

  @Test(
    arguments: [
      (
        ["https://a.example/x", "https://b.example/"],
        [
          .url: "https://a.example/x",
          .referrer: "https://b.example/",
        ]
      ),
      (["", "https://b.example/"], [.referrer: "https://b.example/"]),
      (["blob:https://a.example/1"], [.url: "blob:https://a.example/1"]),
      (
        ["Jane Doe <j@example.com>", "Subject", "message:%3C1%3E"],
        [.sender: "Jane Doe <j@example.com>"]
      ),
      (["Jane's iPhone"], [.sender: "Jane's iPhone"]),
      ([""], [:]),
    ] as [([String], [Claim.Subject: String])])
  func whereFromsIsADownloadOrASender(_ origins: [String], _ claims: [Claim.Subject: String]) {
    let report = Self.report(Self.origins(origins))
    let found = report.claims.map { claim in
      (claim.subject, report.text(claim.subject) ?? "")
    }
    #expect(Dictionary(uniqueKeysWithValues: found) == claims)
  }

  /// As a binary property list: an array, and short ASCII strings.
  private static func origins(_ texts: [String]) -> Mark {
    var bytes = Array("bplist00".utf8)
    var offsets = [bytes.count]
    bytes.append(0xa0 | UInt8(texts.count))
    bytes += (0..<texts.count).map { UInt8($0 + 1) }
    for text in texts {
      offsets.append(bytes.count)
      bytes += [0x5f, 0x10, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    let table = bytes.count
    bytes += offsets.map { UInt8($0) } + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [offsets.count, 0, table] {
      bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(number)]
    }
    return Mark(
      .whereFroms, in: MarkCarrier(form: .attribute, name: []), trust: .claim, bytes: bytes)
  }

  private static func witness(
    _ application: String?, _ voidness: Witness.Voidness? = nil
  ) throws -> Mark {
    let file = ContentVersion(inode: 1, born: 2, size: 3, modified: 4, changed: 5)
    let event = WitnessRecord.Event(
      application: application, executable: "/usr/bin/seen", knowledge: .executable,
      action: .created, time: 1_000_000_000_000)
    let record = try #require(
      WitnessRecord(boot: "b", file: file, changeEnd: 6, history: [event]))
    return Mark(
      .witness, in: MarkCarrier(form: .attribute, name: Array("security.docsource".utf8)),
      trust: .witnessed, content: .value(.witness(record, voidness)))
  }

  @Test func applicationThatWasSeenCountsBeforeOneThatIsClaimed() throws {
    let claimed = Mark(
      .documentSource, in: MarkCarrier(form: .attribute, name: Array("s".utf8)), trust: .claim,
      content: .value(
        .source(DocumentSource(identifier: "org.a.Claimed", name: "Claimed"), mistyped: [])))
    func report(_ witness: Mark) -> ProvenanceReport {
      ProvenanceReport(file: FilePath("f"), marks: [claimed, witness])
    }
    let refuted = report(try Self.witness("org.b.Seen"))
    #expect(refuted.text(.identifier) == "org.b.Seen")
    #expect(refuted.text(.name) == nil)
    #expect(refuted.contradictions.map(\.subject) == [.identifier])
    let confirmed = report(try Self.witness("org.A.claimed"))
    #expect(confirmed.text(.identifier) == "org.a.Claimed")
    #expect(confirmed.text(.name) == "Claimed")
    #expect(confirmed.contradictions.isEmpty)
    for witness in [try Self.witness(nil), try Self.witness("org.b.Seen", .content)] {
      #expect(report(witness).text(.identifier) == "org.a.Claimed")
      #expect(report(witness).contradictions.isEmpty)
    }
    let alone = ProvenanceReport(file: FilePath("f"), marks: [try Self.witness("org.b.Seen")])
    #expect(alone.text(.identifier) == "org.b.Seen")
    #expect(alone.life.map(\.program) == ["org.b.Seen"])
    let copied = ProvenanceReport(
      file: FilePath("f"), marks: [try Self.witness("org.b.Seen", .otherFile)])
    #expect(copied.life.isEmpty && copied.claims.isEmpty)
  }
}
