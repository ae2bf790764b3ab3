internal import Applications
package import ForeignFormats
internal import Glibc
package import LinuxSystem
internal import TextFormats
internal import Xattr

/// The desktop entries of a user's and the system's applications, indexed by what a process tells.
package struct InstalledApplications: Sendable {
  /// The parts of a desktop entry that attribution uses.
  struct Entry: Sendable {
    let application: ApplicationDescription
    /// The words of the command line after the program.
    let arguments: [String]
    let flatpak: String?
    let isActivatable: Bool
    let isHelper: Bool
    let plainness: NoApplication?
    /// Whether it packs and unpacks archives.
    let isArchiver: Bool
    let isBrowser: Bool
    /// The media types of what it opens.
    let mediaTypes: Set<String>
    /// What entries of the same program have in common; `nil` if the entry's program runs others.
    let program: String?
  }

  /// An entry with more arguments is not looked up by its program: users write their own entries.
  private static let argumentLimit = 64
  /// As many media types of one entry count; LibreOffice Writer has 60.
  private static let mediaTypeLimit = 512
  /// Formats into which programs of any kind export, and which do not tell one of a program's
  /// entries.
  private static let exportTypes = ["application/pdf", "image/"]

  private var entries: [Entry] = []
  private var byIdentifier: [String: Int] = [:]
  private var byFlatpak: [String: Int] = [:]
  /// By the paths of executables and scripts, or by their names where no file was found.
  private var byProgram: [String: [Int]] = [:]
  private var byOwnDirectory: [String: [Int]] = [:]
  /// By the names of programs that entries name without a directory.
  private var byName: [String: [Int]] = [:]
  private var byRequiredProgram: [String: [Int]] = [:]
  /// By the names that the kernel gives to processes of the programs.
  private var byCommand: [[UInt8]: [Int]] = [:]
  /// By `Entry.program`.
  private var ofProgram: [String: [Int]] = [:]
  private let mediaTypes: MediaTypeNames
  /// Applications that have AppStream metainfo but no desktop entry.
  private var described: [String: ApplicationDescription] = [:]

  /// Whether all entries were read; else that would have taken too long.
  package private(set) var isComplete = true

  /// Reads the desktop entries, and finds the programs that they start.
  ///
  /// - Parameter budget: the processor time that this may take, in milliseconds. Users write entries
  ///   of their own, and paths of programs that take long to follow.
  package init(_ places: BaseDirectories, budget: Int = .max) {
    mediaTypes = MediaTypeNames(places)
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
  package mutating func describe(_ descriptions: [ApplicationDescription]) {
    described.merge(descriptions.map { ($0.identifier, $0) }) { first, _ in first }
  }

  /// An application that has no desktop entry, with its description where there is one.
  func application(withoutEntry identifier: String) -> ApplicationDescription {
    described[identifier] ?? ApplicationDescription(identifier: identifier)
  }

  /// Whether an installed application is a web browser.
  func isBrowser(_ identifier: String) -> Bool {
    byIdentifier[identifier].map { entries[$0].isBrowser } ?? false
  }

  private mutating func add(_ entry: DesktopEntry, _ finder: ProgramFinder) {
    let index = entries.count
    let run = entry.command.flatMap { CommandTarget.of(ExecLine($0).words) }
      .flatMap { $0.arguments.count <= Self.argumentLimit ? $0 : nil }
    let categories = entry.categories
    let plainness: NoApplication? =
      categories.contains("TerminalEmulator")
      ? .terminal : categories.contains("FileManager") ? .fileManager : nil
    byIdentifier[entry.identifier] = index
    var program = entry.flatpak.map { "flatpak \($0)" }
    switch run?.target {
    case .executable(let name), .script(let name): program = program ?? add(name, index, finder)
    case .flatpak(let name):
      program = "flatpak \(name)"
      if byFlatpak[name] == nil { byFlatpak[name] = index }
    case .snap, nil: break
    }
    entries.append(
      Entry(
        application: ApplicationDescription(
          identifier: entry.identifier, name: entry.name, icon: entry.icon),
        arguments: run?.arguments ?? [], flatpak: entry.flatpak,
        isActivatable: entry.isActivatable, isHelper: entry.isHelper, plainness: plainness,
        isArchiver: categories.contains("Archiving"), isBrowser: categories.contains("WebBrowser"),
        mediaTypes: Set(entry.mediaTypes.prefix(Self.mediaTypeLimit)), program: program))
    if let program { ofProgram[program, default: []].append(index) }
    if let flatpak = entry.flatpak, byFlatpak[flatpak] == nil { byFlatpak[flatpak] = index }
    if let name = entry.requiredProgram, !Self.runsOthers(name) {
      for path in finder.find(name)?.paths ?? [name] where !Self.runsOthers(path) {
        byRequiredProgram[path, default: []].append(index)
      }
    }
  }

  /// - Returns: what entries of the same program have in common.
  private mutating func add(_ name: String, _ index: Int, _ finder: ProgramFinder) -> String? {
    if !name.contains("/"), !Self.runsOthers(name) { byName[name, default: []].append(index) }
    let found = finder.find(name)
    let commands = ([name] + (found?.paths ?? [])).filter { !Self.runsOthers($0) }
    for command in Set(commands.map(ProcessFacts.command(ofProgram:))) {
      byCommand[command, default: []].append(index)
    }
    guard let found else {
      byProgram[name, default: []].append(index)
      return Self.runsOthers(name) ? nil : name
    }
    for path in found.paths where !Self.runsOthers(path) {
      byProgram[path, default: []].append(index)
    }
    if let directory = found.ownDirectory { byOwnDirectory[directory, default: []].append(index) }
    return Self.runsOthers(found.target) ? nil : found.target
  }

  /// Whether a program runs others, so that its name does not tell the application.
  private static func runsOthers(_ path: String) -> Bool {
    let name = Array(CommandTarget.lastComponent(path).utf8)[...]
    return PlainProgram(program: name) != nil || PlainProgram.isInterpreter(name)
      || ["flatpak", "snap"].contains(CommandTarget.lastComponent(path))
  }

  package func hasEntry(_ identifier: String) -> Bool { byIdentifier[identifier] != nil }

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
    case .script(let path):
      let candidates = [byProgram[path], byOwnDirectory[Self.directory(of: path)]]
      return candidates.lazy.compactMap { $0.flatMap { best($0, arguments) } }.first
    case .executable(let path):
      if let entry = entry(ofProgramAt: path, arguments) { return entry }
      let directory = CommandTarget.lastComponent(Self.directory(of: path))
      // A program of that name in another installation, not one that somebody is just building.
      guard ["bin", "games"].contains(directory) else { return nil }
      return byName[CommandTarget.lastComponent(path)].flatMap { best($0, arguments) }
    }
  }

  /// The entry that starts the program at a path, or a script that starts it; `nil` also where several entries
  /// fit equally well.
  func entry(ofProgramAt path: String, _ arguments: [String]) -> Entry? {
    let candidates = [
      byProgram[path], byOwnDirectory[Self.directory(of: path)], byRequiredProgram[path],
    ]
    return candidates.lazy.compactMap { $0.flatMap { best($0, arguments) } }.first
  }

  /// The entry that starts a program with this name, the first 15 bytes of it: of a process that has
  /// ended, nothing else tells the program.
  func entry(ofCommand command: [UInt8]) -> Entry? { best(byCommand[command] ?? [], []) }

  private static func directory(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The entry all of whose arguments the process has. Of several, the one with the most arguments
  /// is the best, and of these the one that menus show.
  ///
  /// Options decide only between entries: where a program has one entry, people may start the program
  /// with other options.
  private func best(_ candidates: [Int], _ arguments: [String]) -> Entry? {
    if candidates.count == 1, let only = candidates.first.map({ entries[$0] }),
      only.arguments.allSatisfy({ $0.hasPrefix("-") })
    {
      return only
    }
    let arguments = Set(arguments)
    let fitting = candidates.map { entries[$0] }.filter { arguments.isSuperset(of: $0.arguments) }
    let most = fitting.map(\.arguments.count).max() ?? 0
    let nearest = fitting.filter { $0.arguments.count == most }
    let shown = nearest.filter { !$0.isHelper }
    let choice = shown.isEmpty ? nearest : shown
    return choice.count == 1 ? choice.first : nil
  }
}

