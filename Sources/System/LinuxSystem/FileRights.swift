internal import CLinux
internal import Glibc

/// Whose rights to files the calling thread has.
public enum FileRights {
  /// The user to whom no file belongs, `nobody`.
  package static let nobody: UInt32 = 65534

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
