import Foundation
import LinuxSystem
import TestSupport

@testable import Applications

/// A user's and a system's files, all below a directory of the test's own.
struct Home {
  static let list = "home/.config/docsource/apps.json"

  let directory: TemporaryDirectory
  let places: BaseDirectories

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    places = BaseDirectories(systemRoot: FilePath(directory.root)) { name in
      name == "HOME" ? Array(directory.path("home").utf8) : nil
    }
  }

  @discardableResult
  func file(_ name: String, _ content: String) throws -> FilePath {
    FilePath(try directory.file(name, content))
  }

  /// Installs an application for all users, or another.
  @discardableResult
  func entry(
    _ name: String, _ lines: String..., base: String = "usr/share"
  ) throws -> FilePath {
    try file(
      "\(base)/applications/\(name).desktop",
      (["[Desktop Entry]", "Type=Application"] + lines).joined(separator: "\n") + "\n")
  }

  func known(_ language: String? = nil) -> KnownApplications {
    KnownApplications(
      ApplicationRegistry(places: places), places: places,
      locale: MessageLocale { $0 == "LANG" ? language : nil })
  }
}
