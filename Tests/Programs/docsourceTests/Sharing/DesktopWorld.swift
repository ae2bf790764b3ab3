import Foundation
import Glibc
import TestSupport
import Testing

/// A user with files, applications, targets, activities and menus of the test's own, and no others.
struct DesktopWorld {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["home/applications", "share/applications", "bin", "config", "mime", "run"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(name), withIntermediateDirectories: true)
    }
    // The types themselves are those of the machine.
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("share/mime"), withDestinationPath: "/usr/share/mime")
  }

  var environment: [String: String] {
    [
      "HOME": directory.root, "XDG_DATA_HOME": directory.path("home"),
      "XDG_DATA_DIRS": directory.path("share"), "XDG_CONFIG_HOME": directory.path("config"),
      "XDG_RUNTIME_DIR": directory.path("run"), "XDG_CONFIG_DIRS": directory.path("etc"),
      "XDG_CURRENT_DESKTOP": "Some:Other",
      "PATH": directory.path("bin") + ":/usr/bin:/bin", "RECORD": directory.path("record"),
      // No bus is to be started.
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "LC_ALL": "C.UTF-8", "LANGUAGE": "",
      // Without one of them, programs that are started are said to have no display.
      "DISPLAY": "", "WAYLAND_DISPLAY": "wayland-none",
    ]
  }

  func file(_ path: String, _ content: String) throws -> String {
    try directory.file(path, content)
  }

  func picture(_ name: String) throws -> String {
    let path = directory.path(name)
    try Data(Fixture.bytes("Pictures/kinds/grey-8.png")).write(to: URL(filePath: path))
    return path
  }

  /// A script that is started by its name.
  func program(_ name: String, _ script: String) throws {
    try directory.program("bin/\(name)", "#!/bin/sh\n\(script)\n")
  }

  /// A program that writes its arguments to a file of its own, each with a NUL after it; see
  /// `records(_:)`.
  func program(_ name: String) throws {
    try program(
      name,
      """
      for word; do printf '%s\\0' "$word"; done > "$RECORD.$$"
      mv "$RECORD.$$" "$RECORD.done.$$"
      """)
  }

  /// A program that keeps its arguments and standard input in files; see `recorded(_:)`.
  func recorder(_ name: String, _ end: String = "") throws {
    try program(
      name,
      """
      for word; do printf '%s\\0' "$word"; done > "$RECORD.\(name).words"
      cat > "$RECORD.\(name).input"
      \(end)
      """)
  }

  func recorded(_ name: String) throws -> (words: [String], input: String) {
    let words = try directory.bytes("record.\(name).words")
      .split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    return (words, try directory.text("record.\(name).input"))
  }

  /// A share target whose program is a script of the shell.
  func target(_ name: String, _ script: String, _ keys: String = "") throws {
    // Not run itself: other tests may hold it open for writing while they start programs.
    let program = try file("\(name)-program", "\(script)\n")
    _ = try file(
      "home/docsource/targets/\(name).target",
      "[Share Target]\nName=The \(name)\nExec=sh \(program)\n\(keys)\n")
  }

  func entry(_ name: String, _ keys: String, in place: String = "share") throws {
    _ = try directory.file(
      "\(place)/applications/\(name).desktop", "[Desktop Entry]\nType=Application\n\(keys)\n")
  }

  func updateDatabases() throws {
    for place in ["home", "share"] {
      let update = try Execution.run([
        "update-desktop-database", "-q", directory.path("\(place)/applications"),
      ])
      #expect(update.status == 0, "\(update.errors)")
    }
  }

  func run(_ arguments: String..., input: [UInt8] = []) throws -> Execution {
    try run([Docsource.path] + arguments, input: input)
  }

  func run(_ words: [String], input: [UInt8] = []) throws -> Execution {
    try Execution.run(words, in: directory.root, environment: environment, input: input)
  }

  func share(_ arguments: String..., with variables: [String: String] = [:]) throws -> Execution {
    try Execution.run(
      [Docsource.path, "share"] + arguments, in: directory.root,
      environment: environment.merging(variables) { $1 })
  }

  /// The arguments that programs were started with, after waiting for so many of them; removed then.
  func records(_ count: Int) throws -> [[String]] {
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.root)
        .filter { $0.hasPrefix("record.done.") }.sorted()
    }
    try Patience.wait { try names().count >= count }
    return try names().map { name in
      let bytes = try directory.bytes(name)
      try FileManager.default.removeItem(atPath: directory.path(name))
      return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension DesktopWorld {
  /// The arguments that programs were started with and that `records(_:)` has not returned, once no
  /// program of this user runs any more.
  func remainingRecords() throws -> [[String]] {
    try Patience.wait { try !hasProcess() }
    return try records(0)
  }

  /// Whether a process, of a program that was started or about to start one, has the environment.
  private func hasProcess() throws -> Bool {
    let variable = Data("\0RECORD=\(directory.path("record"))\0".utf8)
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { name in
      // Not readable for processes of others, and for those that have ended meanwhile.
      guard Int(name) != nil,
        let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ")
      else { return false }
      return (Data([0]) + environment).range(of: variable) != nil
    }
  }
}

/// Numbers that are the same for the same seed.
struct SeededNumbers: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = .random(in: .min ... .max)) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
