public import BinaryPropertyList
public import LinuxSystem

/// The files that a user's desktop lists as recently used, of recently-used.xbel.
///
/// The list is XML, which a program of its own reads; a property list carries it from there.
public struct RecentFiles: Sendable {
  /// More files than this are not read: GTK keeps a few hundred.
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
    guard case .array(let files) = try PropertyList(binary: binary) else { return nil }
    self.init(files.compactMap(Self.file))
  }

  private static func file(_ list: PropertyList) -> RecentFile? {
    guard case .array(let parts) = list, parts.count >= 2, case .data(let path) = parts[0],
      case .data(let bytes) = parts[1], let path = FilePath(bytes: path)
    else { return nil }
    var uses: [RecentUse] = []
    var rest = parts.dropFirst(2)
    while rest.count >= 4 {
      let use = Array(rest.prefix(4))
      rest = rest.dropFirst(4)
      guard case .string(let application) = use[0] else { continue }
      let command: String? = if case .string(let text) = use[1] { text } else { nil }
      let seconds: Double? = if case .real(let number) = use[2] { number } else { nil }
      let count: Int? = if case .integer(let number) = use[3] { Int(number) } else { nil }
      uses.append(
        RecentUse(application: application, command: command, seconds: seconds, count: count))
    }
    return RecentFile(path: path, uses: uses, bytes: bytes)
  }
}
