internal import LinuxSystem

/// A part of a walk, for whichever worker is free: a directory's listing and all below it.
struct Share: Sendable {
  let handle: DirectoryHandle
  let listing: Listing
  let way: Way
  let path: FilePath
}
