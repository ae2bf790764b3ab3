public import Applications
public import LinuxSystem

/// The hosts from which the user lets icons be fetched without being asked, each by its own name:
/// hosts below it are others.
///
/// They stand in `$XDG_CONFIG_HOME/docsource/trusted-hosts`, a name a line; what follows `#` is a
/// comment.
public struct TrustedHosts: Sendable {
  /// Why the list cannot be read or written; its path is empty where there is no place for it.
  public typealias Failure = UserFile.Failure

  /// A line that is neither a host's name, a comment nor empty. It counts as nothing.
  public struct Misspelt: Hashable, Sendable {
    /// From 1.
    public let line: Int
    public let text: String
  }

  /// Why nobody is trusted: there is a list, but it cannot be read.
  public let failure: Failure?
  private var lines: [ArraySlice<UInt8>]

  /// Reads the list. Where there is none, or it cannot be read, nobody is trusted.
  public init(places: BaseDirectories) {
    do throws(Failure) {
      lines = Self.lines(try Self.file(places).content())
      failure = nil
    } catch {
      lines = []
      failure = error
    }
  }

  private init(lines: [ArraySlice<UInt8>]) {
    failure = nil
    self.lines = lines
  }

  /// Where the list is kept.
  ///
  /// - Throws: `Failure` where there is no home for configuration.
  public static func path(_ places: BaseDirectories) throws(Failure) -> FilePath {
    try file(places).path
  }

  private static func file(_ places: BaseDirectories) throws(Failure) -> UserFile {
    try UserFile("trusted-hosts", in: places)
  }

  private static func lines(_ content: [UInt8]?) -> [ArraySlice<UInt8>] {
    var lines = (content ?? []).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Whether a host is on the list.
  ///
  /// - Parameter host: as written in a URL.
  public func contains(_ host: String) -> Bool {
    guard let name = try? HostName(host) else { return false }
    return lines.contains { Self.host($0) == name }
  }

  /// In the order of the list.
  public var hosts: [HostName] { lines.compactMap(Self.host) }

  public var misspelt: [Misspelt] {
    lines.enumerated().compactMap { position, line in
      let text = Self.text(line)
      guard !text.isEmpty, Self.host(line) == nil else { return nil }
      return Misspelt(line: position + 1, text: String(decoding: text, as: UTF8.self))
    }
  }

  /// - Returns: whether it was not there before.
  public mutating func add(_ host: HostName) -> Bool {
    guard !lines.contains(where: { Self.host($0) == host }) else { return false }
    lines.append(Array(host.text.utf8)[...])
    return true
  }

  /// Removes the lines of a host, comments behind it included.
  ///
  /// - Returns: whether it was there.
  public mutating func remove(_ host: HostName) -> Bool {
    let count = lines.count
    lines.removeAll { Self.host($0) == host }
    return lines.count < count
  }

  /// Changes the list on disk, at once. Processes that change it at the same time wait for each
  /// other.
  ///
  /// - Parameter change: changes it and says whether that is to be written.
  /// - Throws: `Failure`, also where the list that is there cannot be read.
  public static func edit(
    _ places: BaseDirectories, _ change: (inout TrustedHosts) -> Bool
  ) throws(Failure) {
    try file(places).edit { (content) throws(Failure) -> [UInt8]? in
      var hosts = TrustedHosts(lines: lines(content))
      guard change(&hosts) else { return nil }
      return hosts.lines.flatMap { Array($0) + [UInt8(ascii: "\n")] }
    }
  }

  /// A line without its comment and the spaces around.
  private static func text(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = line.prefix { $0 != UInt8(ascii: "#") }
    let spaces: [UInt8] = [0x20, 0x09, 0x0d]
    while let last = text.last, spaces.contains(last) { text.removeLast() }
    return text.drop { spaces.contains($0) }
  }

  private static func host(_ line: ArraySlice<UInt8>) -> HostName? {
    guard let text = String(validating: text(line), as: UTF8.self),
      let name = try? HostName(text), !name.isSingleLabel
    else { return nil }
    return name
  }
}
