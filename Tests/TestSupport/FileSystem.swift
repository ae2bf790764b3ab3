import Foundation
import Glibc

/// A file system of a test's own, mounted until the last reference to it is gone.
package final class FileSystem {
  package enum Kind: String, CaseIterable, Sendable {
    case ext4, xfs, btrfs, tmpfs
    /// Stores no user attributes.
    case ramfs
  }

  /// The file system could not be made.
  package struct CannotMake: Error {
    let command: [String]
    let errors: String
  }

  /// Whether tests that mount are to run: always in CI, where failing is better than skipping,
  /// otherwise where a loop mount works, which root in a container often may not.
  package static let mayMount: Bool = {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    return geteuid() == 0 && (try? FileSystem(.ext4)) != nil
  }()

  package let kind: Kind
  package let root: String
  private let directory: TemporaryDirectory

  /// - Parameters:
  ///   - options: of mkfs.
  ///   - isSubvolume: whether the root is a subvolume of btrfs, as most distributions have it.
  package init(_ kind: Kind, _ options: [String] = [], isSubvolume: Bool = false) throws {
    self.kind = kind
    directory = try TemporaryDirectory()
    root = directory.path("mounted")
    mkdir(root, 0o755)
    chmod(directory.root, 0o755)  // tests look in as other users too
    switch kind {
    case .tmpfs, .ramfs: try Self.command("mount", "-t", kind.rawValue, kind.rawValue, root)
    case .ext4, .xfs, .btrfs:
      let image = directory.path("image")
      try Self.command("truncate", "-s", "320M", image)
      // A small ext4 would get blocks of 1 KiB, which hold a quarter of the usual attributes.
      let blocks = kind == .ext4 ? ["-b", "4096"] : []
      try Self.command(["mkfs.\(kind.rawValue)", "-q"] + blocks + options + [image])
      try Self.command("mount", "-o", "loop", image, root)
      if isSubvolume {
        try Self.command("btrfs", "subvolume", "create", root + "/@")
        try Self.command("umount", root)
        try Self.command("mount", "-o", "loop,subvol=@", image, root)
      }
    }
  }

  deinit { _ = try? Execution.run(["umount", "--lazy", root]) }

  /// Makes it read-only.
  package func makeReadOnly() throws { try Self.command("mount", "-o", "remount,ro", root) }

  /// Has what a power cut would leave: nothing that the kernel has not written yet is written any more,
  /// and the file system is mounted anew. Only ext4 and xfs can.
  ///
  /// A copy of the image is mounted. The image itself may stay mounted in mount namespaces that were
  /// made meanwhile, and to mount it would then show the file system that was shut down.
  package func cutPower() throws {
    try Self.command("xfs_io", "-x", "-c", "shutdown", root)
    try Self.command("umount", "--lazy", root)
    let (image, copy) = (directory.path("image"), directory.path("copy"))
    try Self.command("cp", "--sparse=always", image, copy)
    try Self.command("mv", copy, image)
    try Self.command("mount", "-o", kind == .xfs ? "loop,nouuid" : "loop", image, root)
  }

  /// Waits until a device is mounted in no mount namespace: those of other tests may have it after `umount`, and
  /// what is written to the device meanwhile is not what is mounted next.
  package static func waitUntilUnmounted(_ device: String) throws {
    try Patience.wait {
      let descriptor = open(device, O_RDONLY | O_EXCL | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      close(descriptor)
      return true
    }
  }

  package func path(_ name: String) -> String { "\(root)/\(name)" }

  private static func command(_ command: String...) throws { try self.command(command) }

  private static func command(_ command: [String]) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let execution = try Execution.run(
      command, environment: ["PATH": path + ":/usr/sbin:/sbin"])
    guard execution.status == 0 else {
      throw CannotMake(command: command, errors: execution.errors)
    }
  }
}
