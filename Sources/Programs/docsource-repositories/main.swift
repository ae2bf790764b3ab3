// Reads a question about files of a repository of git from standard input and writes what the repository
// records of them to standard output, as `RepositoriesProtocol` says. It is in a sandbox in which it can
// read files and change none.
//
// `docsource` runs it, so that the tool itself, and the companion that reads databases, link no libgit2: to
// load that with its libraries takes longer than most of their answers. Exit status: 0 done, perhaps with
// what cannot be read among the answers, 2 failed.

import CommandLineInterface
import CompanionProtocol
import Glibc
import LinuxSystem
import Repositories

/// All of it in a function: what a main file has at its top belongs to the main actor, for which the
/// library of tasks would be linked.
func run() -> Never {
  let console = Console(
    tool: "docsource", output: .standardOutput(), errors: .standardError())

  func fail(_ reason: String) -> Never {
    console.say("cannot read repositories: \(reason)")
    exit(console.finish(.failed).rawValue)
  }

  let limit = RepositoriesProtocol.questionLimit
  let input = try? Descriptor.read(STDIN_FILENO, limit: limit)
  guard CommandLine.bytes.isEmpty, let messages = try? CompanionMessage.all(in: input ?? []),
    messages.count == 1, let question = RepositoriesProtocol.question(messages[0])
  else {
    console.say("docsource-repositories is run by docsource, with a question on standard input")
    exit(console.finish(.usage).rawValue)
  }
  let milliseconds = RepositoriesProtocol.milliseconds(for: question)
  let deadline = Clock.milliseconds + milliseconds
  do throws(SandboxFailure) {
    try ReadingSandbox.enter(
      memory: 1 << 30, seconds: UInt64(milliseconds / 1000 + 1),
      fileSize: UInt64(RepositoriesProtocol.limit))
  } catch {
    fail("\(error)")
  }
  do throws(RepositoryFlaw) {
    try RepositoryReader.start(isAlone: true)
  } catch {
    fail(error.reason)
  }
  let answer = RepositoryReader(question, deadline: deadline).answer()
  console.output.write(
    RepositoriesProtocol.Answer(
      answer.repository, isMissing: answer.isMissing, records: answer.records,
      failures: answer.flaws.map(\.reason)
    ).bytes)
  exit(console.finish(.done).rawValue)
}

run()
