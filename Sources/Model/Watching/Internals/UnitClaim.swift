/// What the name of a process's systemd unit says about its application.
enum UnitClaim: Hashable {
  /// One of these applications, the likelier first: a name without a launcher or a random part can
  /// be read in more than one way.
  case application([String])
  /// Started over D-Bus by this name, as applications are, and other services too.
  case activated(String)
  case snap(name: String, application: String)
  /// A service, perhaps of an application: `emacs.service`.
  case service
  /// A part of the session, or of its background work. A part of the session itself may have a desktop
  /// entry of the service's name, as GNOME Shell has.
  case session(service: String?)

  /// Reads the components of a control group's path, the nearest to the process first.
  init?(_ components: [Substring]) {
    var isService = false
    var service: String?
    for component in components.reversed() {
      guard let unit = UnitName(component) else { continue }
      if unit.kind == .slice, ["session.slice", "background.slice"].contains(component) {
        self = .session(service: component == "session.slice" ? service : nil)
        return
      }
      // The units above the user's manager are those of the manager.
      if unit.kind == .service, unit.prefix == "user", unit.instance != nil {
        if component == components.last { isService = true }
        break
      }
      if let claim = Self.claim(unit) {
        self = claim
        return
      }
      if unit.kind == .service {
        isService = true
        service = service ?? UnitName.unescaped(unit.prefix)
      }
    }
    guard isService else { return nil }
    self = .service
  }

  private static func claim(_ unit: UnitName) -> UnitClaim? {
    if unit.prefix.utf8.starts(with: "snap.".utf8) { return snap(unit) }
    guard let parts = unit.parts, let first = parts.first, parts.count > 1 else { return nil }
    switch first {
    case "app":
      if unit.kind == .slice, let name = busName(in: parts.dropFirst().joined(separator: "-")) {
        return .activated(name)
      }
      return .application(candidates(Array(parts.dropFirst()), unit))
    case "dbus" where unit.kind == .service:
      return busName(in: parts.joined(separator: "-")).map { .activated($0) }
    default: return nil
    }
  }

  /// systemd's "Desktop Environment Integration": `app[-LAUNCHER]-ID-RANDOM.scope`,
  /// `app[-LAUNCHER]-ID[@RANDOM].service`, `app[-LAUNCHER]-ID-RANDOM.slice`; a dash in a part is
  /// `\x2d`. Some launchers forget that, or the random part.
  private static func candidates(_ parts: [String], _ unit: UnitName) -> [String] {
    let last = parts.count - 1
    func joined(_ range: ClosedRange<Int>) -> String { parts[range].joined(separator: "-") }
    switch (parts.count, unit.instance) {
    case (1, _): return parts
    case (2, nil) where unit.kind != .service: return [parts[0], parts[1], joined(0...1)]
    case (2, _): return [parts[1], parts[0], joined(0...1)]
    case (_, nil):
      return [joined(1...last - 1), joined(1...last), joined(0...last - 1), joined(0...last)]
    case (_, _): return [joined(1...last), joined(0...last)]
    }
  }

  /// The name in `dbus-:1.2-org.gnome.Nautilus`, where `:1.2` is the bus name of the requester.
  private static func busName(in text: String) -> String? {
    let parts = text.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "dbus", parts[1].hasPrefix(":") else { return nil }
    return String(parts[2])
  }

  /// `snap.NAME.APP-UUID.scope`, `snap.NAME.APP.UUID.scope`, `snap.NAME.APP.service`. Neither NAME
  /// nor APP contains a period.
  private static func snap(_ unit: UnitName) -> UnitClaim? {
    guard let prefix = UnitName.unescaped(unit.prefix) else { return nil }
    let words = prefix.split(separator: ".", omittingEmptySubsequences: false)
    guard unit.kind == .scope, unit.instance == nil, words.count >= 3, words[1] != "" else {
      return unit.kind == .service ? .service : nil
    }
    // A hook runs when a snap is installed or configured.
    if words[2] == "hook" { return .service }
    var application = words[2]
    if words.count == 3, isUUID(application.suffix(36)), application.dropLast(36).last == "-" {
      application = application.dropLast(37)
    }
    guard !application.isEmpty else { return nil }
    return .snap(name: String(words[1]), application: String(application))
  }

  private static func isUUID(_ text: Substring) -> Bool {
    text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0 == "-" || $0.isHexDigit }
  }
}

/// The name of a systemd unit, taken apart: `app-gnome-org.gnome.TextEditor-4242.scope`.
///
/// See systemd.unit(5).
struct UnitName {
  enum Kind: String {
    case scope, service, slice
  }

  let kind: Kind
  /// The part before the `@`, or the whole name but its suffix.
  let prefix: Substring
  /// The part after the `@`.
  let instance: Substring?

  /// - Returns: `nil` for a name that is not of a unit with processes.
  init?(_ name: Substring) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      let kind = Kind(rawValue: String(name[name.utf8.index(after: dot)...])), dot > name.startIndex
    else { return nil }
    self.kind = kind
    let stem = name[..<dot]
    let at = stem.utf8.firstIndex(of: UInt8(ascii: "@"))
    prefix = stem[..<(at ?? stem.endIndex)]
    instance = at.map { stem[stem.utf8.index(after: $0)...] }
  }

  /// The parts of the prefix between its dashes, with escapes undone; `nil` if a part is empty
  /// or not UTF-8.
  var parts: [String]? {
    // By bytes, as systemd does: to find the characters of a text takes much longer.
    let parts = prefix.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map { Self.unescaped(Substring($0)) }
    return parts.contains { $0?.isEmpty != false } ? nil : parts.compactMap(\.self)
  }

  /// systemd-escape(1): `\x2d` is a byte in hexadecimal.
  static func unescaped(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.dropFirst().prefix(2)
      guard rest.first == UInt8(ascii: "x"), digits.count == 2,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(Substring(digits), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The control groups of a process, from the text of /proc/PID/cgroup; see cgroups(7).
struct ControlGroups {
  /// The components of the paths that name systemd's units: those of version 2, and, where version
  /// 1 is used beside it or instead, those of the hierarchy named `systemd`.
  let paths: [[Substring]]

  init(_ text: [UInt8]) {
    let lines = text.split(separator: UInt8(ascii: "\n")).map {
      $0.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    }.filter { $0.count == 3 }
    let unified = lines.filter { $0[0].elementsEqual("0".utf8) && $0[1].isEmpty }
    let named = lines.filter { $0[1].elementsEqual("name=systemd".utf8) }
    paths = (unified + named).map { Self.components($0[2]) }
  }

  /// The claim of the nearest unit.
  var claim: UnitClaim? { paths.lazy.compactMap { UnitClaim($0) }.first }

  /// Components that are not UTF-8 are left out: no unit that counts here has such a name.
  private static func components(_ path: ArraySlice<UInt8>) -> [Substring] {
    path.withoutDeletion.split(separator: UInt8(ascii: "/")).compactMap {
      String(validating: $0, as: UTF8.self).map { $0[...] }
    }
  }
}
