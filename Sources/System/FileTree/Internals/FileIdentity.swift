/// What tells a directory from all others while it is there, whatever paths lead to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}
