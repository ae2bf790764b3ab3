import DocumentSource
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

@Suite struct WatchLogTests {
  private let place: TemporaryDirectory
  private let path: String

  init() throws {
    place = try TemporaryDirectory()
    path = place.path("docsource/watch.log")
  }

  private static let source = DocumentSource(
    identifier: "org.example.Editor", name: "Editor", path: "a\nb")

  @Test func entriesAreWrittenAndCounted() throws {
    let log = WatchLog(in: FilePath(place.root))
    log.append(Self.source)
    #expect(!FileManager.default.fileExists(atPath: path))
    log.flush()
    log.append(Self.source)
    log.append(DocumentSource(identifier: "org.example.Other"))
    log.flush()
    #expect(
      WatchLog.counts(at: FilePath(path)) == [
        WatchLog.Count(identifier: "org.example.Editor", name: "Editor", count: 2),
        WatchLog.Count(identifier: "org.example.Other", name: nil, count: 1),
      ])
    let status = try FileManager.default.attributesOfItem(atPath: path)
    #expect(status[.posixPermissions] as? Int == 0o600)
    #expect(try place.text("docsource/watch.log").contains("\"path\":\"a\\nb\""))
  }

  @Test func oldEntriesAreRemoved() throws {
    let old = Date(timeIntervalSinceNow: -90_000).formatted(.iso8601)
    let new = Date(timeIntervalSinceNow: -3600).formatted(.iso8601)
    let late = Date(timeIntervalSinceNow: 3600).formatted(.iso8601)
    try place.file(
      "docsource/watch.log",
      "{\"time\":\"\(new)\",\"identifier\":\"b\"}\n{\"time\":\"\(late)\",\"identifier\":\"c\"}\n"
        + "{\"time\":\"\(old)\",\"identifier\":\"a\"}\nno line\n")
    let log = WatchLog(in: FilePath(place.root))
    log.append(Self.source)
    log.flush()
    let lines = try place.text("docsource/watch.log").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == "{\"time\":\"\(new)\",\"identifier\":\"b\"}")
  }

  @Test func largeFileLosesItsFirstHalf() throws {
    let new = Date(timeIntervalSinceNow: -3600).formatted(.iso8601)
    let lead = "{\"time\":\"\(new)\",\"identifier\":\""
    let count = (1 << 20) / (lead.utf8.count + 8)
    try place.file(
      "docsource/watch.log", (0..<count).map { "\(lead)\($0 + 10000)\"}\n" }.joined())
    let log = WatchLog(in: FilePath(place.root))
    log.append(Self.source)
    log.flush()
    let counts = WatchLog.counts(at: FilePath(path))
    #expect(counts.count == count / 2 + 1)
    #expect(!counts.contains { $0.identifier == "10000" })
    #expect(counts.contains { $0.identifier == "\(count + 9999)" })
  }

  /// Another file may be at the place.
  @Test func linkIsNotFollowed() throws {
    let other = try place.file("other", "no line\n")
    try place.file("docsource/x", "")
    #expect(symlink(other, path) == 0)
    let log = WatchLog(in: FilePath(place.root))
    log.append(Self.source)
    log.flush()
    #expect(try place.text("other") == "no line\n")
  }
}
