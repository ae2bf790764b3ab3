internal import CLinux
internal import Glibc
package import LinuxSystem
internal import TextFormats

/// Reads what /proc tells of processes.
///
/// How much is read is bounded, whatever command line, environment and root directory a process
/// has.
package struct ProcessReader: Sendable {
  private static let smallLimit = 1 << 14
  private static let argumentsLimit = 1 << 16
  /// The environment of a session has some 4 KiB; bytes beyond this limit are ignored.
  private static let environmentLimit = 1 << 18
  private static let flatpakLimit = 1 << 16
  private static let ancestorLimit = 32

  let directory: FilePath

  /// - Parameter directory: tests have another than `/proc`.
  package init(_ directory: FilePath = FilePath("/proc")) { self.directory = directory }

  /// Whether all threads of a process have ended, be that noticed by its parent or not: see pidfd_open(2).
  ///
  /// - Parameter process: its pidfd.
  static func hasEnded(_ process: CInt) -> Bool {
    var wanted = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wanted, 1, 0) == 1
  }

  /// The facts of a writer and of its ancestors; `nil` if the writer is gone.
  ///
  /// The facts belong to the very process of the pidfd: it still had its number when the directory
  /// of that number in /proc was open.
  package func facts(of writer: Writer) -> (process: ProcessFacts, ancestors: [ProcessFacts])? {
    guard let process = open(writer) else { return nil }
    return facts(of: writer.identifier, in: process)
  }

  func open(_ writer: Writer) -> ProcessDirectory? {
    guard writer.identifier > 0, writer.process >= 0,
      let process = ProcessDirectory(directory, writer.identifier),
      clinux_process_holds_number(writer.process) == 1
    else { return nil }
    return process
  }

  func facts(
    of identifier: Int32, in process: ProcessDirectory
  ) -> (process: ProcessFacts, ancestors: [ProcessFacts])? {
    facts(identifier, process).map { ($0, ancestors(of: $0, in: process)) }
  }

  /// What can be found out at once of a writer that may end soon: what its `stat` and `cgroup` say and
  /// its effective user; `nil` if the writer is gone.
  func glance(at writer: Writer) -> ProcessFacts? {
    guard let process = open(writer), let owner = process.owner,
      // One that is still there was there when its owner was asked for.
      var facts = status(writer.identifier, process)
    else { return nil }
    facts.controlGroups = process.content("cgroup", limit: Self.smallLimit)
    facts.user = owner
    return facts
  }

  /// What is known of a process that is gone.
  ///
  /// If its parent is gone, too, the control groups are left out: nothing tells whether a build tool
  /// or the shell in a terminal has started it.
  func facts(
    ofGone glance: ProcessFacts
  ) -> (process: ProcessFacts, ancestors: [ProcessFacts]) {
    var facts = glance
    let ancestors = ancestors(of: facts, in: nil)
    if ancestors.isEmpty, facts.parent > 1, facts.identifier != facts.session {
      facts.controlGroups = []
    }
    return (facts, ancestors)
  }

  /// - Parameter process: `nil` if the process is gone.
  private func ancestors(
    of facts: ProcessFacts, in process: ProcessDirectory?
  ) -> [ProcessFacts] {
    var ancestors: [ProcessFacts] = []
    var (child, childFacts) = (process, facts)
    // The ancestors of the first process and of the session's leader do not count. But File Roller
    // gives each program that packs for it a session.
    func isSent() -> Bool {
      !facts.hasTerminal && PlainProgram(program: facts.programName) == .copier
    }
    while ancestors.count < Self.ancestorLimit, childFacts.parent > 1,
      childFacts.identifier != childFacts.session || ancestors.isEmpty && isSent(),
      let parent = ProcessDirectory(directory, childFacts.parent),
      let parentFacts = self.facts(childFacts.parent, parent),
      // A process that is still the parent had its number while its facts were read. If the child is
      // gone, another process with that number has begun after the child.
      child.flatMap({ status(childFacts.identifier, $0)?.parent }) ?? childFacts.parent
        == childFacts.parent,
      parentFacts.startTime <= childFacts.startTime, parentFacts.user == facts.user
    {
      ancestors.append(parentFacts)
      (child, childFacts) = (parent, parentFacts)
    }
    return ancestors
  }

  private func status(_ identifier: Int32, _ process: ProcessDirectory) -> ProcessFacts? {
    ProcessFacts(identifier, status: process.content("stat", limit: Self.smallLimit))
  }

  private func facts(_ identifier: Int32, _ process: ProcessDirectory) -> ProcessFacts? {
    guard var facts = status(identifier, process) else { return nil }
    facts.user = user(process)
    facts.executable = process.link("exe").map { Array($0[...].withoutDeletion) }
    facts.arguments = Self.strings(process.content("cmdline", limit: Self.argumentsLimit))
    facts.controlGroups = process.content("cgroup", limit: Self.smallLimit)
    // Nothing can be read of a process that has just ended; that is no fact about the process.
    if facts.controlGroups.isEmpty, status(identifier, process) == nil { return nil }
    facts.launch = Self.launch(process.content("environ", limit: Self.environmentLimit))
    facts.flatpak = flatpak(process)
    return facts
  }

  /// The effective user, which is the second number of `Uid:`.
  private func user(_ process: ProcessDirectory) -> UInt32 {
    let status = process.content("status", limit: Self.smallLimit)
    let line = Self.parts(of: status, between: UInt8(ascii: "\n"))
      .first { $0.starts(with: "Uid:".utf8) }
    let words = line?.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
    guard let words, words.count > 2 else { return .max }
    return UInt32(String(decoding: words[2], as: UTF8.self)) ?? .max
  }

  private static func strings(_ content: [UInt8]) -> [[UInt8]] {
    var strings = content.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    if strings.last == [] { strings.removeLast() }
    return strings
  }

  private static func launch(_ environment: [UInt8]) -> ProcessFacts.Launch? {
    let name = "GIO_LAUNCHED_DESKTOP_FILE".utf8
    let variables = parts(of: environment, between: 0).filter { $0.starts(with: name) }
    func value(_ end: String) -> String? {
      let lead = name.count + end.utf8.count
      // Of several the first counts, as for getenv(3).
      return variables.first { $0.dropFirst(name.count).starts(with: end.utf8) }
        .flatMap { String(validating: $0.dropFirst(lead), as: UTF8.self) }
    }
    guard let file = value("="), let identifier = value("_PID=").flatMap({ Int32($0) }) else {
      return nil
    }
    return ProcessFacts.Launch(desktopFile: file, identifier: identifier)
  }

  /// The parts of a text, each when it is asked for: `split` makes an array of all.
  private static func parts(
    of text: [UInt8], between separator: UInt8
  ) -> some Sequence<ArraySlice<UInt8>> {
    sequence(state: text[...]) { rest in
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: separator) ?? rest.endIndex
      defer { rest = rest[end...].dropFirst() }
      return rest[..<end]
    }
  }

  private func flatpak(_ process: ProcessDirectory) -> String? {
    let content = process.foreignContent("root/.flatpak-info", limit: Self.flatpakLimit)
    guard !content.isEmpty else { return nil }
    return KeyFile(content).value("name", in: "Application").flatMap { FileName($0)?.text }
  }
}

