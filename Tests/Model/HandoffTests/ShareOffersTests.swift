import CompanionProtocol
import Foundation
import Handoff
import LinuxSystem
import ShareItem
import Synchronization
import TestSupport
import Testing
import TextFormats

/// A desktop with one application, which opens everything, and a count of what it is asked.
private final class FakeDesktop: DesktopClient {
  let isSandboxed = false
  private let questions = Mutex<[String]>([])

  var asked: [String] { questions.withLock { $0 } }

  private func count(_ question: String) { questions.withLock { $0.append(question) } }

  private static let viewer = DesktopProtocol.Application(
    identifier: "org.example.Viewer", name: "Viewer")

  func applications(
    for targets: [[UInt8]], others: Bool
  ) throws(DesktopFailure) -> DesktopListing {
    count("applications")
    return DesktopListing(
      targets.map { .type(target: $0, "text/plain", .plainText) }
        + [.application(Self.viewer, .standard, icon: "")])
  }

  func handlers(of keys: [String]) throws(DesktopFailure) -> [String: Application] {
    count("handlers")
    return [:]
  }

  func launch(
    _ application: String?, _ targets: [[UInt8]], _ options: LaunchOptions
  ) throws(DesktopFailure) -> [LaunchOutcome] {
    count("launch \(application ?? "default")")
    guard application != "broken" else { throw DesktopFailure("the desktop is broken") }
    guard application != "failing" else { return [.failed(targets: targets, reason: "no display")] }
    return [.started(Self.viewer, targets: targets, isInTerminal: false, arguments: [])]
  }

  func compose(
    mail fields: [(name: String, value: [UInt8])]
  ) throws(DesktopFailure) -> [LaunchOutcome] {
    []
  }

  func bookmarks(in list: [UInt8]) throws(DesktopFailure) -> [Bookmark] { [] }

  func adding(_ page: Bookmark, to list: [UInt8]) throws(DesktopFailure) -> [UInt8] { list }

  func removing(url: String, from list: [UInt8]) throws(DesktopFailure) -> [UInt8] { list }
}

