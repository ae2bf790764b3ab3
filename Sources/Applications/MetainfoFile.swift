internal import Xattr

/// What an application says of itself in AppStream's metainfo, as far as it counts here: what stands
/// directly in the root element.
///
/// This is no parser of XML. What is malformed is passed over, and entities of a file's own are
/// left as they stand. See the AppStream specification, "Generic Component".
package struct MetainfoFile {
  /// Larger than any there is.
  package static let limit = 1 << 20

  /// The value of `id`, without the `.desktop` that older ones have.
  package private(set) var identifier: String?
  /// The first `name` in no particular language.
  package private(set) var name: String?
  /// The name of the icon, which the icon theme has.
  package private(set) var icon: String?

  private var rest: ArraySlice<UInt8>

  package init(_ content: [UInt8]) {
    rest = content[...]
    var depth = 0
    while let tag = nextTag() {
      switch tag.kind {
      case .end: depth -= 1
      case .empty: continue
      case .start:
        depth += 1
        if depth == 2 { take(tag) }
      }
      if depth <= 0 { break }
    }
    rest = []
  }

  private struct Tag {
    enum Kind {
      case start, end, empty
    }

    let kind: Kind
    let name: String
    let attributes: String
  }

  private mutating func take(_ tag: Tag) {
    func text() -> String? {
      let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
      guard let text = String(validating: rest[..<end], as: UTF8.self), !text.contains("\0") else {
        return nil
      }
      let plain = Self.plain(text)
      return plain.isEmpty ? nil : plain
    }
    switch tag.name {
    case "id" where identifier == nil:
      let suffix = ".desktop"
      identifier = text().map { $0.hasSuffix(suffix) ? String($0.dropLast(suffix.count)) : $0 }
    case "name" where name == nil && !tag.attributes.contains("xml:lang"): name = text()
    case "icon" where icon == nil:
      let isStock = ["type=\"stock\"", "type='stock'"].contains { tag.attributes.contains($0) }
      if isStock { icon = text() }
    default: break
    }
  }

  /// The next tag; comments and the like are passed over.
  private mutating func nextTag() -> Tag? {
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      let passed = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
      if let (_, end) = passed.first(where: { rest.starts(with: $0.0.utf8) }) {
        dropThrough(Array(end.utf8))
        continue
      }
      guard let close = endOfTag() else { return nil }
      var text = rest[..<close]
      rest = rest[(close + 1)...]
      // A declaration of the document's type.
      if text.first == UInt8(ascii: "!") { continue }
      var kind = Tag.Kind.start
      if text.first == UInt8(ascii: "/") { (kind, text) = (.end, text.dropFirst()) }
      if text.last == UInt8(ascii: "/") { (kind, text) = (.empty, text.dropLast()) }
      guard let words = String(validating: text, as: UTF8.self) else { continue }
      let name = words.prefix { !$0.isWhitespace }
      return Tag(
        kind: kind, name: String(name), attributes: String(words[name.endIndex...]))
    }
    return nil
  }

  /// Where the tag ends that has begun; `>` may stand in the value of an attribute.
  private func endOfTag() -> Int? {
    var quote: UInt8?
    for index in rest.indices {
      let byte = rest[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index
      }
    }
    return nil
  }

  private mutating func dropThrough(_ end: [UInt8]) {
    while !rest.isEmpty, !rest.starts(with: end) { rest.removeFirst() }
    rest = rest.dropFirst(end.count)
  }

  /// Text with the entities of XML undone and white space at its ends left out.
  private static func plain(_ text: String) -> String {
    let longestEntity = 10
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var plain = ""
    var rest = words[...]
    while let character = rest.popFirst() {
      guard character == "&", let end = rest.prefix(longestEntity).firstIndex(of: ";"),
        let meant = entity(rest[..<end])
      else {
        plain.append(character)
        continue
      }
      plain.unicodeScalars.append(meant)
      rest = rest[rest.index(after: end)...]
    }
    return plain
  }

  private static func entity(_ name: Substring) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case _ where name.hasPrefix("#x"): return scalar(UInt32(name.dropFirst(2), radix: 16))
    case _ where name.hasPrefix("#"): return scalar(UInt32(name.dropFirst()))
    default: return nil
    }
  }

  private static func scalar(_ number: UInt32?) -> Unicode.Scalar? {
    // XML has no others below a space but what is one.
    guard let number, number >= 0x20 else { return nil }
    return Unicode.Scalar(number)
  }
}

extension MetainfoFile {
  /// Those that are installed, but for those of some identifiers, in no particular order; of an
  /// identifier the first in the order of the directories counts.
  ///
  /// - Parameter isKnown: whether a file need not be read, by what its name says.
  package static func all(
    _ places: BaseDirectories, except isKnown: (String) -> Bool
  ) -> [MetainfoFile] {
    var seen: Set<String> = []
    return places.dataDirectories.flatMap { directory in
      ["metainfo", "appdata"].map { directory.appending(FilePath($0)) }
    }
    .flatMap { directory in
      InstalledDirectory(path: directory).names.compactMap { file -> MetainfoFile? in
        guard let end = [".metainfo.xml", ".appdata.xml"].first(where: file.hasSuffix) else {
          return nil
        }
        var stem = file.dropLast(end.count)
        if stem.hasSuffix(".desktop") { stem = stem.dropLast(".desktop".count) }
        guard !isKnown(String(stem)), seen.insert(String(stem)).inserted else { return nil }
        let path = directory.appending(FilePath(file))
        return InstalledFile(path: path).content(limit: limit).map { MetainfoFile($0) }
      }
    }
  }
}
