package import ForeignFormats

/// A distribution of Python modules that is installed: what has been read of its `*.dist-info`.
///
/// The form is that of the specification "Recording installed projects" and of core metadata 2.1, at
/// packaging.python.org.
package struct PythonDistribution {
  /// The directory that its paths are relative to, absolute and without links.
  private let site: [UInt8]
  /// The path of `RECORD`.
  private let database: [UInt8]
  private let record: [UInt8]
  private let metadata: [UInt8]
  /// When `RECORD` was written, in seconds since 1970-01-01T00:00:00Z.
  private let modified: Double?

  package init(
    site: [UInt8], database: [UInt8], record: [UInt8], metadata: [UInt8], modified: Double? = nil
  ) {
    self.site = site
    self.database = database
    self.record = record
    self.metadata = metadata
    self.modified = modified
  }

  /// Whether `RECORD` may have a file, by its name alone.
  package static func mayHave(_ file: [UInt8], in record: ArraySlice<UInt8>) -> Bool {
    let name = Array(file[file.index(after: file.lastIndex(of: 0x2f) ?? -1)...])
    // A quote is written twice.
    if name.contains(UInt8(ascii: "\"")) { return true }
    return ByteSearch.first(name, in: record) != nil
  }

  /// The records of the files that are asked for; none of a distribution without a name.
  package func records(_ question: PackageQuestion) -> [PackageRecord] {
    var found: [PackageRecord] = []
    var header: (name: String, version: String?)?
    ByteSearch.forEachLine(in: record[...]) { line in
      let fields = Self.fields(line)
      guard let path = fields.first.flatMap(absolute), question.wants(path) else { return true }
      if header == nil { header = Self.header(metadata) }
      guard let header else { return false }
      let checksum = fields.count > 1 ? Self.checksum(fields[1]) : nil
      found.append(
        PackageRecord(
          manager: .pip, package: header.name, version: header.version, database: database,
          file: path, path: path, checksum: question.wantsChecksums ? checksum : nil,
          installed: modified))
      return true
    }
    return found
  }

  /// The directory that scripts and data files are below, as well: that above `lib/python3.11`.
  private var prefix: [UInt8] {
    let components = site.split(separator: 0x2f)
    guard components.count >= 3, components.suffix(2).first?.starts(with: "python".utf8) == true
    else {
      return site
    }
    return Array(components.dropLast(3).map { [0x2f] + $0 }.joined())
  }

  /// The path of a row, which may lead up from the directory; `nil` if it leads elsewhere than pip
  /// installs to.
  private func absolute(_ path: [UInt8]) -> [UInt8]? {
    guard !path.isEmpty else { return nil }
    let isAbsolute = path.first == UInt8(ascii: "/")
    var components = isAbsolute ? [] : site.split(separator: 0x2f)
    for component in path.split(separator: 0x2f) {
      if component.elementsEqual("..".utf8) {
        guard components.popLast() != nil else { return nil }
      } else if !component.elementsEqual(".".utf8) {
        components.append(component)
      }
    }
    let absolute = Array(components.map { [0x2f] + $0 }.joined())
    return absolute.starts(with: prefix + [0x2f]) ? absolute : nil
  }

  /// The fields of a row of comma-separated values; a line feed in a field is not known here.
  static func fields(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    var rest = line
    if rest.last == 0x0d { rest.removeLast() }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && rest.first == byte:
        fields[fields.count - 1].append(byte)
        rest.removeFirst()
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: fields.append([])
      default: fields[fields.count - 1].append(byte)
      }
    }
    return fields
  }

  /// `sha256=` and the digest in the Base64 of URLs, without padding.
  static func checksum(_ field: [UInt8]) -> PackageRecord.Checksum? {
    let prefix = Array("sha256=".utf8)
    guard field.starts(with: prefix) else { return nil }
    var digest: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in field.dropFirst(prefix.count) where byte != UInt8(ascii: "=") {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        digest.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return PackageRecord.Checksum(.sha256, digest)
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// Name and version of the header, which ends with an empty line.
  static func header(_ metadata: [UInt8]) -> (name: String, version: String?)? {
    var (name, version) = (String?.none, String?.none)
    ByteSearch.forEachLine(in: metadata[...]) { line in
      let line = line.last == 0x0d ? line.dropLast() : line
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return !line.isEmpty }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
      let text = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
      switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
      case "name": name = name ?? text
      case "version": version = version ?? text
      default: break
      }
      return name == nil || version == nil
    }
    return name.map { ($0, version) }
  }
}
