extension AppleDouble {
  /// The entries that have bytes, but for the one of the Finder information.
  var otherEntries: [Entry] {
    let info = entries.firstIndex { $0.type == Self.finderInfoType }
    return entries.indices.compactMap { index in
      index == info || entries[index].range.isEmpty ? nil : entries[index]
    }
  }

  /// Where something stands behind the Finder information that is no list of attributes; `nil`
  /// where nothing does, zeros apart.
  ///
  /// - Parameter bytes: reads a range of the file.
  func excess<Failure: Error>(
    _ bytes: (Range<Int>) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Range<Int>? {
    guard let info = entry(Self.finderInfoType)?.range else { return nil }
    let rest = info.dropFirst(Self.finderInfoLength)
    guard !rest.isEmpty, attributes.isEmpty else { return nil }
    let range = rest.startIndex..<min(rest.endIndex, rest.startIndex + Self.headLimit)
    let found = try bytes(range)
    let list = found.dropFirst(Self.attributesOffset - Self.finderInfoLength)
    let isNothing = list.starts(with: "ATTR".utf8) || found.allSatisfy { $0 == 0 }
    return isNothing ? nil : rest
  }

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
