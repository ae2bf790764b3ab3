internal import TextFormats

/// What programs and devices have written of themselves into the content of a file. None of it is
/// verified.
public struct EmbeddedOrigin: Hashable, Sendable {
  /// A program as it names itself.
  public struct Program: Hashable, Sendable {
    /// As it stands in the file.
    public let words: String
    public let name: String
    public let version: String?

    /// Parts the words: `LibreOffice 7.4`, `Inkscape 1.2.2 (https://inkscape.org)` and
    /// `LibreOffice/7.4.7.2$Linux_X86_64 …` have a name and a version. The words of browsers, which name
    /// several, are those of the browser.
    public init(_ words: String) {
      self.words = words
      let parts = words.split(separator: " ")
      let product = Self.browser(parts) ?? Self.product(parts.first ?? "")
      if let product {
        (name, version) = product
        return
      }
      // In parentheses stands something else: a date, an address.
      let end = parts.firstIndex { $0.hasPrefix("(") } ?? parts.endIndex
      let position = parts[..<end].indices.dropFirst().first { Self.isVersion(parts[$0]) }
      guard let position else {
        (name, version) = (words, nil)
        return
      }
      let word = parts[position]
      name = parts[..<position].joined(separator: " ")
      version = String("vV".contains(word.first ?? " ") ? word.dropFirst() : word)
    }

    /// The name and the version, as far as there is one.
    public var title: String { version.map { "\(name) \($0)" } ?? name }

    private static func isVersion(_ word: Substring) -> Bool {
      let digits = word.first == "v" || word.first == "V" ? word.dropFirst() : word
      return digits.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    }

    /// `NAME/VERSION`; what follows `$` is the system.
    private static func product(_ word: Substring) -> (String, String?)? {
      let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, isVersion(parts[1]) else { return nil }
      return (String(parts[0]), String(parts[1].prefix { $0 != "$" }))
    }

    /// Names that browsers give themselves in user agents; the first that is there counts.
    private static let browsers = [
      ("Edg", "Microsoft Edge"), ("OPR", "Opera"), ("Vivaldi", "Vivaldi"),
      ("HeadlessChrome", "Chrome"), ("Chrome", "Chrome"), ("Firefox", "Firefox"),
    ]

    private static func browser(_ parts: [Substring]) -> (String, String?)? {
      guard parts.first?.hasPrefix("Mozilla/") ?? false else { return nil }
      for (word, name) in browsers {
        for part in parts where part.hasPrefix("\(word)/") {
          return (name, String(part.dropFirst(word.count + 1)))
        }
      }
      return nil
    }
  }

  /// Something that a program has done with the content.
  public struct Step: Hashable, Sendable {
    public let program: String?
    /// `saved`, or of content credentials `c2pa.opened`.
    public let action: String?
    /// As exiftool writes it, `2015:08:18 22:49:26-07:00`.
    public let time: String?
    /// Whether content credentials say so, whose signature is not checked.
    public let isCredential: Bool

    public init(program: String?, action: String?, time: String?, isCredential: Bool) {
      self.program = program
      self.action = action
      self.time = time
      self.isCredential = isCredential
    }

    /// When, in seconds since 1970-01-01T00:00:00Z; `nil` if the time or its zone is missing.
    public var seconds: Double? {
      guard let time else { return nil }
      let bytes = Array(time.utf8)
      // The date and the clock, perhaps a fraction, then `Z` or the distance from UTC.
      let clock = 19
      guard bytes.count > clock else { return nil }
      let local = bytes[..<clock].enumerated().map { position, byte in
        position == 4 || position == 7
          ? UInt8(ascii: "-") : position == 10 ? UInt8(ascii: "T") : byte
      }
      let zone = bytes[clock...].drop { $0 == UInt8(ascii: ".") || 0x30...0x39 ~= $0 }
      guard
        let seconds = CalendarDate.secondsSinceEpoch(
          of: String(decoding: local + [UInt8(ascii: "Z")], as: UTF8.self)),
        let distance = Self.distance(String(decoding: zone, as: UTF8.self))
      else { return nil }
      return seconds - distance
    }

    /// The distance of a zone from UTC, in seconds: `Z` or `+01:00`.
    private static func distance(_ zone: String) -> Double? {
      if zone == "Z" { return 0 }
      let parts = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
      guard zone.hasPrefix("+") || zone.hasPrefix("-"), parts.count == 2,
        parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
        let hours = Double(parts[0]), let minutes = Double(parts[1]), hours < 24, minutes < 60
      else { return nil }
      let distance = hours * 3600 + minutes * 60
      return zone.hasPrefix("-") ? -distance : distance
    }
  }

  /// Where the program stands, else the device or the history: a tag of exiftool with its group,
  /// `PDF:Creator`.
  public let tag: String
  /// The program that has written the content.
  public let program: Program?
  /// The camera or phone that has recorded it.
  public let device: String?
  /// From the first step on.
  public let history: [Step]

  /// - Parameter program: as it stands in the file.
  public init(tag: String, program: String?, device: String?, history: [Step] = []) {
    self.tag = tag
    self.program = program.map(Program.init)
    self.device = device
    self.history = history
  }

  /// The name of a device by its maker and its model, which often has the maker's name, too.
  package static func device(make: String?, model: String?) -> String? {
    guard let model else { return make }
    guard let make, let brand = make.split(separator: " ").first else { return model }
    return model.lowercased().hasPrefix(brand.lowercased()) ? model : "\(make) \(model)"
  }

  /// The programs of the content and its history, each once, the last one first.
  public var programs: [Program] {
    var programs = [program].compactMap(\.self)
    for step in history.reversed() {
      guard let words = step.program, !programs.contains(where: { $0.words == words }) else {
        continue
      }
      programs.append(Program(words))
    }
    return programs
  }
}
