public import Applications
public import ForeignFormats
internal import LinuxSystem
internal import Xattr

/// The desktop entries of a user's and the system's applications, ready to be asked whose a process
/// is.
public struct InstalledApplications: Sendable {
  /// What of a desktop entry counts here.
  struct Entry: Sendable {
    let application: AttributedApplication
    /// What the command line has besides the program.
    let arguments: [String]
    let flatpak: String?
    let isActivatable: Bool
    let isHelper: Bool
    let plainness: NoApplication?
  }

  /// A command line with more is nobody's: users write entries of their own.
  private static let argumentLimit = 64

  private var entries: [Entry] = []
  private var byIdentifier: [String: Int] = [:]
  private var byFlatpak: [String: Int] = [:]
  /// By what is run: executables and scripts by their paths.
  private var byProgram: [String: [Int]] = [:]
  private var byOwnDirectory: [String: [Int]] = [:]
  /// Of programs that are named without a directory.
  private var byName: [String: [Int]] = [:]
  private var byRequiredProgram: [String: [Int]] = [:]
  /// Those that have no desktop entry here, by their AppStream metainfo.
  private var described: [String: AttributedApplication] = [:]

  /// Reads the desktop entries, and looks for the programs that they start.
  public init(_ places: BaseDirectories) {
    let finder = ProgramFinder(places)
    // The order of the directory would decide between entries that are alike.
    for entry in DesktopEntries(places).all {
      add(entry, finder)
    }
  }

  /// Takes what AppStream has of applications, which counts where they have no desktop entry; of an
  /// identifier the first counts.
  public mutating func describe(_ descriptions: [ApplicationDescription]) {
    for description in descriptions where described[description.identifier] == nil {
      described[description.identifier] = AttributedApplication(
        identifier: description.identifier, name: description.name, icon: description.icon)
    }
  }

  /// An application that has no desktop entry here.
  func application(withoutEntry identifier: String) -> AttributedApplication {
    described[identifier] ?? AttributedApplication(identifier: identifier)
  }

  private mutating func add(_ entry: DesktopEntry, _ finder: ProgramFinder) {
    let index = entries.count
    let run = entry.command.flatMap { Program.of(ExecLine($0).words) }
      .flatMap { $0.arguments.count <= Self.argumentLimit ? $0 : nil }
    let categories = entry.categories
    let plainness: NoApplication? =
      categories.contains("TerminalEmulator")
      ? .terminal : categories.contains("FileManager") ? .fileManager : nil
    entries.append(
      Entry(
        application: AttributedApplication(
          identifier: entry.identifier, name: entry.name, icon: entry.icon),
        arguments: run?.arguments ?? [], flatpak: entry.flatpak,
        isActivatable: entry.isActivatable, isHelper: entry.isHelper, plainness: plainness))
    byIdentifier[entry.identifier] = index
    switch run?.program {
    case .executable(let name): add(name, index, finder)
    case .script(let name): add(name, index, finder)
    case .flatpak(let name): if byFlatpak[name] == nil { byFlatpak[name] = index }
    case .snap, nil: break
    }
    if let flatpak = entry.flatpak, byFlatpak[flatpak] == nil { byFlatpak[flatpak] = index }
    if let name = entry.requiredProgram, !Self.runsOthers(name) {
      for path in finder.find(name)?.paths ?? [name] where !Self.runsOthers(path) {
        byRequiredProgram[path, default: []].append(index)
      }
    }
  }

  private mutating func add(_ name: String, _ index: Int, _ finder: ProgramFinder) {
    guard let found = finder.find(name) else {
      byProgram[name, default: []].append(index)
      if !name.contains("/"), !Self.runsOthers(name) { byName[name, default: []].append(index) }
      return
    }
    for path in found.paths where !Self.runsOthers(path) {
      byProgram[path, default: []].append(index)
    }
    if let directory = found.ownDirectory { byOwnDirectory[directory, default: []].append(index) }
    if !name.contains("/"), !Self.runsOthers(name) { byName[name, default: []].append(index) }
  }

  /// Whether a program says nothing of what is at work.
  private static func runsOthers(_ path: String) -> Bool {
    let name = Array(Program.lastComponent(path).utf8)[...]
    return PlainProgram(program: name) != nil || PlainProgram.isInterpreter(name)
      || ["flatpak", "snap"].contains(Program.lastComponent(path))
  }

  /// Whether an application has a desktop entry here.
  public func hasEntry(_ identifier: String) -> Bool { byIdentifier[identifier] != nil }

  /// The entry of exactly an identifier.
  func entry(_ identifier: String) -> Entry? { byIdentifier[identifier].map { entries[$0] } }

  /// The entry that a flatpak exports.
  func entry(ofFlatpak identifier: String) -> Entry? {
    entry(identifier) ?? byFlatpak[identifier].map { entries[$0] }
  }

  /// The entry that starts what a process runs; `nil` also where several do that are alike.
  func entry(running program: Program, _ arguments: [String]) -> Entry? {
    switch program {
    case .flatpak(let identifier): return entry(ofFlatpak: identifier)
    case .snap: return nil
    case .script(let path): return best(byProgram[path] ?? [], arguments)
    case .executable(let path):
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let directory = slash.map { String(path[..<$0]) } ?? ""
      let name = Program.lastComponent(path)
      let candidates = [
        byProgram[path], byOwnDirectory[directory],
        // A program of that name elsewhere; not any that somebody is just building.
        ["bin", "games"].contains(Program.lastComponent(directory)) ? byName[name] : nil,
        byRequiredProgram[path],
      ]
      return candidates.lazy.compactMap { $0.flatMap { best($0, arguments) } }.first
    }
  }

  /// The entry whose own arguments the process has; of several that with the most of them, and of
  /// these one that menus show.
  private func best(_ candidates: [Int], _ arguments: [String]) -> Entry? {
    let arguments = Set(arguments)
    let fitting = candidates.map { entries[$0] }.filter { arguments.isSuperset(of: $0.arguments) }
    let most = fitting.map(\.arguments.count).max() ?? 0
    let nearest = fitting.filter { $0.arguments.count == most }
    let shown = nearest.filter { !$0.isHelper }
    let choice = shown.isEmpty ? nearest : shown
    return choice.count == 1 ? choice.first : nil
  }
}
