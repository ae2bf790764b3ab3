import Foundation
import LinuxSystem
import TestSupport

@testable import Applications
@testable import Watching

/// A system with applications of the test's own.
struct ApplicationsHome {
  let directory: TemporaryDirectory
  let places: BaseDirectories

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    places = BaseDirectories(systemRoot: FilePath(directory.root)) { name in
      name == "HOME" ? Array(directory.path("home").utf8) : nil
    }
  }

  var applications: InstalledApplications { InstalledApplications(places) }

  func file(_ name: String, _ content: String, mode: mode_t = 0o644) throws {
    chmod(try directory.file(name, content), mode)
  }

  /// Installs a desktop entry.
  func entry(_ identifier: String, _ lines: String...) throws {
    let text = ["[Desktop Entry]", "Type=Application"] + lines
    try file("usr/share/applications/\(identifier).desktop", text.joined(separator: "\n") + "\n")
  }

  /// Installs a program and returns its path.
  @discardableResult
  func program(_ name: String, _ content: String = "\u{7f}ELF") throws -> String {
    try file(name, content, mode: 0o755)
    return directory.path(name)
  }
}
