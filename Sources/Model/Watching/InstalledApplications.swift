internal import Applications
public import ForeignFormats
internal import Glibc
public import LinuxSystem
internal import TextFormats
internal import Xattr

/// The desktop entries of a user's and the system's applications, indexed by what a process tells.
public struct InstalledApplications: Sendable {
  /// The parts of a desktop entry that attribution uses.
  struct Entry: Sendable {
    let application: ApplicationDescription
    /// The words of the command line after the program.
    let arguments: [String]
    let flatpak: String?
    let isActivatable: Bool
    let isHelper: Bool
    let plainness: NoApplication?
  }

  /// An entry with more arguments is not looked up by its program: users write their own entries.
  private static let argumentLimit = 64

  private var entries: [Entry] = []
  private var byIdentifier: [String: Int] = [:]
  private var byFlatpak: [String: Int] = [:]
  /// By the paths of executables and scripts, or by their names where no file was found.
  private var byProgram: [String: [Int]] = [:]
  private var byOwnDirectory: [String: [Int]] = [:]
  /// By the names of programs that entries name without a directory.
  private var byName: [String: [Int]] = [:]
  private var byRequiredProgram: [String: [Int]] = [:]
  /// Applications that have AppStream metainfo but no desktop entry.
  private var described: [String: ApplicationDescription] = [:]

  /// Whether all entries were read; else that would have taken too long.
  public private(set) var isComplete = true

  /// Reads the desktop entries, and finds the programs that they start.
  ///
  /// - Parameter budget: the processor time that this may take, in milliseconds. Users write entries
  ///   of their own, and paths of programs that take long to follow.
  public init(_ places: BaseDirectories, budget: Int = .max) {
    let finder = ProgramFinder(places)
    let start = Clock.processorMilliseconds
    // In the order of identifiers: that of the directory must not choose between equal entries.
    for entry in DesktopEntries(places).all {
      guard Clock.processorMilliseconds - start < budget else {
        isComplete = false
        break
      }
      add(entry, finder)
    }
  }

  /// Takes AppStream's descriptions, which are used for applications without a desktop entry. The
  /// first description of an identifier is kept.
  public mutating func describe(_ descriptions: [ApplicationDescription]) {
    described.merge(descriptions.map { ($0.identifier, $0) }) { first, _ in first }
  }

  /// An application that has no desktop entry, with its description where there is one.
  func application(withoutEntry identifier: String) -> ApplicationDescription {
    described[identifier] ?? ApplicationDescription(identifier: identifier)
  }

