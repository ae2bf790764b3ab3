internal import CLinux
internal import Glibc

/// The sandbox of a process that converts bytes on standard input into bytes on standard output.
///
/// A process cannot leave the sandbox. The sandbox limits memory, CPU time and file size, closes all
/// descriptors except 0, 1, 2 and those to be kept, and prevents core dumps and tracing by processes
/// of the same user.
/// On x86_64 and aarch64, a seccomp filter makes every system call fail with EPERM that opens,
/// connects, starts or signals anything. In addition, Landlock blocks access to all paths. A process
/// of root becomes a process of nobody, the user who owns nothing. If root cannot become another
/// user (in a user namespace with a single user, or without CAP_SETUID and CAP_SETGID), the process
/// keeps the user ID of root and gives up its capabilities.
///
/// If the kernel lacks seccomp filters or Landlock (before Linux 5.13, or not enabled), the process
/// continues without that protection, and ``enter(memory:seconds:fileSize:keeping:nets:)`` returns only
/// the protections in force. Without both, the limits remain; among them, no descriptor is left over
/// from the parent process and the process can open no new descriptor.
public enum DecodingSandbox {
  /// Address space in bytes: room for a program with its libraries, and for the 16 MiB of the
  /// largest interlaced picture several times.
  public static let memory: UInt64 = 256 << 20
  /// CPU time; the largest picture takes a tenth of a second.
  public static let seconds: UInt64 = 5
  /// The longest file that is written, in bytes: the largest icon is smaller.
  public static let fileSize: UInt64 = 5 << 20

  /// Puts this process into the sandbox, with all its threads.
  ///
  /// - Parameters:
  ///   - kept: descriptors that stay open, of which the process may read at any place.
  ///   - nets: the protections to add to the limits; tests use fewer than all.
  /// - Returns: the protections that are in force.
  /// - Throws: ``SandboxFailure`` with the error of the failed call; the process must not continue
  ///   then.
  ///
  /// The corresponding C functions are setresuid(2), capset(2), setrlimit(2), prctl(2), seccomp(2)
  /// and landlock_restrict_self(2).
  @discardableResult
  public static func enter(
    memory: UInt64 = memory, seconds: UInt64 = seconds, fileSize: UInt64 = fileSize,
    keeping kept: [CInt] = [], nets: SandboxNets = [.seccomp, .landlock]
  ) throws(SandboxFailure) -> SandboxNets {
    let kept = kept.sorted()
    var inForce: SandboxNets = []
    // First: another user forgets that the process is to end with its parent.
    try SandboxFailure.check(clinux_sandbox_leave_root())
    try SandboxFailure.check(
      unsafe clinux_sandbox_limit(memory, seconds, fileSize, kept, kept.count))
    if nets.contains(.landlock), try SandboxFailure.isKnown(clinux_sandbox_landlock(nil)) {
      inForce.insert(.landlock)
    }
    try SandboxFailure.check(clinux_sandbox_refuse_descriptors())
    if nets.contains(.seccomp),
      try SandboxFailure.isKnown(clinux_sandbox_seccomp(kept.isEmpty ? 0 : 1))
    {
      inForce.insert(.seccomp)
    }
    return inForce
  }

  /// Makes this process one of nobody, the user who owns nothing, if it is root's.
  ///
  /// The corresponding C functions are setresuid(2) and capset(2).
  package static func leaveRoot() throws(SandboxFailure) {
    try SandboxFailure.check(clinux_sandbox_leave_root())
  }
}

/// The sandbox of a process that reads files wherever they are, and changes none.
///
/// A process cannot leave the sandbox. The sandbox limits memory, CPU time and file size, closes all
/// descriptors except 0, 1 and 2, and prevents core dumps and tracing by processes of the same
/// user. A seccomp filter makes every system call fail with EPERM that opens a file for writing, changes
/// one, connects, starts or signals anything; Landlock refuses some of this as well. A process of root keeps
/// no right but to read.
///
/// If the kernel lacks seccomp filters or Landlock, the process continues without that protection.
package enum ReadingSandbox {
  /// What is mapped of files counts as address space, too.
  private static let addressSpace: UInt64 = 8 << 30
  /// CAP_DAC_READ_SEARCH.
  private static let right: UInt64 = 1 << 2

  /// Puts this process into the sandbox.
  ///
  /// - Parameters:
  ///   - memory: what the process may allocate, in bytes.
  ///   - seconds: CPU time.
  ///   - fileSize: the longest file that is written, in bytes.
  /// - Throws: ``SandboxFailure`` with the error of the failed call; the process must not continue then.
  ///
  /// The corresponding C functions are capset(2), setrlimit(2), prctl(2), seccomp(2) and
  /// landlock_restrict_self(2).
  package static func enter(
    memory: UInt64, seconds: UInt64, fileSize: UInt64
  ) throws(SandboxFailure) {
    try SandboxFailure.check(clinux_rights_keep(right, right))
    try SandboxFailure.check(clinux_sandbox_limit(addressSpace, seconds, fileSize, nil, 0))
    try SandboxFailure.check(clinux_rights_limit_data(memory))
    let result = unsafe Program.withList([[0x2f]]) { unsafe clinux_sandbox_landlock($0) }
    _ = try SandboxFailure.isKnown(result)
    _ = try SandboxFailure.isKnown(clinux_sandbox_seccomp_reader())
  }
}

/// A ``DecodingSandbox`` or another that cannot be entered.
public struct SandboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let errno: Errno

  /// - Parameter result: of a function in C: 0, or a negative error number.
  fileprivate static func check(_ result: CInt) throws(SandboxFailure) {
    guard result == 0 else { throw SandboxFailure(errno: Errno(rawValue: -result)) }
  }

  /// The same; `false` where the kernel does not have what was asked for.
  fileprivate static func isKnown(_ result: CInt) throws(SandboxFailure) -> Bool {
    if [-ENOSYS, -EINVAL, -EOPNOTSUPP].contains(result) { return false }
    try check(result)
    return true
  }

  /// A reason that follows "cannot …: ".
  public var description: String {
    "cannot enter the sandbox: \(errno.description.lowercased())"
  }
}

/// The protections of the kernel that a ``DecodingSandbox`` adds to its limits.
public struct SandboxNets: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// System calls that open, connect or start anything fail.
  public static let seccomp = SandboxNets(rawValue: 1)
  /// No path can be reached.
  public static let landlock = SandboxNets(rawValue: 2)
}
