internal import CLinux
internal import Glibc

/// Whose rights to files the calling thread has.
public enum FileRights {
  /// Does something with the rights of a user, so that what lies in a user's directories, links
  /// among it, leads root to nothing that the user may not read. Other than root has its own.
  ///
  /// The corresponding C function is setfsuid(2).
  public static func ofUser<Result>(
    _ user: UInt32, group: UInt32, _ body: () -> Result
  ) -> Result {
    guard geteuid() == 0, user != 0 else { return body() }
    // It may be a user's already.
    var (formerUser, formerGroup): (UInt32, UInt32) = (0, 0)
    unsafe clinux_rights(&formerUser, &formerGroup)
    clinux_act_as(user, group)
    defer { clinux_act_as(formerUser, formerGroup) }
    return body()
  }
}

/// Whose rights to processes the calling thread has.
public enum SignalRights {
  /// The user to whom nothing belongs.
  public static let nobody: UInt32 = 65534

  /// Ends a process of ours that has become another user's: without CAP_KILL, root may not either.
  ///
  /// The corresponding C function is kill(2).
  ///
  /// - Returns: whether it is being ended.
  public static func kill(_ process: Int32, of user: UInt32) -> Bool {
    clinux_process_kill_as(process, user) == 0
  }
}
