package import ForeignFormats
internal import LinuxSystem

/// The application that a file comes from, known by the process that wrote the file.
package enum Attribution: Hashable, Sendable {
  case application(ApplicationDescription)
  case none(NoApplication)
  /// The writer was gone when it was asked for, or what was read of it tells no application.
  case unknown

  /// The application that a process belongs to.
  ///
  /// Programs that only write what others tell them to belong to no application, and neither does
  /// what a build tool runs; but what an archiver has packed by others is the archiver's. For the
  /// rest the first of these decides: flatpak's sandbox; the unit into which snap or systemd has put the
  /// process, unless the process runs in a terminal opened inside that unit; GIO, where GIO started
  /// this very process; the program, where a desktop entry starts that program, by its name if the
  /// process has ended; then, again by GIO and by program, each ancestor up to a shell in a terminal or
  /// the beginning of the session.
  ///
  /// - Parameters:
  ///   - process: `nil` if the process is gone.
  ///   - ancestors: its parent, the parent's parent, and so on up to the leader of its session.
  ///   - applications: the applications of the user who owns the process.
  package static func of(
    _ process: ProcessFacts?, ancestors: [ProcessFacts], among applications: InstalledApplications
  ) -> Attribution {
    guard let process else { return .unknown }
    if let plain = PlainProgram(program: process.programName) {
      let archiver = plain == .copier ? applications.archiver(among: ancestors) : nil
      return archiver ?? .none(.plain(plain))
    }
    if applications.areBuilding(ancestors, for: process) {
      return applications.attribution(byStartOf: process) ?? .none(.plain(.compiler))
    }
    if let flatpak = process.flatpak { return ofSandbox(flatpak, among: applications) }
    let claim = ControlGroups(process.controlGroups).claim
    let isInTerminal = isInTerminalOfItsUnit(process, ancestors)
    switch claim {
    case .session(let name):
      guard let name, let entry = applications.entry(name) else { return .none(.service) }
      return applications.attribution(to: entry, or: name)
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
    let isService =
      switch claim {
      case .service, .activated: true
      default: false
      }
    for ancestor in ancestors {
      let plain = PlainProgram(program: ancestor.programName)
      if plain == .shell, ancestor.hasTerminal { return .none(.terminal) }
      if plain == .compiler { return .none(.plain(.compiler)) }
      if plain == .service || plain == .portal { return .none(.service) }
      if let found = applications.attribution(byStartOf: ancestor) { return found }
      if ancestor.identifier == ancestor.session { break }
    }
    if isInTerminal { return .none(.terminal) }
    if isService { return .none(.service) }
    // The name alone rules no application out.
    return process.executable == nil ? .unknown : .none(.nothingKnown)
  }

  /// The application of a sandbox.
  ///
  /// - Parameter identifier: as flatpak and portals have it.
  static func ofSandbox(
    _ identifier: String, among applications: InstalledApplications
  ) -> Attribution {
    applications.attribution(to: applications.entry(ofFlatpak: identifier), or: identifier)
  }

  /// Whether the terminal of a process belongs to the same unit: a terminal that the unit's
  /// application has opened, and in which a person starts other programs.
  private static func isInTerminalOfItsUnit(
    _ process: ProcessFacts, _ ancestors: [ProcessFacts]
  ) -> Bool {
    guard process.hasTerminal, process.identifier != process.session else { return false }
    // Where the leader is no ancestor, the terminal may be any unit's.
    guard let leader = ancestors.first(where: { $0.identifier == process.session }) else {
      return true
    }
    return leader.controlGroups == process.controlGroups
  }
}

extension InstalledApplications {
  /// - Parameter identifier: the application where it has no entry.
  fileprivate func attribution(to entry: Entry?, or identifier: String) -> Attribution {
    guard let entry else { return .application(application(withoutEntry: identifier)) }
    return entry.plainness.map { .none($0) } ?? .application(entry.application)
  }

  /// The first candidate that is installed, else the first that looks like an identifier and not
  /// like the random part of a unit's name.
  fileprivate func attribution(toFirst candidates: [String]) -> Attribution? {
    if let entry = candidates.lazy.compactMap({ entry($0) }).first {
      return attribution(to: entry, or: entry.application.identifier)
    }
    return candidates.first(where: Self.isLikelyIdentifier).map { attribution(to: nil, or: $0) }
  }

  /// The nearest ancestor's application, if that is an archiver, which starts others to pack files
  /// and to unpack them.
  fileprivate func archiver(among ancestors: [ProcessFacts]) -> Attribution? {
    let nearest = ancestors.lazy.compactMap { attribution(byStartOf: $0) }.first
    guard case .application(let application) = nearest,
      entry(application.identifier)?.isArchiver == true
    else { return nil }
    return nearest
  }

  /// Whether a build tool has started a process: one in the same unit that is nearer than any
  /// application.
  fileprivate func areBuilding(_ ancestors: [ProcessFacts], for process: ProcessFacts) -> Bool {
    let tool = ancestors.firstIndex { PlainProgram(program: $0.programName) == .compiler }
    guard let tool, ancestors[tool].controlGroups == process.controlGroups else { return false }
    return !ancestors[..<tool].contains { attribution(byStartOf: $0) != nil }
  }

  /// Tells the application by GIO's note of who started the process, then by the program.
  fileprivate func attribution(byStartOf process: ProcessFacts) -> Attribution? {
    if let launch = process.launch, launch.identifier == process.identifier,
      let found = attribution(toFirst: [Self.identifier(ofFile: launch.desktopFile)])
    {
      return found
    }
    guard let executable = process.executable else {
      return entry(ofCommand: process.command).map {
        attribution(to: $0, or: $0.application.identifier)
      }
    }
    let run = CommandTarget.of(
      executable: String(decoding: executable, as: UTF8.self),
      process.arguments.map { String(decoding: $0, as: UTF8.self) })
    return entry(running: run.target, run.arguments).map {
      attribution(to: $0, or: $0.application.identifier)
    }
  }

  /// Desktop Entry Specification, "desktop file ID".
  private static func identifier(ofFile path: String) -> String {
    let marker = "/applications/"
    var name = CommandTarget.lastComponent(path)[...]
    var rest = path[...]
    while let slash = rest.firstIndex(of: "/") {
      if rest[slash...].hasPrefix(marker) { name = rest[slash...].dropFirst(marker.count) }
      rest = rest[rest.index(after: slash)...]
    }
    let suffix = ".desktop"
    let stem = name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name
    return String(stem.map { $0 == "/" ? "-" : $0 })
  }

  /// Whether a name looks like `org.example.Editor`: three labels at least, by the rules of D-Bus and
  /// flatpak, and not like a file `Editor-1.2.AppImage`.
  private static func isLikelyIdentifier(_ identifier: String) -> Bool {
    guard FileName(identifier) != nil, identifier.first?.isLetter == true else { return false }
    let labels = identifier.split(separator: ".", omittingEmptySubsequences: false)
    // A random part may follow.
    let ending = labels.last?.prefix { $0 != "-" }.lowercased() ?? ""
    return labels.count > 2 && labels.allSatisfy { $0.first.map { !$0.isNumber } ?? false }
      && !fileEndings.contains(ending)
  }

  private static let fileEndings = ["appimage", "bin", "exe", "jar", "py", "run", "sh"]
}
