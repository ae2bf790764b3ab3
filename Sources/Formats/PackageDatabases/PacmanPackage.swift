package import ForeignFormats

/// A package of pacman: what has been read of its directory below `/var/lib/pacman/local`.
///
/// The form is that of libalpm's local database, version 9: sections with a title, one value a line.
package struct PacmanPackage {
  /// The path of `files`.
  private let database: [UInt8]
  private let files: [UInt8]
  private let description: [UInt8]

  /// - Parameter description: the content of `desc`.
  package init(database: [UInt8], files: [UInt8], description: [UInt8]) {
    self.database = database
    self.files = files
    self.description = description
  }

  /// The line of the list for a path; that of a directory has a slash after it.
  package static func line(of path: [UInt8], isDirectory: Bool) -> [UInt8] {
    Array(path.dropFirst()) + (isDirectory ? [UInt8(ascii: "/")] : [])
  }

  /// The records of the files that are asked for; none of a package without a name.
  package func records(_ question: PackageQuestion, _ aliases: PathAliases) -> [PackageRecord] {
    var found: [(path: [UInt8], file: [UInt8])] = []
    var checksums: [[UInt8]: PackageRecord.Checksum] = [:]
    Self.forEachValue(in: files) { section, value in
      switch section {
      case "FILES":
        let path = Self.path(value.last == UInt8(ascii: "/") ? value.dropLast() : value)
        let file = aliases.canonical(path)
        if question.wants(file) { found.append((path, file)) }
      case "BACKUP":
        guard let tab = value.lastIndex(of: UInt8(ascii: "\t")) else { return }
        checksums[Self.path(value[..<tab])] = PackageRecord.Checksum(
          .md5, hexadecimal: value[(tab + 1)...])
      default: break
      }
    }
    guard !found.isEmpty else { return [] }
    var fields: [String: String] = [:]
    Self.forEachValue(in: description) { section, value in
      if fields[section] == nil { fields[section] = String(decoding: value, as: UTF8.self) }
    }
    guard let name = fields["NAME"] else { return [] }
    return found.map { path, file in
      PackageRecord(
        manager: .pacman, package: name, version: fields["VERSION"], architecture: fields["ARCH"],
        database: database, file: file, path: path,
        checksum: question.wantsChecksums ? checksums[path] : nil,
        installed: fields["INSTALLDATE"].flatMap { Int($0) }.map { Double($0) })
    }
  }

  private static func path(_ value: ArraySlice<UInt8>) -> [UInt8] {
    [UInt8(ascii: "/")] + value
  }

  /// Hands over each value with the title of its section; an empty line ends a section.
  private static func forEachValue(
    in content: [UInt8], _ take: (String, ArraySlice<UInt8>) -> Void
  ) {
    var section = ""
    ByteSearch.forEachLine(in: content[...]) { line in
      if line.isEmpty {
        section = ""
      } else if section.isEmpty {
        let isTitle = line.count > 2 && line.first == UInt8(ascii: "%") && line.last == line.first
        section = isTitle ? String(decoding: line.dropFirst().dropLast(), as: UTF8.self) : ""
      } else {
        take(section, line)
      }
      return true
    }
  }
}
