import Foundation
import Glibc
import TestSupport
import Testing

/// Other programs put new files in the place of carriers between the last look and the change, which
/// strace(1) delays and logs.
@Suite struct CarrierRaceTests {
  private let directory: TemporaryDirectory
  private let streams: TemporaryDirectory
  private let file: MarkedFile
  private let double: [UInt8]

  init() throws {
    // Where fsync(2) takes no time.
    directory =
      try access("/dev/shm", W_OK) == 0 ? TemporaryDirectory(in: "/dev/shm") : TemporaryDirectory()
    streams = try TemporaryDirectory()
    file = try MarkedFile(directory.file("doc"))
    double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    try directory.write(double, to: "._doc")
  }

  /// Starts the tool with some of its calls of renameat2(2) delayed by a second and a half.
  private func start(_ arguments: String..., delaying calls: String) throws -> RunningProcess {
    let strace = [
      "strace", "-f", "-qq", "-o", streams.path("calls"), "-e", "trace=renameat2",
      "-e", "signal=none", "-e", "inject=renameat2:delay_enter=1500000" + calls, Docsource.path,
    ]
    return try RunningProcess(
      (strace + arguments).map { Array($0.utf8) }, in: directory.root, streams: streams)
  }

  /// Waits until the tool has begun so many calls: strace writes a call's arguments before the delay.
  private func waitForCalls(_ count: Int) throws {
    try Patience.wait {
      let log = access(streams.path("calls"), F_OK) == 0 ? try streams.text("calls") : ""
      return log.matches(of: /\brenameat2\(/).count >= count
    }
  }

  /// Another program's file takes the place of the carrier.
  private func replaceCarrier(_ content: String) throws {
    try directory.file("new", content)
    try #require(rename(directory.path("new"), directory.path("._doc")) == 0)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted() }
  }

  @Test func newCarrierIsNotRemovedUnread() throws {
    let adopting = try start("adopt", "doc", delaying: ":when=1")
    try waitForCalls(1)
    #expect(try file.all().count == 2)
    try replaceCarrier("new")
    #expect(adopting.wait() == 2)
    #expect(
      try streams.text("errors")
        == "docsource: doc: kept ._doc: another program changed the carrier in the meantime\n")
    #expect(try directory.text("._doc") == "new")
    #expect(try names == ["._doc", "doc"])
  }

  @Test func carrierThatCannotGoBackIsKeptAndNamed() throws {
    let adopting = try start("adopt", "doc", delaying: "")
    try waitForCalls(1)
    #expect(try file.all().count == 2)
    try replaceCarrier("new")
    try Patience.wait { access(directory.path("._doc"), F_OK) != 0 }
    try directory.file("._doc", "newer")
    #expect(adopting.wait() == 2)
    #expect(try directory.text("._doc") == "newer")
    let kept = try names.filter { !["._doc", "doc"].contains($0) }
    try #require(kept.count == 1)
    #expect(kept[0].wholeMatch(of: /\.docsource-[0-9]+-[0-9a-f]+-kept/) != nil, "\(kept)")
    #expect(try directory.text(kept[0]) == "new")
    #expect(
      try streams.text("errors")
        == "docsource: doc: kept ._doc: other programs changed the carrier in the meantime; one"
        + " version is now named \(kept[0])\n")
  }

  /// The second call is the one that exchanges the names.
  @Test(arguments: [1, 2])
  func newCarrierIsNotReplacedUnread(_ call: Int) throws {
    try file.set(Array("Paint".utf8), "user.creator")
    let stripping = try start("strip", "--keep=source", "doc", delaying: ":when=\(call)")
    try waitForCalls(call)
    #expect(try file.all().isEmpty)
    try replaceCarrier("new")
    #expect(stripping.wait() == 2)
    #expect(
      try streams.text("errors") == "docsource: doc: cannot remove ._doc: file exists\n")
    #expect(try directory.text("._doc") == "new")
    #expect(try names == ["._doc", "doc"])
  }
}
