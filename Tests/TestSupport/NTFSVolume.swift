import Foundation
import Glibc

/// The NTFS volume of the fixtures, mounted by ntfs-3g until the last reference to it is gone.
package final class NTFSVolume {
  /// It could not be mounted.
  package struct CannotMount: Error {
    let errors: String
  }

  /// How ntfs-3g shows named streams.
  package enum Streams: String, CaseIterable, Sendable {
    case attributes = "xattr"
    /// As files `name:stream`.
    case files = "windows"
  }

  private let directory: TemporaryDirectory
  private let root: String

  package init(_ streams: Streams) throws {
    directory = try TemporaryDirectory()
    root = directory.path("mounted")
    mkdir(root, 0o755)
    let image = directory.path("image")
    let packed = try Fixture.bytes("NTFS/small.ntfs.img.gz")
    let unpacked = try Execution.run(["gzip", "-dc"], input: packed)
    try Data(unpacked.output).write(to: URL(filePath: image))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let mounted = try Execution.run(
      ["ntfs-3g", image, root, "-o", "streams_interface=\(streams.rawValue)"],
      environment: ["PATH": path + ":/usr/sbin:/sbin"])
    guard mounted.status == 0 else { throw CannotMount(errors: mounted.errors) }
  }

  deinit { _ = try? Execution.run(["umount", "--lazy", root]) }

  package func path(_ name: String) -> String { "\(root)/\(name)" }
}
