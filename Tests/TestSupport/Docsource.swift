import Foundation

/// The built tool, as a user runs it.
package enum Docsource {
  /// `make test` names the release executable; otherwise the one built beside the tests.
  package static let path: String = {
    ProcessInfo.processInfo.environment["DOCSOURCE"] ?? built("docsource")
  }()

  /// The path of a program built beside the tests.
  package static func built(_ name: String) -> String {
    let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var directory = tests.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: directory.appending(path: name).path),
      directory.path != "/"
    {
      directory.deleteLastPathComponent()
    }
    return directory.appending(path: name).path
  }

  /// The program that fetches, built beside the tool.
  package static let fetchPath = path + "-fetch"

  package static func run(
    _ arguments: String..., in directory: String? = nil, environment: [String: String] = [:]
  ) throws -> Execution {
    try Execution.run([path] + arguments, in: directory, environment: environment)
  }

  /// The tags of Working Copy, as reference data has them.
  package static let workingCopy = [
    "--identifier", "com.appliedphasor.working-copy", "--app-name", "Working Copy", "--document",
    "directory/filename.ext", "--app-info-url",
    "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json",
  ]

  /// Tags a file as Working Copy does.
  package static func tag(_ path: String) throws -> Execution {
    try Execution.run([Self.path, "tag"] + workingCopy + [path])
  }
}
