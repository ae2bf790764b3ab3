internal import Applications
internal import CLinux
public import LinuxSystem

/// Reads what /proc tells of processes.
///
/// It is bounded, whatever a process has as its command line, environment and root directory.
public struct ProcessReader: Sendable {
  private static let smallLimit = 1 << 14
  private static let argumentsLimit = 1 << 16
  /// Environments of sessions have some 4 KiB; what is behind this is not looked at.
  private static let environmentLimit = 1 << 18
  private static let flatpakLimit = 1 << 16
  private static let ancestorLimit = 32

  let directory: FilePath

  /// - Parameter directory: `/proc`, but for tests.
  public init(_ directory: FilePath = FilePath("/proc")) { self.directory = directory }

  /// The facts of a process and of those that it descends from; `nil` where it is gone.
  ///
  /// What is told is of the very process of the pidfd: that has kept its number until its directory
  /// was open.
  public func facts(of writer: Writer) -> (process: ProcessFacts, ancestors: [ProcessFacts])? {
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
    guard let facts = facts(identifier, process) else { return nil }
    var ancestors: [ProcessFacts] = []
    var (child, childFacts) = (process, facts)
    // The first process and the session's leader descend from none that counts.
    while ancestors.count < Self.ancestorLimit, childFacts.parent > 1,
      childFacts.identifier != childFacts.session,
      let parent = ProcessDirectory(directory, childFacts.parent),
      let parentFacts = self.facts(childFacts.parent, parent),
      // Who is still the parent has kept its number until here.
      status(of: child)?.parent == parentFacts.identifier,
      parentFacts.startTime <= childFacts.startTime, parentFacts.user == facts.user
    {
      ancestors.append(parentFacts)
      (child, childFacts) = (parent, parentFacts)
    }
    return (facts, ancestors)
  }

  private func status(of process: ProcessDirectory) -> ProcessStatus? {
    ProcessStatus(process.content("stat", limit: Self.smallLimit))
  }

  private func facts(_ identifier: Int32, _ process: ProcessDirectory) -> ProcessFacts? {
    guard let status = status(of: process) else { return nil }
    var facts = ProcessFacts(
      identifier: identifier, parent: status.parent, session: status.session,
      hasTerminal: status.hasTerminal, startTime: status.startTime, command: status.command)
    facts.user = user(process)
    facts.executable = process.link("exe").map(Self.withoutDeletion)
    facts.arguments = Self.strings(process.content("cmdline", limit: Self.argumentsLimit))
    facts.controlGroups = process.content("cgroup", limit: Self.smallLimit)
    // What could not be read of a process that has ended meanwhile is not what it lacked.
    if facts.controlGroups.isEmpty, self.status(of: process) == nil { return nil }
    facts.launch = Self.launch(process.content("environ", limit: Self.environmentLimit))
    facts.flatpak = flatpak(process)
    return facts
  }

  /// The second number of `Uid:`.
  private func user(_ process: ProcessDirectory) -> UInt32 {
    let lines = process.content("status", limit: Self.smallLimit)
      .split(separator: UInt8(ascii: "\n"))
    let words = lines.first { $0.starts(with: "Uid:".utf8) }?
      .split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
    guard let words, words.count > 2 else { return .max }
    return UInt32(String(decoding: words[2], as: UTF8.self)) ?? .max
  }

  /// A program that was replaced while it runs, as by an update.
  private static func withoutDeletion(_ path: [UInt8]) -> [UInt8] {
    let mark = Array(" (deleted)".utf8)
    return path.suffix(mark.count).elementsEqual(mark) ? path.dropLast(mark.count) : path
  }

  private static func strings(_ content: [UInt8]) -> [[UInt8]] {
    var strings = content.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    if strings.last == [] { strings.removeLast() }
    return strings
  }

  private static func launch(_ environment: [UInt8]) -> ProcessFacts.Launch? {
    func value(_ name: String) -> String? {
      let lead = Array("\(name)=".utf8)
      // The first counts, as for getenv(3).
      return environment.split(separator: 0).first { $0.starts(with: lead) }
        .flatMap { String(validating: $0.dropFirst(lead.count), as: UTF8.self) }
    }
    guard let file = value("GIO_LAUNCHED_DESKTOP_FILE"),
      let identifier = value("GIO_LAUNCHED_DESKTOP_FILE_PID").flatMap({ Int32($0) })
    else { return nil }
    return ProcessFacts.Launch(desktopFile: file, identifier: identifier)
  }

  private func flatpak(_ process: ProcessDirectory) -> String? {
    let content = process.foreignContent("root/.flatpak-info", limit: Self.flatpakLimit)
    guard !content.isEmpty else { return nil }
    return KeyFile(content).value("name", in: "Application").flatMap { FileName($0)?.text }
  }
}
