import Foundation

/// Reference data that stays outside the project: in `../shared/reference` beside the checkout, or
/// below DOCSOURCE_SHARED. A test that needs it is skipped where it is missing.
package enum SharedReference {
  private static let directory: URL = {
    if let path = ProcessInfo.processInfo.environment["DOCSOURCE_SHARED"] {
      return URL(filePath: path).appending(path: "reference")
    }
    return Fixture.root.appending(path: "../shared/reference")
  }()

  package static func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: directory.appending(path: name).path)
  }

  package static func data(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appending(path: name))
  }

  /// The rows of a table with a head, as dictionaries.
  package static func rows(_ name: String) throws -> [[String: String]] {
    let text = String(decoding: try data(name), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { row in
      Dictionary(uniqueKeysWithValues: zip(lines[0], row))
    }
  }
}
