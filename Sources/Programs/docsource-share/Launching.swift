import ForeignFormats
import Glibc
import LinuxSystem

/// Applications and how they are started, as `LaunchConversation` asks for them.
struct Launching {
  typealias Record = LaunchConversation.Record

  private let options: LaunchConversation.Options
  private var records: [Record] = []

  /// Answers one request.
  ///
  /// - Parameter words: those behind the job's.
  /// - Returns: `nil` for words that are no request.
  static func answer(_ job: LaunchConversation.Job, _ words: ArraySlice<[UInt8]>) -> [UInt8]? {
    switch job {
    case .words: return Record(.started, Array(words)).bytes
    case .handler: return words.compactMap(handler).flatMap(\.bytes)
    case .launch, .applications:
      let count = job == .launch ? 2 : 1
      guard words.count > count, let first = words.first,
        let options = LaunchConversation.Options(word: String(decoding: first, as: UTF8.self))
      else { return nil }
      var launching = Launching(options: options)
      let targets = words.dropFirst(count)
      if job == .applications {
        launching.list(targets)
      } else if options.contains(.portal) {
        launching.askPortal(targets)
      } else {
        launching.launch(words[words.startIndex + 1], targets)
      }
      return launching.records.flatMap(\.bytes)
    }
  }

  private init(options: LaunchConversation.Options) { self.options = options }

  // MARK: Starting

  private mutating func launch(_ identifier: [UInt8], _ targets: ArraySlice<[UInt8]>) {
    var groups: [(application: DesktopApplication, targets: [[UInt8]])] = []
    if !identifier.isEmpty {
      guard let application = DesktopApplication(identifier) else {
        fail([], "no application '\(String(decoding: identifier, as: UTF8.self))' is installed")
        return
      }
      groups = [(application, Array(targets))]
    } else {
      for target in targets {
        guard let type = type(of: target) else { continue }
        guard let application = DesktopApplication(defaultFor: type) else {
          fail(target, "no application opens \(Self.words(for: type))")
          continue
        }
        let known = application.identifier
        if let index = groups.firstIndex(where: { $0.application.identifier == known }) {
          groups[index].targets.append(target)
        } else {
          groups.append((application, [target]))
        }
      }
    }
    for (application, targets) in groups {
      let taken = targets.filter { takes(application, $0) }
      if !taken.isEmpty { start(application, taken) }
    }
    if !options.contains(.dryRun) { try? SessionBus().flush() }
  }

  /// Whether an application may get a target, after recording why not.
  private mutating func takes(_ application: DesktopApplication, _ target: [UInt8]) -> Bool {
    // A file stands at the end where the Exec line has no place for it.
    guard target.first == UInt8(ascii: "/") || application.takesURIs else {
      fail(target, "\(application.name) does not open URLs")
      return false
    }
    guard options.contains(.declared) else { return true }
    guard let type = type(of: target) else { return false }
    if application.declares(type) { return true }
    fail(target, "\(application.name) does not open \(Self.words(for: type))")
    return false
  }

  private mutating func start(_ application: DesktopApplication, _ targets: [[UInt8]]) {
    let list = TargetList(targets)
    records.append(Record(.targets, [Array(application.identifier.utf8)] + targets))
    var head = [application.identifier, application.name].map { Array($0.utf8) }
    let isCalled = application.isActivatable && (try? SessionBus()) != nil
    do {
      var program = application
      if isCalled {
        if options.contains(.dryRun) {
          records.append(Record(.called, head + list.uris))
          return
        }
        do throws(DesktopFailure) {
          try application.activate(list)
          records.append(Record(.called, head))
          return
        } catch {
          // As the specification has it: nobody on the bus may have that name.
          program = try application.copy(recorder: nil)
        }
      }
      head.append(Array((application.isInTerminal ? "terminal" : "").utf8))
      if options.contains(.dryRun) {
        records += try rehearsed(application, list).map { Record(.started, head + $0.texts) }
      } else {
        try program.start(list)
        records.append(Record(.started, head))
      }
    } catch {
      fail([], "cannot start \(application.name): \(error)")
    }
  }

