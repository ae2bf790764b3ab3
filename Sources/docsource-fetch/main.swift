// The only program of docsource that touches the network.
//
// `docsource` runs it, so that the tool itself links no network or image library. Exit status:
// 0 done, 2 failed, 64 wrong command line.

import CommandLineInterface
import Glibc

let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  unsafe CommandLine.unsafeArgv[index].map { unsafe String(cString: $0) }
}
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())

switch (arguments.first, arguments.count) {
case ("get", 2): exit(console.finish(GetJob(url: arguments[1]).run(console)).rawValue)
default:
  console.say("docsource-fetch is run by docsource icon")
  exit(ExitStatus.usage.rawValue)
}