/// What /proc/PID tells of a process, as far as it bears on the application; see proc(5).
///
/// A process sets its command line and environment itself, so that these are only claims.
package struct ProcessFacts: Hashable, Sendable {
  /// The note that GIO leaves in the environment of a process that it starts.
  package struct Launch: Hashable, Sendable {
    /// `GIO_LAUNCHED_DESKTOP_FILE`, a path.
    package let desktopFile: String
    /// `GIO_LAUNCHED_DESKTOP_FILE_PID`: the process that GIO started. Children inherit both.
    package let identifier: Int32
  }

  package var identifier: Int32
  package var parent: Int32 = 1
  /// The process that leads its session.
  package var session: Int32 = 0
  package var hasTerminal = false
  /// In ticks since the machine's start; tells the process from later ones of the same number.
  package var startTime: UInt64 = 0
  /// The effective user.
  package var user: UInt32 = 0
  /// The first 15 bytes of the program's name.
  package var command: [UInt8] = []
  /// The program's path; `nil` for a process that is ending, and for a kernel thread.
  package var executable: [UInt8]?
  /// The command line, the program's name first.
  package var arguments: [[UInt8]] = []
  /// The content of its `cgroup`.
  package var controlGroups: [UInt8] = []
  package var launch: Launch?
  /// The name in the `.flatpak-info` of its root directory.
  package var flatpak: String?

  /// What the kernel calls a process that runs a program.
  ///
  /// - Parameter program: its name or path.
  static func command(ofProgram program: String) -> [UInt8] {
    Array(CommandTarget.lastComponent(program).utf8.prefix(commandLength))
  }

  private static let commandLength = 15

  /// The name of the program; of a process that is ending its first 15 bytes.
  var programName: ArraySlice<UInt8> {
    guard let executable else { return command[...] }
    let start = executable.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return executable[start...]
  }
}