extension InstalledApplications {
  /// What a file comes from that a process of an application has written.
  enum Product: Hashable {
    case application(ApplicationDescription)
    /// A file out of an archive, or another copy.
    case copy
    /// A later name of the file decides.
    case undecided
  }

  /// Whether ``product(of:at:)`` may be another thing than the application itself.
  func dependsOnPath(_ application: ApplicationDescription) -> Bool {
    entry(application.identifier).map { $0.isArchiver || siblings(of: $0).count > 1 } ?? false
  }

  /// The entries that have an entry's program.
  private func siblings(of entry: Entry) -> [Int] {
    entry.program.flatMap { ofProgram[$0] } ?? []
  }

  /// What a file comes from, by the application of its writer and by the file's name.
  ///
  /// Of entries of one program, of which the process tells only the one that it was started by, that
  /// counts which opens files of this type: Writer and Calc are one process. An archiver makes
  /// archives; all else that it writes it has unpacked.
  func product(of application: ApplicationDescription, at path: [UInt8]) -> Product {
    guard let entry = entry(application.identifier) else { return .application(application) }
    if entry.isArchiver {
      let types = mediaTypes.types(of: path)
      if types.isEmpty { return .undecided }
      return types.isDisjoint(with: entry.mediaTypes) ? .copy : .application(application)
    }
    let siblings = siblings(of: entry)
    guard siblings.count > 1 else { return .application(application) }
    let types = mediaTypes.types(of: path).filter { type in
      !Self.exportTypes.contains { type.hasPrefix($0) }
    }
    let others = siblings.map { entries[$0] }.filter { other in
      !other.isHelper && !other.mediaTypes.isDisjoint(with: types)
    }
    return .application(others.count == 1 ? others[0].application : application)
  }
}

