import Foundation
import Glibc
import TestSupport
import Testing

@testable import IconFetch

/// `docsource icon` as a user runs it, with a server of the test's own.
struct IconVerbTests {
  private let place: IconPlace
  private let file: String
  private static let url = IconPlace.icons + "/appInfo.json"
  private static let warning =
    "docsource: warning: \(TestOverride.connectVariable) or "
    + "\(TestOverride.certificatesVariable) is set, for tests only\n"

  init() throws {
    place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((29, "icon.png"), (58, "icon@2x.png")),
        "icon.png": IconPlace.picture(29), "icon@2x.png": IconPlace.picture(58),
      ], locations: "location / { add_header Cache-Control max-age=3600; }")
    file = try place.directory.file("letter.txt", "content")
    let tagged = try Docsource.run(
      "tag", "-q", "-i", "org.example.writer", "--app-info-url", Self.url, file)
    #expect(tagged.status == 0)
  }

  private func icon(
    _ arguments: String..., url: String? = nil, variables: [String: String] = [:]
  ) throws -> Execution {
    var environment = place.environment.merging(variables) { $1 }
    environment["XDG_CONFIG_HOME"] = place.directory.path("config")
    environment["XDG_DATA_HOME"] = place.directory.path("data")
    environment["XDG_DATA_DIRS"] = place.directory.path("none")
    return try Execution.run(
      [Docsource.path, "icon"] + arguments + [url ?? file], environment: environment)
  }

  private func finished(_ pixels: Double) throws -> [UInt8] {
    try IconPlace.rendering(pixels).render(png: IconPlace.picture(pixels))
  }

  @Test func iconIsFetchedOnceAndThenFound() throws {
    let first = try icon("--size", "29", "--scale", "2")
    #expect(first.status == 0)
    #expect(first.errors == Self.warning)
    let path = first.text.trimmingCharacters(in: .newlines)
    #expect(path.hasPrefix(place.directory.path("docsource/v1/icons/")))
    #expect(try PNGHeader([UInt8](Data(contentsOf: URL(filePath: path)))).width == 58)
    // No fetcher is started any more: it would warn.
    let second = try icon("--size", "29", "--scale", "2")
    #expect(second.text == first.text)
    #expect(second.errors == "")
    #expect(try icon("--offline", "--size", "29", "--scale", "2").text == first.text)
    #expect(
      try place.server.requests(expecting: 2) == [
        "icons.example.com /appInfo.json 200", "icons.example.com /icon@2x.png 200",
      ])
  }

  /// libcurl writes the keys of its connections to the file that SSLKEYLOGFILE names.
  @Test func keysOfConnectionsAreNotWritten() throws {
    let log = place.directory.path("keys")
    let direct = try Execution.run(
      [Docsource.fetchPath, "get", Self.url],
      environment: place.environment.merging(["SSLKEYLOGFILE": log]) { $1 })
    #expect(direct.status == 0)
    // Otherwise the test would tell nothing.
    #expect(try !place.directory.bytes("keys").isEmpty)
    unlink(log)
    #expect(try icon("--size", "29", variables: ["SSLKEYLOGFILE": log]).status == 0)
    #expect(access(log, F_OK) == -1)
    #expect(try place.server.requests(expecting: 3).count == 3)
  }

  @Test func iconIsWrittenWhereItIsWanted() throws {
    let target = place.directory.path("out.png")
    #expect(try icon("--size", "58", "-o", target).status == 0)
    #expect(try place.directory.bytes("out.png") == finished(58))
    #expect(try icon("--size", "58", "-o", "-").output == finished(58))
    #expect(try icon("--size", "29", "-o", "-", url: Self.url).output == finished(29))
  }

  @Test func iconOfAListThatMustNotBeKeptIsWritten() throws {
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((58, "icon.png")), "icon.png": IconPlace.picture(58),
      ],
      locations: """
        location = /appInfo.json { add_header Cache-Control no-store; }
        location / { add_header Cache-Control max-age=3600; }
        """)
    for _ in 1...2 {
      let written = try Execution.run(
        [Docsource.path, "icon", "--size", "58", "-o", "-", Self.url],
        environment: place.environment)
      #expect(written.errors == Self.warning)
      #expect(written.status == 0)
      #expect(try written.output == finished(58))
    }
  }

  @Test func offlineAsksNobody() throws {
    let execution = try icon("--offline")
    #expect(execution.status == 1)
    #expect(execution.errors == "docsource: \(file): no icon\n")
    #expect(try place.server.requests(expecting: 0) == [])
  }

  @Test func reasonsAreGivenForAllCandidates() throws {
    let execution = try icon("--explain", "--size", "58")
    #expect(execution.status == 0)
    #expect(
      execution.text.contains(
        "won  remote   https://icons.example.com/icon@2x.png: 58x58, exactly the requested 58 pixels"
      ), "\(execution.text)")
    #expect(execution.text.contains("icon.png: 29x29, smaller than the requested 58 pixels"))
  }

  @Test func refusalIsReportedAndTheStatusSaysIt() throws {
    let execution = try icon(url: "https://192.168.1.1/appInfo.json")
    #expect(execution.status == 2)
    #expect(
      execution.errors
        == Self.warning
        + "docsource: https://192.168.1.1/appInfo.json: cannot fetch: refused: the host "
        + "'192.168.1.1' is an IP address, not a name\n")
    #expect(try place.server.requests(expecting: 0) == [])
  }

  @Test func installedIconIsFoundByItsIdentifier() throws {
    #expect(try icon("--install").status == 0)
    let installed = place.directory.path("data/icons/hicolor/48x48/apps/org.example.writer.png")
    #expect(try PNGHeader([UInt8](Data(contentsOf: URL(filePath: installed)))).width == 48)
  }
}
