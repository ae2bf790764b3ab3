internal import LinuxSystem

/// A file beside another, by the names that lead to it, as it was when it was read.
struct NeighbourPath: Sendable {
  let components: [[UInt8]]
  /// The first of the directories that have no use once they are empty.
  let firstFolder: Int?
  let version: FileVersion
}
