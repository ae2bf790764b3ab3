/// A type of file system: its name, and what is known of it and user attributes.
struct FileSystemType {
  /// How it stands with user attributes.
  enum Support: Hashable {
    /// It stores them; the bytes that a value has room for, where that is a fixed number.
    case stores(limit: Int? = nil)
    /// It stores them or not; in words, what it is due to where it does not.
    case depends(on: String, help: String? = nil)
    /// It stores none, in words why.
    case never(because: String, help: String? = nil)
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
      known?.support ?? .depends(on: "this file system does not store user attributes")
  }

  private static let kernels = Support.never(
    because: "the kernel generates the files, which store nothing")
  private static let plain = Support.never(because: "the format does not support attributes")
  private static let image = Support.never(because: "the file system is a read-only image")
  private static let windows = Support.depends(
    on: "the server or the mount does not support extended attributes",
    help:
      "remount the file system without 'nouser_xattr'; the server must also store extended attributes"
  )

  // The limits are measured, see DoctorCommandTests; the others have none, or one that depends on the file.
  private static let known: [UInt64: (name: String, support: Support)] = [
    0xef53: ("ext4", .stores()), 0x5846_5342: ("xfs", .stores(limit: 65536)),
    0x9123_683e: ("btrfs", .stores(limit: 16206)), 0x0102_1994: ("tmpfs", .stores(limit: 65536)),
    0xf2f5_2010: ("f2fs", .stores()), 0x2fc1_2fc1: ("zfs", .stores()),
    0xca45_1a4e: ("bcachefs", .stores()), 0x794c_7630: ("overlay", .stores()),
    0x3153_464a: ("jfs", .stores()), 0x00c3_6400: ("ceph", .stores()),
    0x7366_746e: ("ntfs3", .stores()), 0x482b: ("hfsplus", .stores()),
    0x6367_7270: ("cgroup2", .stores()),
    0x6969: (
      "nfs",
      .depends(
        on: "NFS needs version 4.2 and Linux 5.9 on both sides for user attributes",
        help: "mount with 'vers=4.2'; the server must also store user attributes")
    ),
    0x6573_5546: ("fuse", .depends(on: "the FUSE program does not support user attributes")),
    0x0102_1997: (
      "9p", .depends(on: "the host does not support user attributes", help: "mount it with 'xattr'")
    ),
    0xff53_4d42: ("cifs", windows), 0xfe53_4d42: ("smb3", windows), 0x517b: ("smbfs", windows),
    0x8584_58f6: (
      "ramfs", .never(because: "the file system stores content only", help: "use tmpfs instead")
    ),
    0x9584_58f6: ("hugetlbfs", .never(because: "the file system stores content only")),
    0x4d44: ("vfat", plain), 0x2011_bab0: ("exfat", plain), 0x9660: ("iso9660", plain),
    0x1501_3346: ("udf", plain), 0x137f: ("minix", plain), 0x7371_7368: ("squashfs", image),
    0xe0f5_e1e2: ("erofs", image), 0x28cd_3d45: ("cramfs", image), 0x9fa0: ("proc", kernels),
    0x6265_6572: ("sysfs", kernels), 0x0027_e0eb: ("cgroup", kernels),
    0x1cd1: ("devpts", kernels), 0x6462_6720: ("debugfs", kernels),
    0x7472_6163: ("tracefs", kernels), 0x7363_6673: ("securityfs", kernels),
    0x1980_0202: ("mqueue", kernels), 0xde5e_81e4: ("efivarfs", kernels),
    0x4249_4e4d: ("binfmt_misc", kernels), 0x6265_6570: ("configfs", kernels),
    0x6165_676c: ("pstore", kernels), 0xcafe_4a11: ("bpf", kernels),
    0xf97c_ff8c: ("selinuxfs", kernels),
  ]
}
