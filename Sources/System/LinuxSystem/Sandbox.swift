internal import CLinux
internal import Glibc

/// A process that has given up all it does not need for turning bytes on its standard input into
/// bytes on its standard output.
///
/// Once entered, it cannot be left: memory, processor time and file size are limited, descriptors
/// other than 0, 1 and 2 are closed, and the process neither dumps core nor can be traced by others
/// of the same user. A seccomp filter lets no system call pass that opens, connects, starts or
/// signals anything (they fail with EPERM), on x86_64 and aarch64. Landlock stands behind it: no
/// path can be reached.
///
/// Where the kernel has no seccomp filters, or no Landlock (before Linux 5.13, or not switched on),
/// the process goes on without that net and says so in what ``enter(memory:seconds:nets:)`` returns. With
/// neither, the limits remain, among them that no descriptor is left over from the parent and none
/// can be opened anew.
public enum DecodingSandbox {
  /// Address space in bytes: room for a program with its libraries, and for the 16 MiB of the
  /// largest interlaced picture several times.
  public static let memory: UInt64 = 256 << 20
  /// Processor time; the largest picture takes a tenth of a second.
  public static let seconds: UInt64 = 5
  /// The longest file that is written, in bytes: the largest icon is smaller.
  public static let fileSize: UInt64 = 5 << 20

  /// Gives up the rights of this process, all threads of it.
  ///
  /// - Parameter nets: which to put up beside the limits; fewer than all serve tests.
  /// - Returns: those of them that are in force.
  /// - Throws: the error of the call that was refused; the process must not go on then.
  ///
  /// The corresponding C functions are setrlimit(2), prctl(2), seccomp(2) and
  /// landlock_restrict_self(2).
  @discardableResult
  public static func enter(
    memory: UInt64 = memory, seconds: UInt64 = seconds, fileSize: UInt64 = fileSize,
    nets: SandboxNets = [.seccomp, .landlock]
  ) throws(Errno) -> SandboxNets {
    var inForce: SandboxNets = []
    try check(clinux_sandbox_limit(memory, seconds, fileSize))
    if nets.contains(.landlock), try isKnown(clinux_sandbox_landlock()) {
      inForce.insert(.landlock)
    }
    try check(clinux_sandbox_refuse_descriptors())
    if nets.contains(.seccomp), try isKnown(clinux_sandbox_seccomp()) { inForce.insert(.seccomp) }
    return inForce
  }

  /// Makes a process of root one of the user nobody, whom nothing belongs to and who has no
  /// capabilities; others stay whose they are. To be called before the sandbox is entered.
  ///
  /// - Throws: the error of the call that was refused; the process must not go on then.
  ///
  /// The corresponding C functions are setgroups(2), setresgid(2) and setresuid(2).
  public static func leaveRoot() throws(Errno) { try check(clinux_sandbox_leave_root()) }

  private static func check(_ result: CInt) throws(Errno) {
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// `false` where the kernel does not have it.
  private static func isKnown(_ result: CInt) throws(Errno) -> Bool {
    if [-ENOSYS, -EINVAL, -EOPNOTSUPP].contains(result) { return false }
    try check(result)
    return true
  }
}

/// What of the kernel's means keeps a ``DecodingSandbox`` closed beside the limits.
public struct SandboxNets: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// System calls that open, connect or start anything fail.
  public static let seccomp = SandboxNets(rawValue: 1)
  /// No path can be reached.
  public static let landlock = SandboxNets(rawValue: 2)
}
