/// A directory on the way from the root to where a worker is.
struct Level: Sendable {
  let identity: FileIdentity
  /// How many bytes of the worker's path name it.
  let pathCount: Int
}
