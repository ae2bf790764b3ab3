extension AppleDouble {
  /// The length of the resource fork that stands for none.
  public static let blankForkLength = 286
  private static let blankText = "This resource fork intentionally left blank   "

  /// Whether a resource fork is the one that xnu's `vfs_xattr.c` writes where there is none.
  public static func isBlankFork(_ fork: [UInt8]) -> Bool {
    // No data and a map of 30 bytes, both at 256; a text stands where the system has room.
    let header: [UInt8] = [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 30]
    return fork.count == blankForkLength && fork.starts(with: header)
      && fork[header.count...].starts(with: blankText.utf8)
  }
}
