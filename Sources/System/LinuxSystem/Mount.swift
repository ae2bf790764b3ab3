internal import Glibc

/// A line of /proc/self/mountinfo, see proc(5).
package struct Mount {
  /// As statx(2) gives it for what is reached through the mount.
  package let number: UInt64
  /// `8:1`, that of the file system.
  package let device: String
  package let point: FilePath
  /// `ext4`, `tmpfs`
  package let type: String
  /// A device, a server's directory, or a word.
  package let source: String
  /// Those of the mount, then those of the file system.
  package let options: [String]

  /// As many bytes of the list are read: a line of a user's own FUSE mount takes some 32 KiB at most, and
  /// there may be 1000 of these, by default.
  private static let limit = 64 << 20

  /// The list of all; a descriptor of it has something urgent when that has changed.
  package static let list = FilePath("/proc/self/mountinfo")

  /// The mount of a number; `nil` if it is unknown, as without /proc.
  package init?(number: UInt64) {
    let lead = Array("\(number) ".utf8)
    guard number != 0,
      let line = Self.lines(of: Self.list, limit: Self.limit).first(where: { $0.starts(with: lead) }
      )
    else { return nil }
    self.init(line: line)
  }

  /// All mounts of this process's namespace; the first ones if the list is too long, which are those that
  /// were mounted first.
  package static func all() -> [Mount] { all(in: list, limit: limit) }

  static func all(in list: FilePath, limit: Int) -> [Mount] {
    lines(of: list, limit: limit).compactMap { Mount(line: $0) }
  }

  /// The lines that end within a number of bytes.
  private static func lines(of list: FilePath, limit: Int) -> [ArraySlice<UInt8>] {
    let file = unsafe list.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return [] }
    defer { close(file) }
    var content: [UInt8] = []
    while content.count < limit, let block = try? Descriptor.readBlock(file), !block.isEmpty {
      content += block
    }
    let newline = UInt8(ascii: "\n")
    let end = content.prefix(limit).lastIndex(of: newline) ?? 0
    return content[..<end].split(separator: newline)
  }

  /// - Returns: `nil` for a line of another form.
  package init?(line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    // Optional fields stand before the dash.
    guard let dash = fields.firstIndex(of: [UInt8(ascii: "-")]), dash >= 6,
      fields.count >= dash + 4, let point = FilePath(bytes: Self.unescaped(fields[4])),
      let number = UInt64(String(decoding: fields[0], as: UTF8.self))
    else { return nil }
    self.number = number
    device = String(decoding: fields[2], as: UTF8.self)
    self.point = point
    type = String(decoding: Self.unescaped(fields[dash + 1]), as: UTF8.self)
    source = String(decoding: Self.unescaped(fields[dash + 2]), as: UTF8.self)
    var options: [String] = []
    for list in [fields[5], fields[dash + 3]] {
      for option in list.split(separator: UInt8(ascii: ",")) {
        let option = String(decoding: Self.unescaped(option), as: UTF8.self)
        if !options.contains(option) { options.append(option) }
      }
    }
    self.options = options
  }

  /// Who answers for the files of a file system.
  package enum Keeper: Sendable {
    /// The kernel, from this machine's devices and memory.
    case kernel
    /// The kernel, but there are no documents: devices, and texts of the kernel's own.
    case kernelWithoutDocuments
    /// Perhaps a program, as with FUSE, or another machine, which may keep whoever asks waiting.
    case another
  }

  package var keeper: Keeper {
    if Self.documentTypes.contains(type) { return .kernel }
    return Self.otherTypes.contains(type) ? .kernelWithoutDocuments : .another
  }

  private static let documentTypes: Set<String> = [
    "bcachefs", "btrfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs", "hfsplus",
    "iso9660", "jfs", "minix", "msdos", "nilfs2", "ntfs3", "overlay", "ramfs", "reiserfs", "rootfs",
    "squashfs", "tmpfs", "ubifs", "udf", "ufs", "vfat", "xfs", "zfs",
  ]
  private static let otherTypes: Set<String> = [
    "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs",
    "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore", "rpc_pipefs",
    "securityfs", "selinuxfs", "sysfs", "tracefs",
  ]

  /// Space, tab, line end and backslash stand as three octal digits.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      let value = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
      let isOctal = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
      if byte == UInt8(ascii: "\\"), digits.count == 3, isOctal, value < 256 {
        result.append(UInt8(value))
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
