import DocumentSource
import ForeignFormats
import LinuxSystem
import Testing

@testable import Provenance

/// What happened to a file, by its marks.
@Suite struct LifeEventTests {
  private static func mark(
    _ kind: MarkKind, _ place: String, _ value: MarkValue, _ trust: Trust = .claim
  ) -> Mark {
    Mark(
      kind, in: MarkCarrier(form: .attribute, name: Array(place.utf8)), trust: trust,
      content: .value(value))
  }

  /// Each event as a line: its kind, its time, the program, the origin, and what says so.
  private static func life(_ marks: [Mark], modified: Double? = nil) -> [String] {
    ProvenanceReport(file: FilePath("f"), marks: marks, modified: modified).life.map { event in
      [
        event.kind.rawValue, event.seconds.map { "\($0)" } ?? "-", event.program ?? "-",
        event.origin ?? "-", event.evidence.map(\.carrier.description).joined(separator: "+"),
      ].joined(separator: " ")
    }
  }

  private static func quarantine(_ seconds: Int64, _ agent: String, _ flags: String) throws -> Mark
  {
    let text = "\(flags);\(String(seconds, radix: 16));\(agent);"
    return mark(.quarantine, "q", .quarantine(try Quarantine(Array(text.utf8))))
  }

  @Test func marksThatAgreeAreEvidenceOfOneEvent() throws {
    let marks = [
      try Self.quarantine(1000, "Safari", "0081"),
      Self.mark(.whereFroms, "w", .origins(["https://a.example/x", "https://b.example/"])),
      Self.mark(.downloadedDate, "d", .moment(1060)),
    ]
    #expect(Self.life(marks) == ["downloaded 1000.0 Safari a.example q+w+d"])
  }

  @Test func marksThatContradictHaveAnEventEach() {
    let marks = [
      Self.mark(.originURL, "o", .text("https://a.example/x")),
      Self.mark(.downloadedDate, "d", .moment(1000)),
      Self.mark(.whereFroms, "w", .origins(["https://c.example/"])),
    ]
    #expect(
      Self.life(marks) == ["downloaded 1000.0 - c.example w+d", "downloaded - - a.example o"])
    let times = [
      Self.mark(.downloadedDate, "d", .moment(100_000)),
      Self.mark(.downloadedDate, "e", .moment(1)),
    ]
    #expect(Self.life(times) == ["downloaded 1.0 - - e", "downloaded 100000.0 - - d"])
  }

  @Test(
    arguments: [
      (1000, ["downloaded 1000.0 - - d"]), (1010, ["downloaded 1000.0 - - d"]),
      (990, ["downloaded 1000.0 - - d"]),
      (1010.5, ["downloaded 1000.0 - - d", "changed 1010.5 - - "]),
      (989, ["changed 989.0 - - ", "downloaded 1000.0 - - d"]),
    ] as [(Double, [String])])
  func changeIsNamedWhereNothingAccountsForIt(_ modified: Double, _ life: [String]) {
    #expect(Self.life([Self.mark(.downloadedDate, "d", .moment(1000))], modified: modified) == life)
  }

  @Test func usesAreEventsOfTheirOwn() {
    func use(_ seconds: Double?, first: Double? = nil) -> Mark {
      Self.mark(
        .activity, "u", .use(RecentUse(application: "Kate", seconds: seconds, first: first)),
        .record)
    }
    #expect(
      Self.life([use(200, first: 100)], modified: 1) == [
        "changed 1.0 - - ", "used 100.0 Kate - u", "used 200.0 Kate - u",
      ])
    #expect(Self.life([use(200, first: 200)], modified: 199) == ["written 200.0 Kate - u"])
    #expect(Self.life([use(nil)], modified: 5) == ["changed 5.0 - - ", "used - Kate - u"])
  }

  @Test func historyOfTheContentHasItsTimes() {
    func step(_ program: String?, _ time: String?) -> EmbeddedOrigin.Step {
      EmbeddedOrigin.Step(program: program, action: "saved", time: time, isCredential: false)
    }
    let origin = EmbeddedOrigin(
      tag: "t", program: "GIMP 2.10", device: "Canon",
      history: [
        step("GIMP 2.10", "1970:01:01 01:00:10+01:00"), step("Other", "1970:01:02 00:00:00"),
        step("Darktable", "1970:01:01 00:00:00.5Z"),
      ])
    #expect(
      Self.life([Self.mark(.embeddedOrigin, "e", .embedded(origin), .embedded)]) == [
        "written 0.0 Darktable - e", "written 10.0 GIMP 2.10 - e", "recorded - Canon - e",
      ])
  }

  @Test(arguments: [
    ("1970:01:01 00:00:00Z", 0), ("1970:01:01 00:00:00.123-01:30", 5400),
    ("1970:01:01 00:00:00+00:00", 0), ("1970:01:01 00:00:00", nil), ("1970:01:01", nil),
    ("1970:02:30 00:00:00Z", nil), ("1970:01:01 00:00:00+24:00", nil),
    ("1970:01:01 00:00:00+1:00", nil), ("1970:01:01 00:00:00+01", nil),
    ("1970:01:01 00:00:00 UTC", nil), ("käse:01:01 00:00:00Z", nil), ("", nil),
  ])
  func timesOfStepsNeedTheirZone(_ text: String, _ seconds: Double?) {
    let step = EmbeddedOrigin.Step(program: nil, action: nil, time: text, isCredential: false)
    #expect(step.seconds == seconds)
  }

  @Test func otherMarksHaveTheirEvents() {
    let package = PackageRecord(
      manager: .dpkg, package: "coreutils", version: "9.1", database: [1], file: [2], path: [2],
      installed: 8)
    let commit = RepositoryRecord.Commit(identifier: "a0", seconds: 9, author: "Anna", subject: "S")
    let repository = RepositoryRecord(
      RepositoryRecord.Repository(root: Array("/home/anna/letters".utf8)), path: [2],
      commit: commit,
      state: .unchanged)
    let marks = [
      Self.mark(.repositoryRecord, "r", .repository(repository), .record),
      Self.mark(.whereFroms, "w", .origins(["anna@example.com", "Subject"])),
      Self.mark(.packageRecord, "p", .package(package, nil), .record),
      Self.mark(
        .portalGrant, "g", .grant(application: "org.gimp.GIMP", permissions: ["read"]), .record),
      Self.mark(.lastUsedDate, "l", .moment(7)),
      Self.mark(.userTags, "t", .tags([])),
      Self.mark(.documentSource, "s", .source(DocumentSource(identifier: "a.b"), mistyped: [])),
    ]
    #expect(
      Self.life(marks) == [
        "used 7.0 - - l", "installed 8.0 - coreutils 9.1 p", "committed 9.0 Anna letters r",
        "tagged - - a.b s", "sent - - anna@example.com w",
      ])
  }
}
