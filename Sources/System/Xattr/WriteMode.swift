/// What writing does when the attribute exists or is missing: the flags of setxattr(2).
public enum WriteMode: Sendable {
  case createOrReplace
  /// Fails with EEXIST when the attribute exists.
  case create
  /// Fails with ENODATA when it does not.
  case replace
}
