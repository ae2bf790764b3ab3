import Foundation
import LinuxSystem
import TestSupport

@testable import AppIcon

/// A user's and a system's files, all below a directory of the test's own.
final class Desktop {
  static let now = Cached.now

  let directory: TemporaryDirectory
  let places: BaseDirectories

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    places = BaseDirectories(systemRoot: FilePath(directory.root)) { name in
      name == "HOME" ? Array(directory.path("home").utf8) : nil
    }
  }

  func path(_ name: String) -> FilePath { FilePath(directory.path(name)) }

  @discardableResult
  func file(_ name: String, _ content: String = "") throws -> FilePath {
    FilePath(try directory.file(name, content))
  }

  /// Installs a theme whose directories are given by their groups' lines.
  func theme(
    _ name: String, inherits: String = "", _ directories: [(String, String)],
    in base: String = "usr/share/icons"
  ) throws {
    let groups = directories.map { "[\($0.0)]\n\($0.1.replacing(" ", with: "\n"))\n" }
    let list = directories.map(\.0).joined(separator: ",")
    try file(
      "\(base)/\(name)/index.theme",
      "[Icon Theme]\nName=x\nInherits=\(inherits)\nDirectories=\(list)\n"
        + groups.joined(separator: "\n"))
  }

  func cache() throws -> IconCache {
    _ = try file("home/.cache/marker")
    return try Cached.open(directory.path("home/.cache"))
  }

  func resolve(
    identifier: String? = nil, url: String? = nil, points: Double = 29, scale: Double = 1,
    explaining: Bool = false, now: Int64 = now
  ) throws -> LocalIcons.Report {
    guard let size = IconSize(points: points, scale: scale) else {
      throw CocoaError(.coderInvalidValue)
    }
    return LocalIcons(places: places, now: now).find(
      IconRequest(identifier: identifier, appInfoURL: url, IconRendering(size: size)),
      explaining: explaining)
  }

  /// What was said, a line a consideration, paths from the test's directory.
  func explanation(_ report: LocalIcons.Report) -> [String] {
    report.considerations.map { one in
      "\(one.origin) \(one.won ? "+" : "-") \(one.subject): \(one.reason)"
        .replacing(directory.root, with: "")
    }
  }
}
