import Applications
import CommandLineInterface
import LinuxSystem
import TextFormats
import Xattr

extension KnownApplications {
  /// Those known to this process's user, after telling what in the user's list counts as nothing.
  ///
  /// - Returns: `nil` after saying that the list cannot be read.
  static func ofUser(_ console: Console) -> KnownApplications? {
    let places = BaseDirectories.current()
    let registry = ApplicationRegistry(places: places)
    if let failure = registry.failure {
      report(failure, console)
      return nil
    }
    if let path = try? ApplicationRegistry.path(places) {
      for flaw in registry.flaws {
        let place = flaw.position.map { "application \($0): " } ?? ""
        console.report(path.bytes, place + EscapedText(flaw.reason).description)
      }
    }
    return KnownApplications(registry, places: places)
  }

  static func report(_ failure: UserFile.Failure, _ console: Console) {
    if failure.path.bytes.isEmpty {
      console.say("there is no list of applications: \(failure.reason)")
    } else {
      console.report(failure.path.bytes, EscapedText(failure.reason).description)
    }
  }
}
