import Foundation
import Glibc

/// A directory of a test's own, gone with the last reference to it.
package final class TemporaryDirectory {
  package let root: String

  /// - Parameter parent: where to make it; by default below the build directory, since /tmp may be
  ///   a file system without user attributes. A checkout's path may have spaces and letters beyond
  ///   ASCII, which command lines, URLs and key files write in other ways: then it is below /var/tmp.
  package init(in parent: String? = nil) throws {
    let parent = parent ?? Self.scratch
    try FileManager.default.createDirectory(
      atPath: parent, withIntermediateDirectories: true)
    var template = Array("\(parent)/test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  static let scratch: String = {
    let root = Fixture.root.path
    let isPlain = root.utf8.allSatisfy { byte in
      "/._-".utf8.contains(byte) || (0x30...0x39).contains(byte)
        || (0x61...0x7a).contains(byte | 0x20)
    }
    return isPlain ? root + "/.build/tests" : "/var/tmp/docsource-tests"
  }()

  /// The path of something in it.
  package func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Makes a file, and the directories that lead to it, and returns its path.
  @discardableResult
  package func file(_ name: String, _ content: String = "content\n") throws -> String {
    try write(Array(content.utf8), to: name)
    return path(name)
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    let parent = URL(filePath: path(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  /// Makes a program that can be run, and returns its path.
  ///
  /// Only a process of its own has the file open for writing: were it this one, children that other
  /// tests start meanwhile would have it open too, and execve(2) may fail with ETXTBSY.
  @discardableResult
  package func program(_ name: String, _ content: String) throws -> String {
    let draft = try file("\(name).draft", content)
    let made = try Execution.run(["install", "-m", "755", "--", draft, path(name)])
    guard made.status == 0 else { throw POSIXError(.EIO) }
    try FileManager.default.removeItem(atPath: draft)
    return path(name)
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path(name))))
  }

  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }
}
