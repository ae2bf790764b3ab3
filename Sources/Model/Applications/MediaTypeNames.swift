package import LinuxSystem

/// The media types of files by the endings of their names, as shared-mime-info has them.
///
/// Of the globs of `mime/globs2` only those are used that are an ending: `50:image/png:*.png`. See
/// the Shared MIME-info Database specification, "The glob files".
package struct MediaTypeNames: Sendable {
  /// The real list has some 1,300 lines and 50 KiB.
  private static let lineLimit = 20_000
  private static let sizeLimit = 1 << 20

  private struct Found {
    var weight: Int
    var types: Set<String>
  }

  /// By endings without their first period, in lower case.
  private let types: [String: Set<String>]

  /// Reads the lists of the user and the system, of which all count.
  package init(_ places: BaseDirectories) {
    var found: [String: Found] = [:]
    var rest = Self.lineLimit
    for directory in places.dataDirectories {
      let list = InstalledFile(path: directory.appending(FilePath("mime/globs2")))
      guard let content = list.content(limit: Self.sizeLimit) else { continue }
      for line in content.split(separator: UInt8(ascii: "\n")) where rest > 0 {
        rest -= 1
        Self.add(line, to: &found)
      }
    }
    types = found.mapValues(\.types)
  }

  /// `WEIGHT:TYPE:GLOB`, and perhaps flags; of one glob's types those with the most weight count.
  private static func add(_ line: ArraySlice<UInt8>, to found: inout [String: Found]) {
    let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let isEnding = fields.count > 2 && fields[2].starts(with: "*.".utf8)
    guard isEnding, !fields[2].dropFirst().contains(where: { "*?[".utf8.contains($0) }),
      let weight = Int(String(decoding: fields[0], as: UTF8.self))
    else { return }
    let ending = String(decoding: fields[2].dropFirst(2), as: UTF8.self).lowercased()
    let type = String(decoding: fields[1], as: UTF8.self)
    let known = found[ending] ?? Found(weight: weight, types: [])
    if known.weight > weight { return }
    let others = known.weight == weight ? known.types : []
    found[ending] = Found(weight: weight, types: others.union([type]))
  }

  /// The types of a file by the longest known ending of its name; none if no ending is known.
  ///
  /// - Parameter path: in bytes; names that are not UTF-8 may have types, too.
  package func types(of path: [UInt8]) -> Set<String> {
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    var rest = name.dropFirst()
    while let period = rest.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[(period + 1)...]
      if let found = types[String(decoding: rest, as: UTF8.self).lowercased()] { return found }
    }
    return []
  }
}