  private mutating func add(_ entry: DesktopEntry, _ finder: ProgramFinder) {
    let index = entries.count
    let run = entry.command.flatMap { CommandTarget.of(ExecLine($0).words) }
      .flatMap { $0.arguments.count <= Self.argumentLimit ? $0 : nil }
    let categories = entry.categories
    let plainness: NoApplication? =
      categories.contains("TerminalEmulator")
      ? .terminal : categories.contains("FileManager") ? .fileManager : nil
    entries.append(
      Entry(
        application: ApplicationDescription(
          identifier: entry.identifier, name: entry.name, icon: entry.icon),
        arguments: run?.arguments ?? [], flatpak: entry.flatpak,
        isActivatable: entry.isActivatable, isHelper: entry.isHelper, plainness: plainness))
    byIdentifier[entry.identifier] = index
    switch run?.target {
    case .executable(let name), .script(let name): add(name, index, finder)
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
    if !name.contains("/"), !Self.runsOthers(name) { byName[name, default: []].append(index) }
    guard let found = finder.find(name) else {
      byProgram[name, default: []].append(index)
      return
    }
    for path in found.paths where !Self.runsOthers(path) {
      byProgram[path, default: []].append(index)
    }
    if let directory = found.ownDirectory { byOwnDirectory[directory, default: []].append(index) }
  }

  /// Whether a program runs others, so that its name does not tell the application.
  private static func runsOthers(_ path: String) -> Bool {
    let name = Array(CommandTarget.lastComponent(path).utf8)[...]
    return PlainProgram(program: name) != nil || PlainProgram.isInterpreter(name)
      || ["flatpak", "snap"].contains(CommandTarget.lastComponent(path))
  }

  public func hasEntry(_ identifier: String) -> Bool { byIdentifier[identifier] != nil }

  func entry(_ identifier: String) -> Entry? { byIdentifier[identifier].map { entries[$0] } }

  /// The entry that a flatpak has exported.
  func entry(ofFlatpak identifier: String) -> Entry? {
    entry(identifier) ?? byFlatpak[identifier].map { entries[$0] }
  }

  /// The entry that starts what a process runs; `nil` also where several entries fit equally well.
  func entry(running target: CommandTarget, _ arguments: [String]) -> Entry? {
    switch target {
    case .flatpak(let identifier): return entry(ofFlatpak: identifier)
    case .snap: return nil
    case .script(let path): return best(byProgram[path] ?? [], arguments)
    case .executable(let path):
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let directory = slash.map { String(path[..<$0]) } ?? ""
      let name = CommandTarget.lastComponent(path)
      let candidates = [
        byProgram[path], byOwnDirectory[directory],
        // A program of that name in another installation, not one that somebody is just building.
        ["bin", "games"].contains(CommandTarget.lastComponent(directory)) ? byName[name] : nil,
        byRequiredProgram[path],
      ]
      return candidates.lazy.compactMap { $0.flatMap { best($0, arguments) } }.first
    }
  }

  /// The entry all of whose arguments the process has. Of several, the one with the most arguments
  /// is the best, and of these the one that menus show.
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

/// Finds the files of the programs that `Exec` lines name.
struct ProgramFinder {
  struct Found: Hashable {
    /// The path as it is named, and the path to which links lead.
    let paths: Set<String>
    /// The directory of a script that is kept with the executables it runs, as in `/opt`.
    let ownDirectory: String?
  }

  private let directories: [FilePath]

  /// - Parameter places: `~/.local/bin` of their home is searched first.
  init(_ places: BaseDirectories) {
    let system = [
      "usr/local/bin", "usr/bin", "bin", "usr/local/sbin", "usr/sbin", "sbin", "usr/games",
      "usr/local/games", "snap/bin",
    ]
    directories =
      [places.home.map { $0.appending(FilePath(".local/bin")) }].compactMap(\.self)
      + system.map { places.systemRoot.appending(FilePath($0)) }
  }

  /// Finds a program by its name or absolute path; `nil` if it is not installed.
  func find(_ name: String) -> Found? {
    if name.hasPrefix("/") { return found(FilePath(name)) }
    guard !name.contains("/") else { return nil }
    return directories.lazy.compactMap { found($0.appending(FilePath(name))) }.first
  }

  /// The corresponding C functions are access(2) and realpath(3).
  private func found(_ path: FilePath) -> Found? {
    guard InstalledFile(path: path).exists,
      unsafe path.withCString({ unsafe access($0, X_OK) }) == 0
    else { return nil }
    let target = path.realPath ?? path
    return Found(
      paths: [path.description, target.description], ownDirectory: ownDirectory(of: target))
  }

  private func ownDirectory(of path: FilePath) -> String? {
    let directory = path.bytes[..<path.lastComponent.startIndex].dropLast()
    // Directories that all programs share.
    let shared = Set(["bin", "sbin", "games", "libexec", "lib", "share"])
    guard let name = directory.split(separator: UInt8(ascii: "/")).last,
      !shared.contains(String(decoding: name, as: UTF8.self)), isScript(path)
    else { return nil }
    return String(decoding: directory, as: UTF8.self)
  }

  private func isScript(_ path: FilePath) -> Bool {
    guard let file = try? Descriptor.open(path) else { return false }
    defer { close(file) }
    var start: UInt16 = 0
    return unsafe pread(file, &start, 2, 0) == 2
      && start == UInt16(UInt8(ascii: "#")) | UInt16(UInt8(ascii: "!")) << 8
  }
}