  /// Has GIO start this program in the place of the application's, to see the arguments.
  private func rehearsed(
    _ application: DesktopApplication, _ targets: TargetList
  ) throws -> [Record] {
    let file = try TemporaryFile.open()
    defer { close(file) }
    try application.copy(recorder: Program.ownExecutable).start(targets, output: file)
    lseek(file, 0, SEEK_SET)
    let written = try Descriptor.read(file, limit: 64 << 20) ?? []
    return LaunchConversation.records(written) ?? []
  }

  private mutating func askPortal(_ targets: ArraySlice<[UInt8]>) {
    do throws(DesktopFailure) {
      let bus = options.contains(.dryRun) ? nil : try SessionBus()
      for target in targets {
        guard let bus else {
          let method = target.first == UInt8(ascii: "/") ? "OpenFile" : "OpenURI"
          records.append(Record(.portal, [Array(method.utf8), target, []]))
          continue
        }
        do throws(DesktopFailure) {
          let answer = try bus.open(target, asks: options.contains(.ask))
          records.append(
            Record(.portal, [Array(answer.method.utf8), target, Array("\(answer.response)".utf8)]))
        } catch {
          fail(target, error.description)
        }
      }
    } catch {
      fail([], "cannot reach the session bus: \(error)")
    }
  }

  // MARK: Lists

  private static let roles = ["default", "recommended", "fallback", "other"]

  private static func rank(_ record: Record) -> Int { roles.firstIndex(of: record[0]) ?? 0 }

  /// The applications that open all targets; of two roles the lesser one counts.
  private mutating func list(_ targets: ArraySlice<[UInt8]>) {
    var found: [String: [Record]] = [:]
    var common: [Record]?
    for target in targets {
      guard let type = type(of: target) else { continue }
      let kinds = "\(classes(of: type).rawValue)"
      records.append(Record(.type, [target] + [type, kinds].map { Array($0.utf8) }))
      let own = found[type] ?? applications(for: type)
      found[type] = own
      let byIdentifier = Dictionary(own.map { ($0[1], $0) }, uniquingKeysWith: { one, _ in one })
      common =
        common?.compactMap { one in
          byIdentifier[one[1]].map { Self.rank($0) > Self.rank(one) ? $0 : one }
        } ?? own
    }
    let sorted = (common ?? []).enumerated().sorted {
      (Self.rank($0.element), $0.offset) < (Self.rank($1.element), $1.offset)
    }
    records += sorted.map(\.element)
  }

  private func applications(for type: String) -> [Record] {
    var records: [Record] = []
    var seen: Set<String> = []
    func add(_ role: String, _ application: DesktopApplication) {
      let identifier = application.identifier
      guard seen.insert(identifier).inserted else { return }
      records.append(
        Record(.application, role, identifier, application.name, application.icon))
    }
    if let application = DesktopApplication(defaultFor: type) { add(Self.roles[0], application) }
    for one in DesktopApplication.list(for: type, .recommended) { add(Self.roles[1], one) }
    for one in DesktopApplication.list(for: type, .fallback) { add(Self.roles[2], one) }
    if options.contains(.all) {
      for one in DesktopApplication.list(for: type, .all)
      where one.takesFiles && one.isShownInMenus { add(Self.roles[3], one) }
    }
    return records
  }

  private static func handler(_ scheme: [UInt8]) -> Record? {
    let word = String(decoding: scheme, as: UTF8.self)
    let isType = scheme.contains(UInt8(ascii: "/"))
    let type = isType ? word : "x-scheme-handler/\(word.lowercased())"
    guard let application = DesktopApplication(defaultFor: type) else { return nil }
    return Record(
      .handler, [scheme] + [application.identifier, application.name].map { Array($0.utf8) })
  }

  // MARK: Parts

  /// `nil` after recording why the type is not known.
  private mutating func type(of target: [UInt8]) -> String? {
    do throws(DesktopFailure) {
      return try desktopType(of: target)
    } catch {
      fail(target, error.description)
      return nil
    }
  }

  private mutating func fail(_ target: [UInt8], _ reason: String) {
    records.append(Record(.failed, [target, Array(reason.utf8)]))
  }

  private static func words(for type: String) -> String {
    let scheme = "x-scheme-handler/"
    return type.hasPrefix(scheme) ? "\(type.dropFirst(scheme.count)): URLs" : type
  }
}
