package import LinuxSystem

/// The hosts from which the user lets icons be fetched without being asked. A name stands for
/// itself alone, not for the hosts below it.
///
/// The list is `$XDG_CONFIG_HOME/docsource/trusted-hosts`, a name a line; `#` begins a comment.
package struct TrustedHosts: Sendable {
  /// Why the list cannot be read or written; its path is empty where there is no place for it.
  package typealias Failure = UserFile.Failure

  /// A line that is neither a host's name, a comment nor empty. It is ignored.
  package struct Misspelt: Hashable, Sendable {
    /// From 1.
    package let line: Int
    package let text: String
  }

  /// Why no host is trusted: the list cannot be read.
  package let failure: Failure?
  private var lines: [ArraySlice<UInt8>]

  /// Reads the list. Where it is missing or cannot be read, no host is trusted.
  package init(places: BaseDirectories) {
    do throws(Failure) {
      lines = Self.lines(try Self.file(places).content())
      failure = nil
    } catch {
      lines = []
      failure = error
    }
  }

  private init(lines: [ArraySlice<UInt8>]) { (failure, self.lines) = (nil, lines) }

  /// Where the list is kept.
  ///
  /// - Throws: `Failure` where there is no home for configuration.
  package static func path(_ places: BaseDirectories) throws(Failure) -> FilePath {
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
  package func contains(_ host: String) -> Bool {
    guard let name = try? HostName(host) else { return false }
    return lines.contains { Self.host($0) == name }
  }

  /// In the order of the list.
  package var hosts: [HostName] { lines.compactMap(Self.host) }

  package var misspelt: [Misspelt] {
    lines.enumerated().compactMap { position, line in
      let text = Self.text(line)
      guard !text.isEmpty, Self.host(line) == nil else { return nil }
      return Misspelt(line: position + 1, text: String(decoding: text, as: UTF8.self))
    }
  }

  /// - Returns: whether it was not there before.
  package mutating func add(_ host: HostName) -> Bool {
    guard !lines.contains(where: { Self.host($0) == host }) else { return false }
    lines.append(Array(host.text.utf8)[...])
    return true
  }

  /// Removes the lines of a host, comments after it included.
  ///
  /// - Returns: whether it was there.
  package mutating func remove(_ host: HostName) -> Bool {
    let count = lines.count
    lines.removeAll { Self.host($0) == host }
    return lines.count < count
  }

  /// Changes the list on disk in one step. Processes that change it at the same time wait for each
  /// other.
  ///
  /// - Parameter change: changes it and says whether that is to be written.
  /// - Throws: `Failure`, also where the present list cannot be read.
  package static func edit(
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

/// A host's name in the domain name system, in lower case and without the dot of the root.
///
/// The name is well formed; neither the host's existence nor whether it is public is checked here.
package struct HostName: Hashable, Sendable {
  /// Why a text is no host's name.
  package enum Flaw: Error, Hashable, Sendable {
    /// It is an IP address, in any spelling.
    case address
    /// It has percent-encoded characters, as a URL's host may.
    case percentEncoded
    /// It has a character that no host has, an empty label, or is too long.
    case malformed
  }

  package let text: String

  /// - Parameter text: as written in a URL, an IPv6 address with its brackets.
  /// - Throws: `Flaw`
  package init(_ text: String) throws(Flaw) {
    var name = Array(text.utf8)
    if name.first == UInt8(ascii: "[") { throw .address }
    if name.contains(UInt8(ascii: "%")) { throw .percentEncoded }
    if name.last == UInt8(ascii: ".") { name.removeLast() }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, name.count <= 253, labels.allSatisfy(Self.isLabel) else {
      throw .malformed
    }
    // All forms that `inet_aton` reads as an address: 2130706433, 0x7f.1, 0177.0.0.1.
    if Self.isNumber(last) { throw .address }
    self.text = String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Whether it has no dot, as names in a local network have none.
  package var isSingleLabel: Bool { !text.utf8.contains(UInt8(ascii: ".")) }

  package var topLevelDomain: String {
    text.split(separator: ".").last.map(String.init) ?? text
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    (1...63).contains(label.count) && label.allSatisfy(isLabelByte)
  }

  /// Letters, digits, `-` and the `_` that some hosts have; other scripts are written as `xn--`.
  static func isLabelByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether a host that ends in this label is an IPv4 address, by the "ends in a number" checker
  /// of the WHATWG URL standard: no top-level domain is a number.
  private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: label, as: UTF8.self).lowercased()
    if text.hasPrefix("0x") { return text.dropFirst(2).allSatisfy(\.isHexDigit) }
    return text.allSatisfy(\.isNumber)
  }
}
