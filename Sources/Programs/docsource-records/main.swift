// Reads a question for downloads or packages from standard input and writes what the browsers and the
// desktop of this user and the package managers have recorded of them to standard output, as
// `RecordsProtocol` and `PackagesProtocol` say. The databases of the user's programs are opened, then the
// sandbox is entered, then they are read, for a second or, all of them, five. Those of package managers, which belong to root or to
// this user, are searched for the bytes of the paths, and understood in the sandbox.
//
// `docsource` runs it, so that the tool itself links no database. Its argument, if it has one, is the
// home directory of the user, instead of what the environment says. Exit status: 0 done, perhaps with
// databases that cannot be read among the answers, 2 failed.

import BrowserHistory
import CommandLineInterface
import CompanionProtocol
import DatabaseSnapshot
import ForeignFormats
import Glibc
import InstalledPackages
import LinuxSystem

/// All of it in a function: what a main file has at its top belongs to the main actor, for which the
/// library of tasks would be linked.
func run() -> Never {
  let console = Console(
    tool: "docsource", output: .standardOutput(), errors: .standardError())

  func fail(_ reason: String) -> Never {
    console.say("cannot read records: \(reason)")
    exit(console.finish(.failed).rawValue)
  }

  func answerPackages(_ question: PackageQuestion) -> Never {
    let milliseconds = PackagesProtocol.milliseconds(for: question)
    var packages = InstalledPackages(question, deadline: Clock.milliseconds + milliseconds)
    do throws(SandboxFailure) {
      try DecodingSandbox.enter(
        memory: 1 << 30, seconds: UInt64(milliseconds / 1000 + 1),
        fileSize: UInt64(PackagesProtocol.limit), keeping: packages.descriptors)
    } catch {
      fail("\(error)")
    }
    for group in packages.readRecords() {
      console.output.write(PackagesProtocol.Answer.package(group).bytes)
    }
    for flaw in packages.flaws {
      console.output.write(PackagesProtocol.Answer.failed(database: flaw.path, flaw.reason).bytes)
    }
    exit(console.finish(.done).rawValue)
  }

  func refuse() -> Never {
    console.say("docsource-records is run by docsource, with a question on standard input")
    exit(console.finish(.usage).rawValue)
  }

  let input = try? Descriptor.read(STDIN_FILENO, limit: RecordsProtocol.questionLimit)
  let arguments = CommandLine.bytes
  guard arguments.count <= 1, let messages = try? CompanionMessage.all(in: input ?? []),
    messages.count == 1
  else { refuse() }
  if let question = PackagesProtocol.question(messages[0]) { answerPackages(question) }
  guard let (wanted, wantsDesktop) = RecordsProtocol.wanted(messages[0]) else { refuse() }
  let milliseconds = RecordsProtocol.milliseconds(for: wanted)
  let deadline = Clock.milliseconds + milliseconds
  let directories =
    arguments.first.map { home in BaseDirectories { $0 == "HOME" ? home : nil } } ?? .current()
  let profiles = BrowserProfiles(directories)
  var desktop = wantsDesktop ? DesktopDatabases(directories) : nil
  do throws(SandboxFailure) {
    try DecodingSandbox.enter(
      seconds: UInt64(milliseconds / 1000 + 1), fileSize: UInt64(RecordsProtocol.limit),
      keeping: profiles.descriptors + (desktop?.descriptors ?? []))
  } catch {
    fail("\(error)")
  }
  func answer(_ answer: RecordsProtocol.Answer) { console.output.write(answer.message.bytes) }
  for (path, reason) in profiles.failures {
    answer(.failed(database: Array(path.bytes), reason, isMomentary: false))
  }
  for (kind, files, logs) in profiles.found {
    do throws(DatabaseFailure) {
      for record in try kind.downloads(of: wanted, in: files, logs: logs, deadline: deadline) {
        answer(.download(record))
      }
    } catch {
      answer(
        .failed(database: files.path, error.description, isMomentary: error.isMomentary))
    }
  }
  for record in desktop?.records(of: wanted, deadline: deadline) ?? [] { answer(.desktop(record)) }
  for failure in desktop?.failures ?? [] {
    answer(.failed(database: failure.path, failure.reason, isMomentary: failure.isMomentary))
  }
  exit(console.finish(.done).rawValue)
}

run()
