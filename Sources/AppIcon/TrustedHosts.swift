internal import Glibc
public import Xattr

/// The hosts from which the user lets icons be fetched without being asked, each by its own name:
/// hosts below it are others.
///
/// They stand in `$XDG_CONFIG_HOME/docsource/trusted-hosts`, a name a line; what follows `#` is a
/// comment.
public struct TrustedHosts: Sendable {
  /// Why the list cannot be read or written.
  public struct Failure: Error, Hashable, Sendable {
    /// Empty where there is no place for the list.
    public let path: FilePath
    /// In words that follow the path.
    public let reason: String
  }

  /// A line that is neither a host's name, a comment nor empty. It counts as nothing.
  public struct Misspelt: Hashable, Sendable {
    /// From 1.
    public let line: Int
    public let text: String
  }

  /// More than anybody writes by hand; in bytes.
  private static let limit = 1 << 20

  /// Why nobody is trusted: there is a list, but it cannot be read.
  public let failure: Failure?
  private var lines: [ArraySlice<UInt8>]

  /// Reads the list. Where there is none, or it cannot be read, nobody is trusted.
  public init(places: IconPlaces) {
    do throws(Failure) {
      lines = try Self.lines(of: Self.path(places))
      failure = nil
    } catch {
      lines = []
      failure = error
    }
  }

  /// Where the list is kept.
  ///
  /// - Throws: `Failure` where there is no home for configuration.
  public static func path(_ places: IconPlaces) throws(Failure) -> FilePath {
    guard let home = places.configHome else {
      throw Failure(
        path: FilePath(""), reason: "neither XDG_CONFIG_HOME nor HOME is set to an absolute path")
    }
    return home.appending(FilePath("docsource/trusted-hosts"))
  }

  private static func lines(of path: FilePath) throws(Failure) -> [ArraySlice<UInt8>] {
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else {
      if Errno.current == .noSuchFile { return [] }
      throw Failure(path, .current)
    }
    defer { close(file) }
    let content: [UInt8]?
    do throws(Errno) {
      content = try Descriptor.read(file, limit: limit)
    } catch {
      throw Failure(path, error)
    }
    guard let content else {
      throw Failure(path: path, reason: "it is larger than \(limit >> 20) MiB")
    }
    var lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
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
    _ places: IconPlaces, _ change: (inout TrustedHosts) -> Bool
  ) throws(Failure) {
    let path = try path(places)
    let file = ReplacedFile(path: path)
    do throws(Errno) {
      try file.makeDirectories()
    } catch {
      throw Failure(path, error)
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let directory = unsafe file.directory.withCString { unsafe open($0, flags) }
    guard directory >= 0 else { throw Failure(path, .current) }
    // Closing it gives the lock up.
    defer { close(directory) }
    while flock(directory, LOCK_EX) != 0 {
      guard errno == EINTR else { throw Failure(path, .current) }
    }
    var hosts = TrustedHosts(places: places)
    if let failure = hosts.failure { throw failure }
    guard change(&hosts) else { return }
    do throws(Errno) {
      try file.replace(with: hosts.lines.flatMap { Array($0) + [UInt8(ascii: "\n")] })
    } catch {
      throw Failure(path, error)
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

extension TrustedHosts.Failure {
  init(_ path: FilePath, _ errno: Errno) {
    self.init(path: path, reason: errno.description.lowercased())
  }
}