/// The sharing engine without a command line, asked with a desktop of the test's own.
@Suite struct ShareOffersTests {
  private let directory: TemporaryDirectory
  private let desktop = FakeDesktop()
  private let places: BaseDirectories

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    places = BaseDirectories { name in
      switch name {
      case "XDG_DATA_HOME": Array(directory.path("data").utf8)
      case "XDG_DATA_DIRS": Array(directory.path("share").utf8)
      default: nil
      }
    }
    try FileManager.default.createDirectory(
      atPath: directory.path("data/docsource/targets"), withIntermediateDirectories: true)
    _ = try directory.file(
      "data/docsource/targets/reader.target", "[Share Target]\nExec=reader\nOptions=folder\n")
    _ = try directory.file(
      "data/docsource/targets/post.target",
      "[Share Target]\nExec=post\nActivity=com.apple.UIKit.activity.Mail\nAccepts=url\n")
    _ = try directory.file("data/docsource/targets/flawed.target", "[Share Target]\n")
    _ = try directory.file("a.txt", "text\n")
  }

  private var services: HandoffServices {
    HandoffServices(
      desktop: desktop, list: { _ in nil }, write: { _, _ in nil },
      ask: { _ in .nobody })
  }

  private func request(
    _ operands: [String], title: String? = nil, text: String? = nil
  ) throws(ShareRequest.Failure) -> ShareRequest {
    try ShareRequest(
      operands.map { Array($0.utf8) }, title: title, text: text, keeping: .parts([]),
      allowsAnyPath: false, reading: { _ in nil })
  }

  private func offers(
    _ operands: [String], excluding words: [String] = []
  ) throws -> ShareOffers {
    ShareOffers(
      for: try request(operands), excluding: words, by: .apple, others: false, in: places, services)
  }

  private static let mayPrint = Program.installed("lp") != nil

  /// A target whose activity is mail is judged by types, too.
  @Test(arguments: ["print", "save", "mail"])
  func activityAsksOnceIfTypesCount(word: String) throws {
    var offers = try offers([directory.path("a.txt")])
    #expect(try offers.offer(word)?.fits == (word != "print" || Self.mayPrint))
    #expect(try offers.offer(word)?.name == offers.offer(word)?.name)
    #expect(desktop.asked == ["applications"])
  }

  @Test(arguments: ["copy", "airdrop", "message", "UIActivityTypeCopyToPasteboard"])
  func activityAsksNothing(word: String) throws {
    var offers = try offers([directory.path("a.txt")])
    #expect(try offers.offer(word) != nil)
    #expect(desktop.asked == [])
  }

  @Test func wordsMeanTargetsBeforeApplications() throws {
    var offers = try offers([directory.path("a.txt")])
    #expect(try offers.offer("reader")?.name == "reader")
    #expect(try offers.offer("Viewer")?.identifier == "org.example.Viewer")
    #expect(try offers.offer("org.example.Viewer.desktop")?.name == "Viewer")
    #expect(try offers.offer("nobody") == nil)
    #expect(desktop.asked == ["applications"])
    #expect(offers.flaws.map(\.reason) == ["the group [Share Target] has no key Exec"])
  }

  @Test func whatIsExcludedIsNotOffered() throws {
    var offers = try offers(
      [directory.path("a.txt")], excluding: ["mail", "reader", "flawed", "none", "airdrop"])
    #expect(try offers.offer("mail") == nil)
    #expect(try offers.offer("reader") == nil)
    #expect(try offers.knows(excluded: "mail") && offers.knows(excluded: "reader"))
    #expect(try offers.knows(excluded: "flawed"))
    #expect(try !offers.knows(excluded: "none"))
    let fitting = try offers.all().filter(\.fits).map(\.identifier)
    #expect(fitting == ["org.example.Viewer", "copy", "save"] + (Self.mayPrint ? ["print"] : []))
  }

  @Test(arguments: [
    (
      "javascript:alert(1)",
      "cannot share: URLs of \"javascript\" are not handed over; those of"
        + " http, https, ftp, mailto, tel, sms, geo, maps are"
    ),
    ("file:///etc/passwd", "cannot open: a URL of a file is not followed; give its path"),
    ("/nowhere/at/all", "cannot open: no such file or directory"),
    ("", "no such file or directory"),
  ])
  func whatIsNotSharedIsNamed(operand: String, reason: String) {
    let failure = #expect(throws: ShareRequest.Failure.self) { try request([operand]) }
    #expect(failure?.operand == Array(operand.utf8))
    #expect(failure?.refusal.reason == reason && failure?.refusal.remedy == nil)
  }

  @Test func handoverTellsWhatTheReceiverDoesNotTake() throws {
    let request = try request([directory.path("a.txt")], title: "Title", text: "Text")
    var options = ActivityOptions()
    options.recipients = ["ann@example.org"]
    let handover = Handover(request, options, in: places, services)
    let done = handover.perform(ShareOffer(application: "org.example.Viewer", for: request), [])
    guard case .done = done.outcome else {
      Issue.record("not done")
      return
    }
    #expect(
      done.losses == [
        "the subject, which org.example.Viewer does not take",
        "the text, which org.example.Viewer does not take",
        "the address ann@example.org, which org.example.Viewer does not take",
      ])
    for (name, reason) in [("broken", "the desktop is broken"), ("failing", "no display")] {
      let failed = handover.perform(ShareOffer(application: name, for: request), [])
      guard case .failed(let refusal) = failed.outcome else {
        Issue.record("not failed")
        return
      }
      #expect(refusal.reason == reason && failed.losses == [])
    }
    #expect(desktop.asked == ["launch org.example.Viewer", "launch broken", "launch failing"])
  }

  @Test func textIsOfferedToNoApplication() throws {
    let request = try request([], text: "said")
    #expect(request.name == Array("text".utf8))
    let offer = ShareOffer(application: "org.example.Viewer", for: request)
    let end = Handover(request, ActivityOptions(), in: places, services).perform(offer, [])
    guard case .failed(let refusal) = end.outcome else {
      Issue.record("not failed")
      return
    }
    #expect(refusal.reason == "applications open files and URLs only")
    #expect(desktop.asked == [])
  }

  @Test func documentOpenerReportsInTheOrderOfTheWork() throws {
    var opener = DocumentOpener(isDry: false, services)
    let path = directory.path("a.txt")
    opener.resolve(
      [path, "/nowhere", "maps:?q=Berlin&t=k"].map { Array($0.utf8) }, translates: true)
    try opener.open(in: nil)
    let words = opener.reports.map { report in
      switch report {
      case .opened(let outcomes, let names, _): "opened \(outcomes.count) of \(names.count)"
      case .declined: "declined"
      case .refused(let refusal): refusal.reason
      case .failed(let operand, let reason):
        "\(String(decoding: operand, as: UTF8.self)): \(reason)"
      case .lost(_, let what): "lost \(what)"
      case .unopened(_, let reason, _, _): reason
      }
    }
    #expect(
      words == [
        "/nowhere: cannot open: no such file or directory", "lost t=k, which geo: URLs do not have",
        "opened 1 of 2",
      ])
    #expect(desktop.asked == ["handlers", "launch default"])
  }
}
