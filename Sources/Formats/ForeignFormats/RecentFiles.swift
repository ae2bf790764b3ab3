public import BinaryPropertyList
public import LinuxSystem

/// The files that a user's desktop lists as recently used, of recently-used.xbel.
///
/// docsource-xml reads the list, which is XML; a property list carries it to docsource.
public struct RecentFiles: Sendable {
  /// The most files that are read: GTK keeps a few hundred.
  public static let limit = 100_000

  public private(set) var files: [RecentFile]
  private var positions: [FilePath: Int] = [:]

  /// - Parameter files: of several with the same path the last counts.
  public init(_ files: [RecentFile]) {
    self.files = files
    for (position, file) in files.enumerated() { positions[file.path] = position }
  }

  /// The file of an absolute path.
  public subscript(path: FilePath) -> RecentFile? { positions[path].map { files[$0] } }

  /// The list as a binary property list.
  public func binary() throws(EncodingFailure) -> [UInt8] {
    try PropertyList.array(
      files.map { file in
        var parts: [PropertyList] = [.data(Array(file.path.bytes)), .data(file.bytes)]
        for use in file.uses {
          parts.append(.string(use.application))
          parts.append(use.command.map { .string($0) } ?? .null)
          parts.append(use.seconds.map { .real($0) } ?? .null)
          parts.append(use.count.map { .integer(Int64($0)) } ?? .null)
        }
        return .array(parts)
      }
    ).binary()
  }

  /// Reads what `binary` makes.
  ///
  /// - Returns: `nil` for anything else.
  public init?(binary: [UInt8]) throws(DecodingFailure) {
    guard let files = try PropertyList(binary: binary).parts else { return nil }
    self.init(files.compactMap(Self.file))
  }

  private static func file(_ list: PropertyList) -> RecentFile? {
    guard let parts = list.parts, parts.count >= 2, let bytes = parts[1].data,
      let path = parts[0].data.flatMap({ FilePath(bytes: $0) })
    else { return nil }
    let uses = stride(from: 2, to: parts.count - 3, by: 4).compactMap { start -> RecentUse? in
      guard let application = parts[start].text else { return nil }
      let seconds: Double? = if case .real(let number) = parts[start + 2] { number } else { nil }
      let count: Int? = if case .integer(let number) = parts[start + 3] { Int(number) } else { nil }
      return RecentUse(
        application: application, command: parts[start + 1].text, seconds: seconds, count: count)
    }
    return RecentFile(path: path, uses: uses, bytes: bytes)
  }
}

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
    guard MarkText.begins(url, with: scheme) else { return nil }
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = rest[..<slash]
    guard host.isEmpty || MarkText.matches(Array(host)[...], "localhost") else { return nil }
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

/// An application's uses of a file, which it opened or wrote.
public struct RecentUse: Hashable, Sendable {
  /// The name under which the application has registered.
  public let application: String
  /// The command that starts the application; a placeholder such as `%u` stands for the file.
  public let command: String?
  /// The time of the last use, in seconds since 1970-01-01T00:00:00Z.
  public let seconds: Double?
  /// That of the first one, where it is recorded.
  public let first: Double?
  public let count: Int?

  public init(
    application: String, command: String? = nil, seconds: Double? = nil, first: Double? = nil,
    count: Int? = nil
  ) {
    self.application = application
    self.command = command
    self.seconds = seconds
    self.first = first
    self.count = count
  }
}
