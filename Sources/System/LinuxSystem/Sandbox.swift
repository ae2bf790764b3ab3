internal import CLinux
internal import Glibc

/// A process that has given up all it does not need for turning bytes on its standard input into
/// bytes on its standard output.
///
/// Once entered, it cannot be left: memory, processor time and file size are limited, descriptors
/// other than 0, 1 and 2 are closed, and the process neither dumps core nor can be traced by others
/// of the same user. A seccomp filter lets no system call pass that opens, connects, starts or
/// signals anything (they fail with EPERM), on x86_64 and aarch64. Landlock stands behind it: no
/// path can be reached. Of root it makes nobody: the user whom nothing belongs to. Where root
/// cannot become another user, in a user namespace that has only one or with CAP_SETUID and CAP_SETGID
/// taken away, it stays root in name and gives up its capabilities.
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
  /// - Throws: ``SandboxFailure`` with the error of the call that was refused; the process must not go
  ///   on then.
  ///
  /// The corresponding C functions are setresuid(2), capset(2), setrlimit(2), prctl(2), seccomp(2)
  /// and landlock_restrict_self(2).
  @discardableResult
  public static func enter(
    memory: UInt64 = memory, seconds: UInt64 = seconds, fileSize: UInt64 = fileSize,
    nets: SandboxNets = [.seccomp, .landlock]
  ) throws(SandboxFailure) -> SandboxNets {
    do throws(Errno) {
      return try entered(memory, seconds, fileSize, nets)
    } catch {
      throw SandboxFailure(errno: error)
    }
  }

  private static func entered(
    _ memory: UInt64, _ seconds: UInt64, _ fileSize: UInt64, _ nets: SandboxNets
  ) throws(Errno) -> SandboxNets {
    var inForce: SandboxNets = []
    // First: another user forgets that the process is to end with its parent.
    try check(clinux_sandbox_leave_root())
    try check(clinux_sandbox_limit(memory, seconds, fileSize))
    if nets.contains(.landlock), try isKnown(clinux_sandbox_landlock()) {
      inForce.insert(.landlock)
    }
    try check(clinux_sandbox_refuse_descriptors())
    if nets.contains(.seccomp), try isKnown(clinux_sandbox_seccomp()) { inForce.insert(.seccomp) }
    return inForce
  }

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

/// A ``DecodingSandbox`` that cannot be entered.
public struct SandboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let errno: Errno

  /// In words that follow "cannot be read: ".
  public var description: String {
    "cannot enter the sandbox: \(errno.description.lowercased())"
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
