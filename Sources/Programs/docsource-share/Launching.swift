import CompanionProtocol
import Glibc
import LinuxSystem

/// Applications and how they are started, as `DesktopProtocol` asks for them.
struct Launching {
  private typealias Record = DesktopProtocol.Record
  private typealias Identity = DesktopProtocol.Application

  private let options: DesktopProtocol.Options
  private var records: [Record] = []
  /// What was started, with the place of its record.
  private var begun: [(name: String, targets: [[UInt8]], programs: [RunningProgram], record: Int)] =
    []

  /// Answers one request.
  ///
  /// - Parameter words: those after the job's.
  /// - Returns: `nil` for words that are no request.
  static func answer(_ job: DesktopProtocol.Job, _ words: ArraySlice<[UInt8]>) -> [UInt8]? {
    switch job {
    case .words: return Record.words(Array(words)).bytes
    case .handler: return words.compactMap(handler).flatMap(\.bytes)
    case .launch, .applications:
      let count = job == .launch ? 2 : 1
      guard words.count > count, let first = words.first,
        let options = DesktopProtocol.Options(word: String(decoding: first, as: UTF8.self))
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

  private init(options: DesktopProtocol.Options) { self.options = options }

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
          fail([target], "no application opens \(Self.words(for: type))")
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
    if !options.contains(.dryRun) {
      try? SessionBus().flush()
      awaitEarlyEnds()
    }
  }

  /// How long an application that was started may take to fail, in milliseconds. One that runs longer,
  /// or ends without a failure, has been opened.
  private static let earlyTime = 1000

  /// Turns the records of applications that fail at once into failures. GIO has started those with a
  /// process for each target in the order of the targets.
  private mutating func awaitEarlyEnds() {
    let endings = RunningProgram.endings(
      of: begun.flatMap(\.programs), within: Self.earlyTime)
    for (name, targets, programs, record) in begun.reversed() {
      let failures = programs.map { endings[$0.identifier].flatMap(Self.words) }
      guard let words = failures.compactMap(\.self).first,
        case .outcome(.started(let identity, _, let isInTerminal, let arguments)) = records[record]
      else { continue }
      let areOfTargets = programs.count == targets.count
      let isFailed = targets.indices.map { areOfTargets ? failures[$0] != nil : true }
      let (failed, others) = (
        targets.indices.filter { isFailed[$0] }.map { targets[$0] },
        targets.indices.filter { !isFailed[$0] }.map { targets[$0] }
      )
      var outcomes = [Record.outcome(.failed(targets: failed, reason: "\(name) \(words)"))]
      if !others.isEmpty {
        let started = DesktopProtocol.Outcome.started(
          identity, targets: others, isInTerminal: isInTerminal, arguments: arguments)
        outcomes.insert(.outcome(started), at: 0)
      }
      records.replaceSubrange(record...record, with: outcomes)
    }
  }

  /// - Returns: `nil` for the end of a program that has done its work.
  private static func words(_ ending: RunningProgram.Ending) -> String? {
    switch ending {
    case .status(0): nil
    case .status(let status): "ended with status \(status) right after its start"
    case .signal(let signal): "was ended by signal \(signal) right after its start"
    }
  }

  /// Whether an application may get a target, after recording why not.
  private mutating func takes(_ application: DesktopApplication, _ target: [UInt8]) -> Bool {
    // A file stands at the end where the Exec line has no place for it.
    guard target.first == UInt8(ascii: "/") || application.takesURIs else {
      fail([target], "\(application.name) does not open URLs")
      return false
    }
    guard options.contains(.declared) else { return true }
    guard let type = type(of: target) else { return false }
    if application.declares(type) { return true }
    fail([target], "\(application.name) does not open \(Self.words(for: type))")
    return false
  }

  private mutating func start(_ application: DesktopApplication, _ targets: [[UInt8]]) {
    let list = TargetList(targets)
    let identity = Identity(identifier: application.identifier, name: application.name)
    func started(_ arguments: [[UInt8]]) -> Record {
      .outcome(
        .started(
          identity, targets: targets, isInTerminal: application.isInTerminal, arguments: arguments))
    }
    func called(_ uris: [[UInt8]]) -> Record {
      .outcome(.called(identity, targets: targets, uris: uris))
    }
    let isCalled = application.isActivatable && (try? SessionBus()) != nil
    do {
      var program = application
      if isCalled {
        if options.contains(.dryRun) {
          records.append(called(list.uris))
          return
        }
        do throws(DesktopFailure) {
          try application.activate(list)
          records.append(called([]))
          return
        } catch {
          // As the specification has it: nobody on the bus may have that name.
          program = try application.copy(recorder: nil)
        }
      }
      if options.contains(.dryRun) {
        records += try arguments(of: application, list).map(started)
      } else {
        let programs = try program.start(list)
        begun.append((application.name, targets, programs, records.count))
        records.append(started([]))
      }
    } catch {
      // GIO says only that the list of arguments is too long.
      let isTooLong = list.uris.contains { $0.count > Program.argumentLimit }
      fail(
        targets,
        "cannot start \(application.name): \(isTooLong ? Program.excess(in: list.uris) : "\(error)")"
      )
    }
  }

  /// Has GIO start this program in the place of the application's, to see the arguments.
  private func arguments(
    of application: DesktopApplication, _ targets: TargetList
  ) throws -> [[[UInt8]]] {
    let file = try MemoryFile()
    try application.copy(recorder: Program.ownExecutable).start(targets, output: file.descriptor)
    let written = try file.content(limit: 64 << 20) ?? []
    return (DesktopProtocol.records(written) ?? []).compactMap { record in
      if case .words(let words) = record { words } else { nil }
    }
  }

  private mutating func askPortal(_ targets: ArraySlice<[UInt8]>) {
    do throws(DesktopFailure) {
      let bus = options.contains(.dryRun) ? nil : try SessionBus()
      for target in targets {
        guard let bus else {
          let method = target.first == UInt8(ascii: "/") ? "OpenFile" : "OpenURI"
          records.append(.outcome(.portal(method: method, target: target, answer: nil)))
          continue
        }
        do throws(DesktopFailure) {
          let answer = try bus.open(target, asks: options.contains(.ask))
          records.append(
            .outcome(.portal(method: answer.method, target: target, answer: answer.answer)))
        } catch {
          fail([target], error.description)
        }
      }
    } catch {
      fail([], "cannot reach the session bus: \(error)")
    }
  }

  // MARK: Lists

  private typealias Found = (application: Identity, role: DesktopProtocol.Role, icon: String)

  /// The applications that open all targets; of two roles the lesser one counts.
  private mutating func list(_ targets: ArraySlice<[UInt8]>) {
    var found: [String: [Found]] = [:]
    var common: [Found]?
    for target in targets {
      guard let type = type(of: target) else { continue }
      records.append(.type(target: target, type, classes(of: type)))
      let own = found[type] ?? applications(for: type)
      found[type] = own
      let roles = Dictionary(
        own.map { ($0.application.identifier, $0.role) }, uniquingKeysWith: { one, _ in one })
      common =
        common?.compactMap { one in
          roles[one.application.identifier].map { (one.application, max($0, one.role), one.icon) }
        } ?? own
    }
    let sorted = (common ?? []).enumerated().sorted {
      ($0.element.role, $0.offset) < ($1.element.role, $1.offset)
    }
    records += sorted.map {
      .application($0.element.application, $0.element.role, icon: $0.element.icon)
    }
  }

  private func applications(for type: String) -> [Found] {
    var list: [Found] = []
    var seen: Set<String> = []
    func add(_ role: DesktopProtocol.Role, _ application: DesktopApplication) {
      guard seen.insert(application.identifier).inserted else { return }
      let identity = Identity(identifier: application.identifier, name: application.name)
      list.append((identity, role, application.icon))
    }
    if let application = DesktopApplication(defaultFor: type) { add(.standard, application) }
    for one in DesktopApplication.list(for: type, .recommended) { add(.recommended, one) }
    for one in DesktopApplication.list(for: type, .fallback) { add(.fallback, one) }
    if options.contains(.all) {
      for one in DesktopApplication.list(for: type, .all)
      where one.takesFiles && one.isShownInMenus { add(.other, one) }
    }
    return list
  }

  private static func handler(_ scheme: [UInt8]) -> Record? {
    let word = String(decoding: scheme, as: UTF8.self)
    let isType = scheme.contains(UInt8(ascii: "/"))
    let type = isType ? word : "x-scheme-handler/\(word.lowercased())"
    guard let application = DesktopApplication(defaultFor: type) else { return nil }
    return .handler(
      of: word, Identity(identifier: application.identifier, name: application.name))
  }

  // MARK: Parts

  /// `nil` after recording why the type is not known.
  private mutating func type(of target: [UInt8]) -> String? {
    do throws(DesktopFailure) {
      return try desktopType(of: target)
    } catch {
      fail([target], error.description)
      return nil
    }
  }

  /// - Parameter targets: none if the launch fails as a whole.
  private mutating func fail(_ targets: [[UInt8]], _ reason: String) {
    records.append(.outcome(.failed(targets: targets, reason: reason)))
  }

  private static func words(for type: String) -> String {
    let scheme = "x-scheme-handler/"
    return type.hasPrefix(scheme) ? "\(type.dropFirst(scheme.count)): URLs" : type
  }
}
