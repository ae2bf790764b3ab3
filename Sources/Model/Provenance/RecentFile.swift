public import LinuxSystem

/// A file that a desktop has listed as recently used.
public struct RecentFile: Hashable, Sendable {
  /// The file's absolute path.
  public let path: FilePath
  /// The applications that used it, in the order of the list.
  public let uses: [RecentUse]
  /// The bookmark as XML.
  public let bytes: [UInt8]

  public init(path: FilePath, uses: [RecentUse], bytes: [UInt8]) {
    self.path = path
    self.uses = uses
    self.bytes = bytes
  }

  /// The latest use; of those at the same time, or without one, the last.
  public var lastUse: RecentUse? {
    uses.max { ($0.seconds ?? -.infinity) < ($1.seconds ?? -.infinity) }
  }

  /// The path that a `file` URL names (RFC 8089); `nil` for other URLs and those on other hosts.
  public static func path(ofURL url: String) -> FilePath? {
    let scheme = "file://"
    guard MarkText.matches(url.utf8.prefix(scheme.utf8.count), scheme) else { return nil }
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = rest[..<slash]
    guard host.isEmpty || MarkText.matches(host, "localhost") else { return nil }
    var path: [UInt8] = []
    var bytes = rest[slash...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"): return FilePath(bytes: path)
      case UInt8(ascii: "%"):
        let digits = bytes.prefix(2).compactMap(MarkText.hexadecimalDigit)
        guard digits.count == 2 else { return nil }
        path.append(digits[0] << 4 | digits[1])
        bytes = bytes.dropFirst(2)
      default: path.append(byte)
      }
    }
    return FilePath(bytes: path)
  }
}
