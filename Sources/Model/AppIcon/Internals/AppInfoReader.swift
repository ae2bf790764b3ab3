internal import JSON

/// Reads appInfo.json with Jansson.
enum AppInfoReader {
  /// Why an entry is skipped.
  private struct Flaw: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  static func read(_ json: [UInt8], into info: inout AppInfo) throws(AppInfo.Failure) {
    guard json.count <= AppInfo.sizeLimit else { throw .tooLarge }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let markLength = json.starts(with: mark) ? mark.count : 0
    let root = try parse(Array(json.dropFirst(markLength)), offset: markLength)
    guard root.isObject else { throw .notObject(kind: root.kind) }
    guard let list = root["icons"] else { throw .noIcons }
    guard list.isArray else { throw .iconsNotArray(kind: list.kind) }
    for (position, entry) in list.elements.enumerated() {
      guard info.icons.count < AppInfo.countLimit, position < AppInfo.countLimit else {
        let reason = "only \(AppInfo.countLimit) icons are considered"
        info.skipped.append(.init(position: position, reason: reason))
        break
      }
      do throws(Flaw) {
        let icons = try icons(of: entry, at: position)
        info.icons += icons.prefix(AppInfo.countLimit - info.icons.count)
      } catch {
        info.skipped.append(.init(position: position, reason: error.reason))
      }
    }
  }

  /// Jansson gives up on a number beyond a double's range, which would lose the icons beside it.
  /// Such a number becomes null, which is as little a width; a few times, as each costs a reading.
  private static func parse(_ json: [UInt8], offset: Int) throws(AppInfo.Failure) -> JSONValue {
    var json = json
    var attempts = 0
    while true {
      do throws(JSONValue.SyntaxError) {
        return try JSONValue.parse(json[...], [.anyValue, .nul, .integersAsReals])
      } catch {
        guard error.isNumberTooLarge, attempts < AppInfo.countLimit,
          let number = numberEnding(at: error.offset, in: json)
        else {
          throw .syntax(
            reason: error.reason, line: error.line, column: error.column,
            offset: error.offset + offset)
        }
        attempts += 1
        let null = Array("null".utf8)
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: number.count - null.count)
        json.replaceSubrange(number, with: null + padding)
      }
    }
  }

  private static func numberEnding(at end: Int, in json: [UInt8]) -> Range<Int>? {
    guard 0...json.count ~= end else { return nil }
    let start =
      json[..<end].lastIndex { !"0123456789+-.eE".utf8.contains($0) }.map { $0 + 1 } ?? 0
    return end - start >= "null".utf8.count ? start..<end : nil
  }

  private static func icons(of entry: JSONValue, at position: Int) throws(Flaw) -> [DeclaredIcon] {
    guard entry.isObject else { throw Flaw("the entry is \(entry.kind), not an object") }
    let (source, type, purpose) = (try source(entry), try type(entry), try purpose(entry))
    return try sizes(entry).map { width, height in
      DeclaredIcon(
        position: position, width: width, height: height, source: source, type: type,
        purpose: purpose)
    }
  }

  private static func source(_ entry: JSONValue) throws(Flaw) -> String {
    guard let value = entry["src"] else { throw Flaw("'src' is missing") }
    guard let text = value.text else { throw Flaw("'src' is \(value.kind), not a string") }
    guard !text.isEmpty else { throw Flaw("'src' is empty") }
    guard text.utf8.count <= ResolvedURL.limit else {
      throw Flaw("'src' is longer than \(ResolvedURL.limit) bytes")
    }
    return text
  }

  /// Only PNG can be decoded; parameters after `;` are ignored.
  private static func type(_ entry: JSONValue) throws(Flaw) -> String? {
    guard let text = entry["type"]?.text, !text.isEmpty else { return nil }
    let essence = text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    guard essence == "image/png" || essence == "image/x-png" else {
      throw Flaw("type '\(text.prefix(40))' is not image/png")
    }
    return essence
  }

  /// W3C Application Manifest, "purpose member": words that are not known do not count.
  private static func purpose(_ entry: JSONValue) throws(Flaw) -> DeclaredIcon.Purpose {
    guard let text = entry["purpose"]?.text else { return .any }
    let words = Set(words(text).map { $0.lowercased() })
    if words.isEmpty || words.contains("any") { return .any }
    if words.contains("maskable") { return .maskable }
    throw Flaw("unsupported purpose '\(text.prefix(40))'")
  }

  /// The original's width and height count before a manifest's list of sizes.
  private static func sizes(_ entry: JSONValue) throws(Flaw) -> [(Int, Int)] {
    let (width, height, list) = (entry["width"], entry["height"], entry["sizes"]?.text)
    if width != nil || height != nil {
      do throws(Flaw) {
        return [(try side(width, "width"), try side(height, "height"))]
      } catch {
        guard list != nil else { throw error }
      }
    }
    guard let list else { throw Flaw("neither width and height nor sizes are given") }
    var sizes: [(Int, Int)] = []
    for word in words(list).prefix(AppInfo.countLimit) {
      if let size = size(word), !sizes.contains(where: { $0 == size }) { sizes.append(size) }
    }
    guard !sizes.isEmpty else {
      throw Flaw(
        "sizes '\(list.prefix(40))' contain no size in pixels up to \(AppInfo.sideLimit)")
    }
    return sizes
  }

  private static func side(_ value: JSONValue?, _ name: String) throws(Flaw) -> Int {
    guard let value else { throw Flaw("\(name) is missing") }
    // Some lists give the number in quotes, as HTML does.
    if let side = value.text.flatMap({ side($0[...]) }) { return side }
    guard case .real(let number) = value.content else {
      throw Flaw("\(name) is \(value.kind), not a number")
    }
    guard number > 0 else { throw Flaw("\(name) is not positive") }
    guard number <= Double(AppInfo.sideLimit) else {
      throw Flaw("\(name) exceeds \(AppInfo.sideLimit)")
    }
    guard let whole = Int(exactly: number) else { throw Flaw("\(name) is not an integer") }
    return whole
  }

  /// `48x48`, by HTML's `sizes` attribute: no sign, no leading zero, `x` in either case.
  private static func size(_ word: Substring) -> (Int, Int)? {
    let parts = word.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "X" }
    let sides = parts.compactMap(side)
    return parts.count == 2 && sides.count == 2 ? (sides[0], sides[1]) : nil
  }

  /// A number of pixels, without sign or leading zero.
  private static func side(_ digits: Substring) -> Int? {
    guard digits.utf8.count <= 4, let first = digits.utf8.first, first != UInt8(ascii: "0"),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let side = Int(digits), side <= AppInfo.sideLimit
    else { return nil }
    return side
  }

  private static func words(_ text: String) -> [Substring] {
    // By scalars: to Swift, CR LF is one character.
    text.unicodeScalars.split { " \t\n\r\u{c}".unicodeScalars.contains($0) }.map(Substring.init)
  }
}
