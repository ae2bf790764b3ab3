/// A type of file system: its name, and what is known of it and user attributes.
struct FileSystemType {
  /// How it stands with user attributes.
  enum Support: Hashable {
    /// It stores them; the bytes that a value has room for, where that is a fixed number.
    case stores(limit: Int?)
    /// It stores them or not; in words, what it is due to where it does not.
    case depends(on: String, help: String?)
    /// It stores none, in words why.
    case never(because: String, help: String?)
  }

  let name: String
  let support: Support

  /// - Parameters:
  ///   - magic: its number in statfs(2), from linux/magic.h.
  ///   - mounted: its name in /proc/self/mountinfo, which is more exact.
  init(magic: UInt64, mounted: String?) {
    let known = Self.known[magic]
    name = mounted ?? known?.name ?? "0x" + String(magic, radix: 16)
    support =
      known?.support
      ?? .depends(on: "this file system does not store user attributes", help: nil)
  }

  private init(_ name: String, _ support: Support) {
    self.name = name
    self.support = support
  }

  private static func kernels(_ name: String) -> FileSystemType {
    FileSystemType(
      name, .never(because: "its files are made up by the kernel and store nothing", help: nil))
  }

  private static func plain(_ name: String) -> FileSystemType {
    FileSystemType(name, .never(because: "its format has no place for attributes", help: nil))
  }

  private static func image(_ name: String) -> FileSystemType {
    FileSystemType(name, .never(because: "it is an image that is never written", help: nil))
  }

  private static func windows(_ name: String) -> FileSystemType {
    FileSystemType(
      name,
      .depends(
        on: "the server or the mount does not offer extended attributes",
        help: "mount it without 'nouser_xattr', from a server that stores them"))
  }

  // The limits are measured, see DoctorCommandTests; the others have none, or one that depends on the file.
  private static let known: [UInt64: FileSystemType] = [
    0xef53: FileSystemType("ext4", .stores(limit: nil)),
    0x5846_5342: FileSystemType("xfs", .stores(limit: 65536)),
    0x9123_683e: FileSystemType("btrfs", .stores(limit: 16206)),
    0x0102_1994: FileSystemType("tmpfs", .stores(limit: 65536)),
    0xf2f5_2010: FileSystemType("f2fs", .stores(limit: nil)),
    0x2fc1_2fc1: FileSystemType("zfs", .stores(limit: nil)),
    0xca45_1a4e: FileSystemType("bcachefs", .stores(limit: nil)),
    0x794c_7630: FileSystemType("overlay", .stores(limit: nil)),
    0x3153_464a: FileSystemType("jfs", .stores(limit: nil)),
    0x00c3_6400: FileSystemType("ceph", .stores(limit: nil)),
    0x7366_746e: FileSystemType("ntfs3", .stores(limit: nil)),
    0x6969: FileSystemType(
      "nfs",
      .depends(
        on: "NFS carries user attributes from version 4.2 and Linux 5.9 on, on both sides",
        help: "mount it with 'vers=4.2' from a server that stores them")),
    0x6573_5546: FileSystemType(
      "fuse",
      .depends(on: "the program behind it does not offer user attributes", help: nil)),
    0x0102_1997: FileSystemType(
      "9p",
      .depends(on: "the host does not offer user attributes", help: "mount it with 'xattr'")),
    0xff53_4d42: windows("cifs"),
    0xfe53_4d42: windows("smb3"),
    0x517b: windows("smbfs"),
    0x8584_58f6: FileSystemType(
      "ramfs", .never(because: "it keeps content only", help: "use tmpfs instead")),
    0x9584_58f6: FileSystemType("hugetlbfs", .never(because: "it keeps content only", help: nil)),
    0x4d44: plain("vfat"), 0x2011_bab0: plain("exfat"), 0x9660: plain("iso9660"),
    0x1501_3346: plain("udf"), 0x137f: plain("minix"),
    0x482b: FileSystemType("hfsplus", .stores(limit: nil)),
    0x7371_7368: image("squashfs"), 0xe0f5_e1e2: image("erofs"), 0x28cd_3d45: image("cramfs"),
    0x9fa0: kernels("proc"), 0x6265_6572: kernels("sysfs"),
    0x6367_7270: FileSystemType("cgroup2", .stores(limit: nil)),
    0x0027_e0eb: kernels("cgroup"), 0x1cd1: kernels("devpts"), 0x6462_6720: kernels("debugfs"),
    0x7472_6163: kernels("tracefs"), 0x7363_6673: kernels("securityfs"),
    0x1980_0202: kernels("mqueue"), 0xde5e_81e4: kernels("efivarfs"),
    0x4249_4e4d: kernels("binfmt_misc"), 0x6265_6570: kernels("configfs"),
    0x6165_676c: kernels("pstore"), 0xcafe_4a11: kernels("bpf"), 0xf97c_ff8c: kernels("selinuxfs"),
  ]
}
