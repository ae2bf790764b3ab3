import TestSupport
import Testing

@testable import LinuxSystem

/// The list of mounts.
@Suite struct MountTests {
  /// A user's FUSE mounts can make it long.
  @Test(arguments: [(0, 0), (37, 0), (38, 1), (75, 1), (76, 2), (113, 2), (114, 3), (1000, 3)])
  func firstOnesOfALongListAreKnown(_ limit: Int, _ count: Int) throws {
    let points = ["/first", "/other", "/third"]
    let lines = points.map { "20 1 8:1 / \($0) rw - ext4 source rw\n" }
    try #require(lines.allSatisfy { $0.utf8.count == 38 })
    let directory = try TemporaryDirectory()
    let list = try directory.file("mountinfo", lines.joined())
    let mounts = Mount.all(in: FilePath(list), limit: limit)
    #expect(mounts.map(\.point.description) == Array(points.prefix(count)))
  }
}
