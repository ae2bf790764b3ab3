internal import Applications

/// Which application wrote something, by what is known of the process that did.
public enum Attribution: Hashable, Sendable {
  case application(AttributedApplication)
  case none(NoApplication)
  /// The writer is gone, or so far gone that nothing tells any more.
  case unknown

  /// Whose a process is.
  ///
  /// Programs that write what others have them write are nobody's. Else it is told by the first of
  /// these: the sandbox of flatpak; the unit that snap or systemd has put the process in, as long
  /// as it is not in a terminal that was opened there; GIO, where it has started this very process;
  /// the program, where it is a desktop entry's; then, by GIO and their programs, the processes
  /// that it descends from, up to a shell in a terminal or the beginning of the session.
  ///
  /// - Parameters:
  ///   - process: `nil` where it is gone.
  ///   - ancestors: its parent, its parent's, and so on up to the leader of its session.
  ///   - applications: those of its user.
  public static func of(
    _ process: ProcessFacts?, ancestors: [ProcessFacts], among applications: InstalledApplications
  ) -> Attribution {
    guard let process else { return .unknown }
    if let plain = PlainProgram(program: process.programName) { return .none(.plain(plain)) }
    if let flatpak = process.flatpak {
      return applications.attribution(to: applications.entry(ofFlatpak: flatpak), or: flatpak)
    }
    let claim = ControlGroups(process.controlGroups).claim
    let isInTerminal = isInTerminalOfItsUnit(process, ancestors)
    switch claim {
    case .session: return .none(.service)
    case .snap(let name, let application):
      let identifier = "\(name)_\(application)"
      return applications.attribution(to: applications.entry(identifier), or: identifier)
    case .application(let candidates) where !isInTerminal:
      if let found = applications.attribution(toFirst: candidates) { return found }
    case .activated(let name):
      if let entry = applications.entry(name), entry.isActivatable {
        return applications.attribution(to: entry, or: name)
      }
    case .application, .service, nil: break
    }
    if let found = applications.attribution(byStartOf: process) { return found }
    // Without its program nothing can be ruled out.
    let isService =
      switch claim {
      case .service, .activated: true
      default: false
      }
    guard process.executable != nil else { return isService ? .none(.service) : .unknown }
    for ancestor in ancestors {
      let plain = PlainProgram(program: ancestor.programName)
      if plain == .shell, ancestor.hasTerminal { return .none(.terminal) }
      if plain == .service { return .none(.service) }
      if let found = applications.attribution(byStartOf: ancestor) { return found }
      if ancestor.identifier == ancestor.session { break }
    }
    if isInTerminal { return .none(.terminal) }
    return .none(isService ? .service : .nothingKnown)
  }

  /// Whether a process has a terminal that is in its unit too: one that the unit's application has
  /// opened, in which a person starts what is not that application.
  private static func isInTerminalOfItsUnit(
    _ process: ProcessFacts, _ ancestors: [ProcessFacts]
  ) -> Bool {
    guard process.hasTerminal, process.identifier != process.session else { return false }
    // The leader may be no ancestor, and the terminal may be anybody's then.
    guard let leader = ancestors.first(where: { $0.identifier == process.session }) else {
      return true
    }
    return leader.controlGroups == process.controlGroups
  }
}

extension InstalledApplications {
  /// - Parameter identifier: what is known where there is no entry.
  fileprivate func attribution(to entry: Entry?, or identifier: String) -> Attribution {
    guard let entry else { return .application(application(withoutEntry: identifier)) }
    return entry.plainness.map { .none($0) } ?? .application(entry.application)
  }

  /// The first that is installed; without one the first that looks like an identifier and not like
  /// a random part.
  fileprivate func attribution(toFirst candidates: [String]) -> Attribution? {
    if let entry = candidates.lazy.compactMap({ entry($0) }).first {
      return attribution(to: entry, or: entry.application.identifier)
    }
    return candidates.first(where: Self.isReverseDNS).map { attribution(to: nil, or: $0) }
  }

  /// By who has started a process, and by its program.
  fileprivate func attribution(byStartOf process: ProcessFacts) -> Attribution? {
    if let launch = process.launch, launch.identifier == process.identifier,
      let found = attribution(toFirst: [Self.identifier(ofFile: launch.desktopFile)])
    {
      return found
    }
    guard let executable = process.executable else { return nil }
    let run = Program.of(
      executable: String(decoding: executable, as: UTF8.self),
      process.arguments.map { String(decoding: $0, as: UTF8.self) })
    return entry(running: run.program, run.arguments).map {
      attribution(to: $0, or: $0.application.identifier)
    }
  }

  /// Desktop Entry Specification, "desktop file ID".
  private static func identifier(ofFile path: String) -> String {
    let marker = "/applications/"
    var name = Program.lastComponent(path)[...]
    var rest = path[...]
    while let slash = rest.firstIndex(of: "/") {
      if rest[slash...].hasPrefix(marker) { name = rest[slash...].dropFirst(marker.count) }
      rest = rest[rest.index(after: slash)...]
    }
    let suffix = ".desktop"
    let stem = name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name
    return String(stem.map { $0 == "/" ? "-" : $0 })
  }

  private static func isReverseDNS(_ identifier: String) -> Bool {
    guard FileName(identifier) != nil, identifier.first?.isLetter == true else { return false }
    let labels = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
  }
}

/// An application that a process belongs to.
public struct AttributedApplication: Hashable, Sendable {
  /// The desktop file's identifier, without `.desktop`.
  public let identifier: String
  /// The name that its desktop file has, or without one its AppStream metainfo, in no particular
  /// language.
  public let name: String?
  /// The name of its icon by the same, or the absolute path.
  public let icon: String?

  public init(identifier: String, name: String? = nil, icon: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.icon = icon
  }
}