/// The open directory /proc/PID of a process. What is read through it belongs to that process, even
/// where another has got its number since.
final class ProcessDirectory {
  private let descriptor: CInt

  /// - Returns: `nil` if there is no such process.
  init?(_ proc: FilePath, _ process: Int32) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let path = proc.appending(FilePath("\(process)"))
    descriptor = unsafe path.withCString { unsafe Glibc.open($0, flags) }
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// The effective user of the process; root if the process is gone.
  var owner: UInt32? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status.st_uid : nil
  }

  /// The first `limit` bytes of a file; empty where it cannot be read.
  func content(_ name: String, limit: Int) -> [UInt8] {
    let file = open(name)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return Self.content(file, limit: limit)
  }

  /// The content of a file that users' processes may have made: it must be regular, and no link.
  func foreignContent(_ name: String, limit: Int) -> [UInt8] {
    let file = unsafe openat(descriptor, name, Self.flags | O_NOFOLLOW)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return [] }
    return Self.content(file, limit: limit)
  }

  /// Opens a file; returns a negative number where that fails.
  func open(_ name: String) -> CInt { unsafe openat(descriptor, name, Self.flags) }

  // So that a FIFO does not block and a terminal does not become ours.
  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  private static func content(_ file: CInt, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    // `Descriptor` reads blocks of 64 KiB, but most of these files have some hundred bytes.
    let block = 4096
    while bytes.count < limit {
      var count = 0
      let more = unsafe [UInt8](unsafeUninitializedCapacity: min(block, limit - bytes.count)) {
        buffer, filled in
        count = unsafe read(file, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes = bytes.isEmpty ? more : bytes + more
    }
    return bytes
  }

  /// The target of a link; `nil` if it cannot be read.
  ///
  /// The corresponding C function is readlinkat(2).
  func link(_ name: String) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { text in
        unsafe max(0, readlinkat(descriptor, name, text, buffer.count))
      }
    }
    return bytes.isEmpty ? nil : bytes
  }
}

extension ProcessFacts {
  /// Reads the fields of /proc/PID/stat that are used here; see proc(5).
  ///
  /// - Returns: `nil` for text of another form.
  fileprivate init?(_ identifier: Int32, status text: [UInt8]) {
    // The name itself may contain parentheses and spaces.
    guard let open = text.firstIndex(of: UInt8(ascii: "(")),
      let close = text.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    let fields = text[(close + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    func number<Number: FixedWidthInteger>(_ position: Int) -> Number? {
      // proc(5) counts from 1, and two fields stand before these.
      let index = position - 3
      guard fields.indices.contains(index) else { return nil }
      return Number(String(decoding: fields[index], as: UTF8.self))
    }
    guard let parent: Int32 = number(4), let session: Int32 = number(6),
      let terminal: Int32 = number(7), let startTime: UInt64 = number(22)
    else { return nil }
    self.init(
      identifier: identifier, parent: parent, session: session, hasTerminal: terminal != 0,
      startTime: startTime, command: Array(text[(open + 1)..<close]))
  }
}

extension ArraySlice<UInt8> {
  /// The path without the kernel's mark for a path that is gone: that of a program which an update
  /// has replaced, or the control group of a zombie.
  var withoutDeletion: ArraySlice {
    guard last == UInt8(ascii: ")") else { return self }
    let mark = " (deleted)".utf8
    return suffix(mark.count).elementsEqual(mark) ? dropLast(mark.count) : self
  }
}
