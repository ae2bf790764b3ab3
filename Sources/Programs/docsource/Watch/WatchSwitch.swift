import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats
import Watching

/// A user's switch for watching.
enum WatchSwitch {
  /// Turns watching on or off, and says what follows from that.
  static func set(
    isOn: Bool, _ console: Console, _ change: (inout WatchSettings) -> Void
  ) -> ExitStatus {
    let places = BaseDirectories.current()
    do throws(UserFile.Failure) {
      let path = try WatchSettings.file(places).path
      try WatchSettings.edit(places) { settings in
        settings.isEnabled = isOn
        change(&settings)
      }
      console.output.writeLine("watching is \(isOn ? "on" : "off"): \(EscapedText(path.bytes))")
      guard isOn else { return .done }
      warn(path, places, console)
      if WatchStatusFile.read() == nil { console.say(howToStart) }
      return .done
    } catch {
      return report(error, console)
    }
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
    case nil: break
    }
  }

  private static let howToStart =
    "the service is not running; an administrator can start it with"
    + " 'systemctl enable --now docsource-watch'"

  /// Shows the switch and the state of the service.
  ///
  /// - Returns: `negative` where it is off.
  static func tell(isJSON: Bool, _ console: Console) -> ExitStatus {
    let places = BaseDirectories.current()
    do throws(UserFile.Failure) {
      let settings = try WatchSettings.read(places)
      let path = try WatchSettings.file(places).path
      let directories = WatchRoster.ownDirectories()
      let service = WatchStatusFile.read()
      if isJSON {
        var members = JSONText.path(path.bytes, key: "settings")
        members += [
          ("enabled", "\(settings.isEnabled)"),
          ("directories", list(directories.map { String(decoding: $0, as: UTF8.self) })),
          ("include", list(settings.include)), ("exclude", list(settings.exclude)),
          ("policy", JSONText.string(settings.policy.rawValue)),
        ]
        if let service { members.append(("service", service)) }
        console.write(members)
      } else {
        console.output.writeLine(
          "watching is \(settings.isEnabled ? "on" : "off"): \(EscapedText(path.bytes))")
        for directory in directories where settings.isEnabled {
          console.output.writeLine("  \(EscapedText(directory))")
        }
        console.output.writeLine(service.map { "the service is running: \($0)" } ?? howToStart)
      }
      if settings.isEnabled { warn(path, places, console) }
      return settings.isEnabled ? .done : .negative
    } catch {
      return report(error, console)
    }
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