/// Finds the files of the programs that `Exec` lines name.
struct ProgramFinder {
  struct Found: Hashable {
    /// The path as it is named, and the path to which links lead.
    let paths: Set<String>
    /// The path to which links lead.
    let target: String
    /// The directory of the programs that a script starts: its own, as in `/opt`, or one of its name
    /// among the libraries.
    let ownDirectory: String?
  }

  /// As much of a script is looked through for directories of programs, in bytes.
  private static let scriptLimit = 1 << 14
  /// Where packages keep the programs that their scripts in `/usr/bin` start.
  private static let libraries = [
    "usr/lib", "usr/lib64", "usr/libexec", "usr/share", "usr/local/lib", "opt",
  ]

  private let directories: [FilePath]
  private let root: FilePath

  /// - Parameter places: `~/.local/bin` of their home is searched first.
  init(_ places: BaseDirectories) {
    let system = [
      "usr/local/bin", "usr/bin", "bin", "usr/local/sbin", "usr/sbin", "sbin", "usr/games",
      "usr/local/games", "snap/bin",
    ]
    root = places.systemRoot
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
      paths: [path.description, target.description], target: target.description,
      ownDirectory: ownDirectory(of: target))
  }

  private func ownDirectory(of path: FilePath) -> String? {
    let directory = path.bytes[..<path.lastComponent.startIndex].dropLast()
    // Directories that all programs share.
    let shared = Set(["bin", "sbin", "games", "libexec", "lib", "share"])
    guard let name = directory.split(separator: UInt8(ascii: "/")).last,
      let script = script(path)
    else { return nil }
    if !shared.contains(String(decoding: name, as: UTF8.self)) {
      return String(decoding: directory, as: UTF8.self)
    }
    // Most write the directory with a variable: LIBDIR=/usr/lib/$APPNAME.
    guard let stem = FilePath(bytes: Array(path.lastComponent)) else { return nil }
    return Self.libraries.lazy.filter { script.contains("/\($0)/".utf8) }
      .map { root.appending(FilePath($0)).appending(stem) }
      .first { InstalledDirectory(path: $0).exists }
      .map { ($0.realPath ?? $0).description }
  }

  /// The start of a script, after its first two bytes; `nil` for another program.
  private func script(_ path: FilePath) -> [UInt8]? {
    guard let file = try? Descriptor.open(path) else { return nil }
    defer { close(file) }
    guard let mark = try? Descriptor.readBlock(file, most: 2), mark.elementsEqual("#!".utf8) else {
      return nil
    }
    return try? Descriptor.readBlock(file, most: Self.scriptLimit)
  }
}

extension [UInt8] {
  // The standard library's would link Swift's regular expressions; see the Makefile.
  fileprivate func contains(_ text: some Collection<UInt8>) -> Bool {
    indices.contains { self[$0...].starts(with: text) }
  }
}
