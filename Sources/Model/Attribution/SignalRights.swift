internal import CLinux

/// Whose rights to processes the calling thread has.
public enum SignalRights {
  /// Ends a process of ours that has become another user's: without CAP_KILL, root may not either.
  ///
  /// The corresponding C function is kill(2).
  ///
  /// - Returns: whether it is being ended.
  public static func kill(_ process: Int32, of user: UInt32) -> Bool {
    clinux_process_kill_as(process, user) == 0
  }
}
