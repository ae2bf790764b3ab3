import Foundation
import Glibc
import TestSupport

/// A file system with a watched directory, and `docsource watch` at work on it.
final class WatchPlace {
  /// What `--json` says of one event.
  struct Event: Decodable, Equatable {
    var event: String
    var file: String?
    var writer: Int32?
    var source: Source?
    var document: String?
    var reason: String?
  }

  struct Source: Decodable, Equatable {
    var identifier: String?
    var name: String?
    var path: String?
  }

  /// Lines of a shell after which no application has metainfo, for a namespace of mounts. What reads it
  /// is run by users, who may not enter the directory of the checkout.
  static let withoutMetainfo = """
    for place in /usr/share/metainfo /usr/share/appdata; do
      test ! -d $place || mount -t tmpfs tmpfs $place || exit
    done

    """

  let system: FileSystem
  let home: TemporaryDirectory
  private let streams: TemporaryDirectory
  private let watch: RunningProcess

  /// - Parameters:
  ///   - arguments: those of the verb, besides `--json` and the directories.
  ///   - wrapper: what runs the tool.
  init(
    _ system: FileSystem, home: TemporaryDirectory, _ directories: [String],
    _ arguments: [String] = [], wrapper: [String] = [], environment: [String: String] = [:]
  ) throws {
    self.system = system
    self.home = home
    streams = try TemporaryDirectory()
    let all = wrapper + [Docsource.path, "watch", "--json"] + arguments + directories
    watch = try RunningProcess(
      all.map { Array($0.utf8) },
      environment: ["HOME": home.root].merging(environment) { $1 }, streams: streams)
    try Patience.wait { self.markCount > 0 }
  }

  deinit {
    watch.kill(SIGKILL)
    _ = watch.wait()
  }

  var identifier: pid_t { watch.identifier }

  /// Of how many file systems and mounts it is notified by now.
  var markCount: Int {
    let directory = "/proc/\(watch.identifier)/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.reduce(0) { count, name in
      let information = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
      let lines = information?.split(separator: "\n") ?? []
      return count
        + lines.count { $0.hasPrefix("fanotify sdev:") || $0.hasPrefix("fanotify mnt_id:") }
    }
  }

  /// What it has reported, but for a line that is being written.
  func events() throws -> [Event] {
    let output = try streams.text("output")
    let end = output.lastIndex(of: "\n") ?? output.startIndex
    return try output[..<end].split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  func errors() throws -> String { try streams.text("errors") }

  func event(_ path: String, _ event: String? = nil) throws -> Event? {
    try events().last { $0.file == path && (event == nil || $0.event == event) }
  }

  /// The event of a file, when it is there.
  func waitForEvent(_ path: String, _ event: String? = nil) throws -> Event? {
    try? Patience.wait { try self.event(path, event) != nil }
    return try self.event(path, event)
  }

  func kill(_ signal: CInt) { watch.kill(signal) }

  /// Its end: the status and what it said on standard error.
  func end(_ signal: CInt = SIGTERM) throws -> (status: Int32, errors: String) {
    watch.kill(signal)
    return (watch.wait(), try streams.text("errors"))
  }
}
