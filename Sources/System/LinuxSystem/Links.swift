/// What a call does with a path whose last component is a symbolic link.
public enum Links: Sendable {
  /// It acts on what the link points to, as `getxattr` does.
  case follow
  /// It acts on the link itself, as `lgetxattr` does. Linux stores no `user.` attribute there.
  case noFollow
}
