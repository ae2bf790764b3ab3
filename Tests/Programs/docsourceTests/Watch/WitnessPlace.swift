import Foundation
import Glibc
import TestSupport
import Testing

/// A watched file system, an application and other programs, and `docsource watch --witness` at work.
struct WitnessPlace {
  static let identifier = "org.example.Witnessed"
  static let save = "f = open('a', 'w'); f.write('content'); f.close()"

  let system: FileSystem
  let home: TemporaryDirectory
  private let watch: WatchPlace

  /// - Parameter users: those whose directories are watched, too: mount points if the program is
  ///   to see what is mounted there later.
  init(
    _ system: FileSystem, home: TemporaryDirectory? = nil, users directories: [String] = []
  ) throws {
    self.system = system
    let home = try home ?? WatchCommandTests.home()
    self.home = home
    // Two programs that do what they are asked to; only one is an application.
    for name in ["editor", "other"] {
      let copied = try Execution.run(["cp", "/usr/bin/python3", home.path(name)])
      try #require(copied.status == 0, "\(copied.errors)")
    }
    let applications = home.path("data/applications")
    try FileManager.default.createDirectory(
      atPath: applications, withIntermediateDirectories: true)
    try home.file(
      "data/applications/\(Self.identifier).desktop",
      "[Desktop Entry]\nType=Application\nName=Editor\nExec=\(home.path("editor")) %f\n")
    for (name, program) in [("Placed", home.path("above/bin/placed")), ("Named", "named")] {
      try home.file(
        "data/applications/org.example.\(name).desktop",
        "[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(program) %f\n")
    }
    watch = try WatchPlace(
      system, home: home, [system.root] + directories, ["--witness"],
      environment: ["XDG_DATA_DIRS": home.path("data")])
    try waitUntilSeen()
  }

  // MARK: Processes

  /// The process that records who has written.
  var witness: String? {
    get throws {
      try Execution.run(["pgrep", "-P", "\(watch.identifier)", "-f", "watch-witness"]).text
        .split(separator: "\n").first.map(String.init)
    }
  }

  /// The process that sees to the files of a user.
  func worker(of user: uid_t) throws -> pid_t? {
    let found = try Execution.run(["pgrep", "-P", "\(watch.identifier)", "-U", "\(user)"])
    return found.text.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  /// Waits until what is written is seen by all.
  ///
  /// - Parameter path: one on the file system where it is written; `nil` for anywhere.
  func waitUntilSeen(at path: String? = nil) throws {
    let device =
      try path.map { path in
        var status = stat()
        try #require(stat(path, &status) == 0)
        let number = status.st_dev
        let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xfff00)
        // As the kernel has the number of a device by itself.
        return String(major << 20 | minor, radix: 16) + " "
      } ?? ""
    func isSeen(by process: String) -> Bool {
      let directory = "/proc/\(process)/fdinfo"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return names.contains { name in
        let text = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
        return text?.split(separator: "\n").contains { line in
          guard line.hasPrefix("fanotify sdev:\(device)"),
            let mask = line.firstRange(of: "mask:").map({
              line[$0.upperBound...].prefix { $0 != " " }
            })
          else { return false }
          // FAN_MODIFY or FAN_CLOSE_WRITE: programs are seen everywhere.
          return UInt64(mask, radix: 16).map { $0 & 0xa != 0 } ?? false
        } ?? false
      }
    }
    try Patience.wait {
      try isSeen(by: "\(watch.identifier)") && self.witness.map(isSeen) ?? false
    }
  }

  /// Starts a program that is seen before what it does.
  func start(_ program: String, _ code: String, wrapper: [String] = []) throws -> RunningProcess {
    let text =
      "import os, time\nos.setsid()\nos.chdir('\(system.root)')\ntime.sleep(0.5)\n"
      + "\(code)\ntime.sleep(0.5)\n"
    return try RunningProcess(
      (wrapper + [home.path(program), "-c", text]).map { Array($0.utf8) },
      environment: ["PYTHONHOME": "/usr"])
  }

  /// Has the watch take no more files.
  func stopWatching() { watch.kill(SIGSTOP) }

  /// Runs a program for as long as it takes to see who it is, before and after what it does.
  func run(_ program: String, _ code: String, wrapper: [String] = []) throws {
    let process = try start(program, code, wrapper: wrapper)
    #expect(process.wait() == 0, "\(process.errors)")
  }

  // MARK: What is known

  func verified(_ name: String = "a") throws -> Execution {
    try Docsource.run("show", "--verify", "--json", path(name))
  }

  /// The verdict once it is another than `unknown`, or after a while.
  func verdict(_ name: String = "a") throws -> Int32 {
    for _ in 0..<100 {
      let execution = try verified(name)
      if execution.status != 1 { return execution.status }
      usleep(20_000)
    }
    return 1
  }

  /// Who has written, and how; a program that is no application by its name.
  func history(_ name: String = "a") throws -> [String] {
    let answer = try JSONSerialization.jsonObject(with: Data(verified(name).text.utf8))
    let witness = (answer as? [String: Any])?["witness"] as? [String: Any]
    return (witness?["history"] as? [[String: Any]] ?? []).map { event in
      let path = event["executable"] as? String ?? ""
      let name = event["application"] as? String ?? path.split(separator: "/").last.map(String.init)
      return "\(name ?? "") \(event["action"] as? String ?? "")"
    }
  }

  func events() throws -> [WatchPlace.Event] { try watch.events() }

  /// The event of a file, when it is there.
  func waitForEvent(_ path: String, _ event: String? = nil) throws -> WatchPlace.Event? {
    try watch.waitForEvent(path, event)
  }

  /// A path as it is, a name in the file system.
  private func path(_ name: String) -> String { name.hasPrefix("/") ? name : system.path(name) }
}
