import Foundation
import TestSupport
import Testing

/// A user with files, and with the databases that browsers would have.
struct BrowserUser {
  let home: TemporaryDirectory

  init() throws {
    home = try TemporaryDirectory()
    mkdir(home.path("Downloads"), 0o755)
  }

  var environment: [String: String] {
    [
      "HOME": home.root, "XDG_CONFIG_HOME": home.path(".config"),
      "XDG_DATA_HOME": home.path("data"),
    ]
  }

  func run(_ verb: String, _ arguments: [String]) throws -> Execution {
    try Execution.run([Docsource.path, verb] + arguments, in: home.root, environment: environment)
  }

  /// A file of four bytes that was written at a time.
  @discardableResult
  func file(_ name: String, modified: Int = 1000) throws -> String {
    let path = try home.file(name, "four")
    #expect(try Execution.run(["touch", "-d", "@\(modified)", path]).status == 0)
    return path
  }

  /// Makes the database of a profile, or adds a download to it; `chromium-log` is the log in a directory.
  @discardableResult
  func record(
    _ kind: String, _ profile: String, _ file: String, url: String = "https://files.example.com/a",
    more: String = ""
  ) throws -> String {
    let directory = home.path(profile)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let names = ["chromium": "/History", "firefox": "/places.sqlite"]
    let database = directory + (names[kind] ?? "/000003.log")
    let path = file.hasPrefix("/") ? file : home.path(file)
    let run = try Execution.run([
      Fixture.root.appending(path: "Tests/Scripts/browser-profile").path, kind, database,
      #"{"path": "\#(path)", "url": "\#(url)"\#(more)}"#,
    ])
    #expect(run.errors == "")
    #expect(run.status == 0)
    return database
  }
}
