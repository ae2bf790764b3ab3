package import ForeignFormats

/// A package by its paragraph in `status` of dpkg.
package struct DpkgPackage: Hashable, Sendable {
  package let name: String
  package let version: String?
  package let architecture: String?
  /// Whether the packages of several architectures may be installed together: their lists have the
  /// architecture in their names.
  package let isForEachArchitecture: Bool
  /// What the package says of its configuration files, by their paths.
  package let configurationFiles: [[UInt8]: PackageRecord.Checksum]
}

/// The content of `status` of dpkg (deb822): paragraphs with an empty line between them.
package struct DpkgStatus: Sendable {
  private static let first = Array("Package: ".utf8)

  private let content: [UInt8]
  /// Where the lines with the names begin, if all packages are going to be asked for.
  private var positions: [[UInt8]: [Int]]?

  /// - Parameter isForMany: whether many packages are going to be asked for.
  package init(_ content: [UInt8], isForMany: Bool = false) {
    self.content = content
    guard isForMany else { return }
    var positions: [[UInt8]: [Int]] = [:]
    ByteSearch.forEachLine(in: content[...]) { line in
      if line.starts(with: Self.first) {
        positions[Array(line.dropFirst(Self.first.count)), default: []].append(line.startIndex)
      }
      return true
    }
    self.positions = positions
  }

  /// The package that a list of files belongs to; `nil` if dpkg does not have it, whatever lists there are.
  ///
  /// - Parameter list: the list's name without `.list`, `coreutils` or `libc6:amd64`.
  package func package(ofList list: [UInt8]) -> DpkgPackage? {
    let parts = list.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first.map(Array.init), !name.isEmpty else { return nil }
    let architecture = parts.count > 1 ? parts[1].map { $0 } : nil
    for position in starts(of: name) {
      guard let package = paragraph(at: position) else { continue }
      if let architecture {
        guard package.isForEachArchitecture,
          package.architecture.map({ Array($0.utf8) }) == architecture
        else { continue }
      } else if package.isForEachArchitecture {
        continue
      }
      return package
    }
    return nil
  }

  private func starts(of name: [UInt8]) -> [Int] {
    if let positions { return positions[name] ?? [] }
    let line = Self.first + name + [0x0a]
    var found: [Int] = []
    var start = 0
    while let position = ByteSearch.first(line, in: content[...], from: start) {
      if position == 0 || content[position - 1] == 0x0a { found.append(position) }
      start = position + 1
    }
    return found
  }

  /// The paragraph that begins at a position, as dpkg writes each with the name first.
  private func paragraph(at start: Int) -> DpkgPackage? {
    let end = ByteSearch.first([0x0a, 0x0a], in: content[...], from: start) ?? content.count
    var fields: [String: [UInt8]] = [:]
    var configuration: [[UInt8]: PackageRecord.Checksum] = [:]
    var field = ""
    ByteSearch.forEachLine(in: content[start..<end]) { line in
      if line.first == UInt8(ascii: " ") {
        if field == "Conffiles", let (path, checksum) = Self.configurationFile(line.dropFirst()) {
          configuration[path] = checksum
        }
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        field = String(decoding: line[..<colon], as: UTF8.self)
        fields[field] = Array(line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") })
      }
      return true
    }
    func text(_ field: String) -> String? {
      fields[field].flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }
    // `install ok installed`: what is wanted, whether that went wrong, and what there is.
    guard let name = text("Package"), let state = text("Status")?.split(separator: " ").last,
      state != "not-installed"
    else { return nil }
    return DpkgPackage(
      name: name, version: text("Version"), architecture: text("Architecture"),
      isForEachArchitecture: text("Multi-Arch") == "same", configurationFiles: configuration)
  }

  /// `/etc/issue 5e9d1a9e2c9d7dfb84cf2a8d5dc1f4f9`, perhaps with `obsolete` after it.
  private static func configurationFile(
    _ line: ArraySlice<UInt8>
  ) -> ([UInt8], PackageRecord.Checksum)? {
    var words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    while let last = words.last, words.count > 2,
      ["obsolete", "remove-on-upgrade"].contains(String(decoding: last, as: UTF8.self))
    {
      words.removeLast()
    }
    guard let digits = words.popLast(), !words.isEmpty,
      let checksum = PackageRecord.Checksum(.md5, hexadecimal: digits)
    else { return nil }
    return (Array(words.joined(separator: [UInt8(ascii: " ")])), checksum)
  }
}
