internal import CLinux
internal import CompanionProtocol
internal import Glibc
internal import LinuxSystem

/// Looks in turn whether users have settings, and whether these have changed.
///
/// A home directory may be on a server that does not answer, and the other users are still to be
/// looked at. So this is a process of its own, which is ended if it takes too long over one user.
final class SettingsScout {
  /// What is looked at, with the rights of the user alone.
  struct Subject {
    let account: UserAccount
    let settings: FilePath
  }

  enum Finding: Equatable {
    /// A user has settings, or has none, for the first time or anew.
    case user(UInt32, hasSettings: Bool)
    /// All were looked at.
    case round
  }

  /// How often is looked, and how long one round may take, in milliseconds.
  static let interval = 5000
  static let patience = 2000
  /// How long a user who took too long is left out.
  static let pause = 60_000

  private let channel: FileChannel
  private let program: RunningProgram
  /// A file in memory with the number of the user who is being looked at.
  private let progress: CInt
  private(set) var deadline: Int
  /// Whether not all users have been looked at.
  private(set) var isFirstRound = true

  init(_ subjects: [Subject], _ buffer: PacketBuffer) throws(Errno) {
    let (ours, theirs) = try FileChannel.pair(buffer)
    defer { close(theirs) }
    channel = ours
    let file = unsafe clinux_file_memory("docsource-watch")
    guard file >= 0 else { throw Errno(rawValue: -file) }
    progress = file
    deadline = Clock.milliseconds + Self.patience
    do throws(Errno) {
      program = try Program(
        FilePath("/proc/self/exe"),
        ["docsource", SettingsScoutProcess.argument].map { Array($0.utf8) },
        .sandboxed
      ).start(input: .descriptor(theirs), output: .descriptor(file), errors: .null)
    } catch {
      close(file)
      throw error
    }
    for subject in subjects {
      let fields =
        ["\(subject.account.user)", "\(subject.account.group)"].map { Array($0.utf8) }
        + [Array(subject.settings.bytes)]
      try channel.send(CompanionMessage(fields).packet, waits: true)
    }
    try channel.send(CompanionMessage("begin").packet, waits: true)
  }

  deinit {
    close(progress)
    program.kill()
    _ = program.endingSoFar()
  }

  var descriptor: CInt { channel.descriptor }

  /// The next finding; `nil` if there is none now.
  ///
  /// - Parameter isGone: becomes `true` if the process has ended.
  func next(isGone: inout Bool) -> Finding? {
    let packet: FileChannel.Packet
    switch channel.receive() {
    case .none: return nil
    case .ended:
      isGone = true
      return nil
    case .packet(let received): packet = received
    }
    guard let finding = CompanionMessage(packet).flatMap({ Finding($0) }) else {
      isGone = true
      return nil
    }
    if finding == .round {
      deadline = Clock.milliseconds + Self.interval + Self.patience
      isFirstRound = false
    }
    return finding
  }

  /// Ends the process, which is late.
  ///
  /// - Returns: the user who was being looked at.
  func end() -> UInt32? {
    var user = SettingsScoutProcess.nobody
    let count = unsafe pread(progress, &user, MemoryLayout<UInt32>.size, 0)
    program.kill()
    return count == MemoryLayout<UInt32>.size && user != SettingsScoutProcess.nobody ? user : nil
  }
}

extension SettingsScout.Finding {
  var message: CompanionMessage {
    switch self {
    case .user(let user, let hasSettings): CompanionMessage("\(user)", hasSettings ? "on" : "off")
    case .round: CompanionMessage("round")
    }
  }

  /// - Returns: `nil` for anything else.
  init?(_ message: CompanionMessage) {
    if message.fields.count == 2, let user = UInt32(message.text(0)) {
      self = .user(user, hasSettings: message.text(1) == "on")
    } else if message.text(0) == "round" {
      self = .round
    } else {
      return nil
    }
  }
}

/// The process itself.
package enum SettingsScoutProcess {
  /// The argument by which this program starts itself as that.
  package static let argument = "(watch-scout)"
  fileprivate static let nobody = UInt32.max

  /// Looks until the other side of standard input ends; standard output is the file in memory.
  package static func run() {
    _ = clinux_rights_leave_groups()
    let channel = FileChannel(STDIN_FILENO, PacketBuffer())
    var subjects: [(user: UInt32, group: UInt32, settings: FilePath)] = []
    setup: while case .packet(let packet) = channel.receive(waits: true) {
      guard let message = CompanionMessage(packet) else { return }
      guard message.fields.count > 1 else { break setup }
      guard message.fields.count == 3, let user = UInt32(message.text(0)),
        let group = UInt32(message.text(1)), let settings = FilePath(bytes: message.fields[2])
      else { return }
      subjects.append((user, group, settings))
    }
    // `nil` before the first look.
    var known: [FileFingerprint??] = subjects.map { _ in nil }
    while true {
      for (index, subject) in subjects.enumerated() {
        report(subject.user)
        let found = FileRights.ofUser(subject.user, group: subject.group) {
          FileFingerprint(subject.settings)
        }
        guard known[index] != .some(found) else { continue }
        known[index] = .some(found)
        let finding = SettingsScout.Finding.user(subject.user, hasSettings: found != nil)
        guard send(finding, channel) else { return }
      }
      report(nobody)
      guard send(.round, channel) else { return }
      var other = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
      // Nothing more is said to it: whatever comes is the end.
      if unsafe poll(&other, 1, CInt(SettingsScout.interval)) > 0 { return }
    }
  }

  private static func report(_ user: UInt32) {
    var user = user
    _ = unsafe pwrite(STDOUT_FILENO, &user, MemoryLayout<UInt32>.size, 0)
  }

  private static func send(_ finding: SettingsScout.Finding, _ channel: FileChannel) -> Bool {
    do throws(Errno) {
      try channel.send(finding.message.packet, waits: true)
      return true
    } catch {
      return false
    }
  }
}
