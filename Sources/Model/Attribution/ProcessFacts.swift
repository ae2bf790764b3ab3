/// What /proc/PID tells of a process, as far as it bears on whose it is; see proc(5).
///
/// What the process can set itself, its command line and environment, is a claim.
public struct ProcessFacts: Hashable, Sendable {
  /// What GIO leaves in the environment of what it starts.
  public struct Launch: Hashable, Sendable {
    /// `GIO_LAUNCHED_DESKTOP_FILE`, a path.
    public let desktopFile: String
    /// `GIO_LAUNCHED_DESKTOP_FILE_PID`: whom it started. Children inherit both.
    public let identifier: Int32

    public init(desktopFile: String, identifier: Int32) {
      self.desktopFile = desktopFile
      self.identifier = identifier
    }
  }

  public var identifier: Int32
  public var parent: Int32
  /// The process that leads its session.
  public var session: Int32
  /// Whether it has a controlling terminal.
  public var hasTerminal: Bool
  /// In ticks since the machine's start, which no later process of the same number has.
  public var startTime: UInt64
  /// The effective user.
  public var user: UInt32
  /// The first 15 bytes of the program's name.
  public var command: [UInt8]
  /// The program's path; `nil` where the process is ending, and where it is a kernel's.
  public var executable: [UInt8]?
  /// The command line, the program's name first.
  public var arguments: [[UInt8]]
  /// The content of its `cgroup`.
  public var controlGroups: [UInt8]
  public var launch: Launch?
  /// The name in the `.flatpak-info` of its root directory.
  public var flatpak: String?

  public init(
    identifier: Int32, parent: Int32 = 1, session: Int32 = 0, hasTerminal: Bool = false,
    startTime: UInt64 = 0, user: UInt32 = 0, command: [UInt8] = [], executable: [UInt8]? = nil,
    arguments: [[UInt8]] = [], controlGroups: [UInt8] = [], launch: Launch? = nil,
    flatpak: String? = nil
  ) {
    self.identifier = identifier
    self.parent = parent
    self.session = session
    self.hasTerminal = hasTerminal
    self.startTime = startTime
    self.user = user
    self.command = command
    self.executable = executable
    self.arguments = arguments
    self.controlGroups = controlGroups
    self.launch = launch
    self.flatpak = flatpak
  }

  /// The name of the program; of one that is ending what is left of it.
  var programName: ArraySlice<UInt8> {
    guard let executable else { return command[...] }
    let start = executable.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return executable[start...]
  }
}
