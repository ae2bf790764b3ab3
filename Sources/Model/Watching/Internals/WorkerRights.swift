internal import CLinux
internal import LinuxSystem

/// The capabilities of a worker, which are effective only while they are needed: what is read of a
/// user's files is read as that user.
struct WorkerRights: Sendable {
  // Of linux/capability.h.
  private static let overrideAccess: UInt64 = 1 << 1
  private static let readAndSearch: UInt64 = 1 << 2
  private static let changeUser: UInt64 = 1 << 6 | 1 << 7
  private static let trace: UInt64 = 1 << 19
  private static let administer: UInt64 = 1 << 21

  /// Those of a process that has not become a worker: it uses what it has.
  static let unchanged = WorkerRights(raised: nil)

  /// `nil` if all are effective.
  private let raised: UInt64?

  /// Makes this process one of the user's.
  ///
  /// It may write attributes to all files of the user, whatever their modes. That of root may also
  /// look at root's processes, which the others need no right for, and end the programs that it has
  /// started, which become another user's.
  ///
  /// - Parameter marks: whether it is to mark a mount before it calls ``settle``.
  static func become(_ account: UserAccount, marks: Bool) throws(Errno) -> WorkerRights {
    let writing = overrideAccess | readAndSearch
    let kept = account.user == 0 ? writing | changeUser | trace : writing
    let result = clinux_rights_become(
      account.user, account.group, marks ? kept | administer : kept,
      (account.user == 0 ? kept : 0) | (marks ? administer : 0))
    guard result == 0 else { throw Errno(rawValue: -result) }
    return WorkerRights(raised: account.user == 0 ? nil : writing)
  }

  /// Gives up for good what only marking needs, and what writing needs if nothing is to be written.
  func settle(writes: Bool = true) throws(Errno) {
    guard let raised else {
      return try Self.check(clinux_rights_keep(~Self.administer, ~Self.administer))
    }
    try Self.check(clinux_rights_keep(writes ? raised : 0, 0))
  }

  private static func check(_ result: CInt) throws(Errno) {
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Calls `body` while the capabilities are effective on this thread.
  ///
  /// The corresponding C function is capset(2).
  func whileRaised<Result>(_ body: () -> Result) -> Result {
    guard let raised else { return body() }
    // What the process may do without them it does.
    _ = clinux_rights_keep(raised, raised)
    defer { _ = clinux_rights_keep(raised, 0) }
    return body()
  }
}
