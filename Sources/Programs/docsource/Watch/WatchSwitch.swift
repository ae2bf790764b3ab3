import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats
import Watching

/// A user's switch for watching.
enum WatchSwitch {
  /// Turns watching on or off, and says what follows from that.
  ///
  /// - Parameter keepsPause: whether a pause goes on.
  static func set(
    isOn: Bool, keepsPause: Bool = false, _ console: Console,
    _ change: (inout WatchSettings) -> Void
  ) -> ExitStatus {
    let places = BaseDirectories.current()
    do throws(UserFile.Failure) {
      let path = try WatchSettings.file(places).path
      try WatchSettings.edit(places) { settings in
        settings.isEnabled = isOn
        if !keepsPause { settings.pauseEnd = nil }
        change(&settings)
      }
      let settings = try WatchSettings.read(places)
      if !settings.isEnabled || !settings.isLogged { WatchLog.removeOwn() }
      console.output.writeLine("watching is \(state(settings)): \(EscapedText(path.bytes))")
      warn(path, places, console)
      guard isOn else { return .done }
      if WatchStatusFile.read() == nil { console.say(howToStart) }
      return .done
    } catch {
      return report(error, console)
    }
  }

  /// Stops tagging for so many seconds, or, without a number, ends that.
  ///
  /// - Returns: `negative` if watching is off.
  static func pause(_ seconds: Int?, _ console: Console) -> ExitStatus {
    let places = BaseDirectories.current()
    do throws(UserFile.Failure) {
      let path = try WatchSettings.file(places).path
      if try WatchSettings.read(places).isEnabled {
        try WatchSettings.edit(places) { settings in
          settings.pauseEnd = seconds.map { time(nil) + $0 }
        }
      }
      let settings = try WatchSettings.read(places)
      console.output.writeLine("watching is \(state(settings)): \(EscapedText(path.bytes))")
      warn(path, places, console)
      return settings.isEnabled ? .done : .negative
    } catch {
      return report(error, console)
    }
  }

  private static func state(_ settings: WatchSettings) -> String {
    guard settings.isEnabled else { return "off" }
    guard let end = settings.pauseEnd, settings.isPaused(at: time(nil)) else { return "on" }
    return "paused until \(LocalTime.text(of: Double(end) - CalendarDate.referenceDate))"
  }

  /// Tells why the service does not heed settings that are on.
  private static func warn(_ path: FilePath, _ places: BaseDirectories, _ console: Console) {
    switch WatchSettings.neglect(of: path, places) {
    case .elsewhere:
      console.say(
        "warning: the service reads settings from ~/.config, not from XDG_CONFIG_HOME")
    case .foreign:
      console.report(
        path.bytes, "warning: the service ignores files that the user of HOME does not own")
    case .unlisted:
      console.say(
        "warning: the service only watches for root and for users of /etc/passwd with identifiers"
          + " from 1000 on")
    case nil: break
    }
  }

  private static let howToStart =
    "the service is not running; an administrator can start it with"
    + " 'systemctl enable --now docsource-watch'"

  /// Shows the switch and the state of the service.
  ///
  /// - Returns: `negative` if it is off, or paused.
  static func tell(isJSON: Bool, _ console: Console) -> ExitStatus {
    let places = BaseDirectories.current()
    do throws(UserFile.Failure) {
      let settings = try WatchSettings.read(places)
      let path = try WatchSettings.file(places).path
      let isOn = settings.isEnabled && !settings.isPaused(at: time(nil))
      let directories = WatchRoster.ownDirectories(settings)
      let service = WatchStatusFile.read()
      if isJSON {
        var members = JSONText.path(path.bytes, key: "settings")
        members += [
          ("enabled", "\(settings.isEnabled)"),
          ("directories", list(directories.map { String(decoding: $0, as: UTF8.self) })),
          ("include", list(settings.include)), ("exclude", list(settings.exclude)),
          ("onlyApplications", list(settings.applications.only)),
          ("excludedApplications", list(settings.applications.excluded)),
          ("policy", JSONText.string(settings.policy.rawValue)),
          ("recordDownloads", "\(settings.recordsDownloads)"),
          ("witness", "\(settings.hasWitness)"),
        ]
        if let end = settings.pauseEnd, !isOn, settings.isEnabled,
          let date = try? CalendarDate.text(sinceEpoch: Double(end))
        {
          members.append(("pausedUntil", JSONText.string(date)))
        }
        if settings.isLogged {
          let counts = lastDay().map { count -> JSONFields in
            [
              "identifier": .text(count.identifier), "name": .text(count.name),
              "count": .number(count.count),
            ]
          }
          members.append(("lastDay", "[" + counts.map(\.text).joined(separator: ",") + "]"))
        }
        if let service { members.append(("service", service.json)) }
        console.write(members)
      } else {
        console.output.writeLine("watching is \(state(settings)): \(EscapedText(path.bytes))")
        if settings.isEnabled {
          for directory in directories { console.output.writeLine("  \(EscapedText(directory))") }
          for path in WatchRoster.missingDirectories(settings) {
            console.output.writeLine("  \(EscapedText(path.bytes)) (missing)")
          }
          for line in words(settings) { console.output.writeLine("  \(line)") }
        }
        if settings.isEnabled, settings.isLogged {
          console.output.writeLine(words(lastDay()))
        }
        console.output.writeLine(service.map(words) ?? howToStart)
      }
      warn(path, places, console)
      return isOn ? .done : .negative
    } catch {
      return report(error, console)
    }
  }

  /// What is tagged in the directories, a line for each setting.
  private static func words(_ settings: WatchSettings) -> [String] {
    func line(_ lead: String, _ texts: [String]) -> String? {
      texts.isEmpty
        ? nil : "\(lead): " + texts.map { "\(EscapedText($0))" }.joined(separator: ", ")
    }
    return [
      line("only files", settings.include), line("no files", settings.exclude),
      line("only applications", settings.applications.only),
      line("no applications", settings.applications.excluded),
      "an existing source is \(settings.policy == .keep ? "kept" : "replaced")",
      settings.recordsDownloads ? "the addresses of downloads are recorded" : nil,
      settings.hasWitness ? "who writes is recorded for 'docsource show --verify'" : nil,
    ].compactMap(\.self)
  }

  private static let shownCount = 10

  private static func lastDay() -> [WatchLog.Count] {
    WatchLog.ownPath.map { WatchLog.counts(at: $0) } ?? []
  }

  private static func words(_ counts: [WatchLog.Count]) -> String {
    let total = counts.reduce(0) { $0 + $1.count }
    var list = counts.prefix(shownCount).map {
      "\(EscapedText($0.name ?? $0.identifier)) \(CountText.of($0.count))"
    }
    if counts.count > shownCount { list.append("\(counts.count - shownCount) more applications") }
    return "\(CountText.of(total, "file")) tagged in the last day"
      + (list.isEmpty ? "" : ": " + list.joined(separator: ", "))
  }

  private static func words(_ service: ServiceStatus) -> String {
    "the service is running for \(CountText.of(service.users, "user")): "
      + WatchPrinter.words(service.tally, .tag)
  }

  private static func list(_ texts: [String]) -> String {
    "[" + texts.map { JSONText.string($0) }.joined(separator: ",") + "]"
  }

  private static func report(_ failure: UserFile.Failure, _ console: Console) -> ExitStatus {
    if let path = failure.path {
      console.fail(path.bytes, failure.reason)
    } else {
      console.say("cannot locate the settings: \(failure.reason)")
    }
    return .failed
  }
}
