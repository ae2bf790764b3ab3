/// What the name of a process's unit says about its application.
enum UnitClaim: Hashable {
  /// It may be one of these, the likelier first: where a launcher or a random part is left out, a
  /// name can be read in more than one way.
  case application([String])
  /// It was started over D-Bus by this name, as applications are and other services.
  case activated(String)
  case snap(name: String, application: String)
  /// A service, but perhaps one that is an application's own: `emacs.service`.
  case service
  /// A part of the session, or what works in its background.
  case session

  /// What the components of a control group's path say, the nearest to the process first.
  init?(_ components: [Substring]) {
    var isService = false
    for component in components.reversed() {
      guard let unit = UnitName(component) else { continue }
      if unit.kind == .slice, ["session.slice", "background.slice"].contains(component) {
        self = .session
        return
      }
      // What is above the user's manager is of the manager.
      if unit.kind == .service, unit.prefix == "user", unit.instance != nil {
        if component == components.last { isService = true }
        break
      }
      if let claim = Self.claim(unit) {
        self = claim
        return
      }
      if unit.kind == .service { isService = true }
    }
    guard isService else { return nil }
    self = .service
  }

  private static func claim(_ unit: UnitName) -> UnitClaim? {
    if unit.prefix.hasPrefix("snap.") { return snap(unit) }
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
    func joined(_ range: ClosedRange<Int>) -> String {
      parts[range].joined(separator: "-")
    }
    switch (parts.count, unit.instance) {
    case (1, _): return parts
    case (2, nil) where unit.kind != .service: return [parts[0], parts[1], joined(0...1)]
    case (2, _): return [parts[1], parts[0], joined(0...1)]
    case (_, nil):
      return [joined(1...last - 1), joined(1...last), joined(0...last - 1), joined(0...last)]
    case (_, _): return [joined(1...last), joined(0...last)]
    }
  }

  /// The name in `dbus-:1.2-org.gnome.Nautilus`, where `:1.2` is who asked for it.
  private static func busName(in text: String) -> String? {
    let parts = text.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, parts[0] == "dbus", parts[1].hasPrefix(":") else { return nil }
    return String(parts[2])
  }

  /// `snap.NAME.APP-UUID.scope`, `snap.NAME.APP.UUID.scope`, `snap.NAME.APP.service`. Neither name
  /// has a period.
  private static func snap(_ unit: UnitName) -> UnitClaim? {
    guard let prefix = UnitName.unescaped(unit.prefix) else { return nil }
    let words = prefix.split(separator: ".", omittingEmptySubsequences: false)
    guard unit.kind == .scope, unit.instance == nil, words.count >= 3, words[1] != "" else {
      return unit.kind == .service ? .service : nil
    }
    // What is run when a snap is installed or set up.
    if words[2] == "hook" { return .service }
    var application = words[2]
    if words.count == 3 {
      let uuid = application.suffix(36)
      if isUUID(uuid), application.dropLast(36).last == "-" {
        application = application.dropLast(37)
      }
    }
    guard !application.isEmpty else { return nil }
    return .snap(name: String(words[1]), application: String(application))
  }

  private static func isUUID(_ text: Substring) -> Bool {
    text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0 == "-" || $0.isHexDigit }
  }
}
