import CommandLineInterface
import Glibc

StandardStreams.reserve()
// Whoever started us may have it ignored: how commands end would not be known then.
signal(SIGCHLD, SIG_DFL)
// `CommandLine.arguments` would turn a name that is not UTF-8 into one that does not exist.
let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  unsafe CommandLine.unsafeArgv[index].map {
    unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
  }
}
let console = Console(tool: Tool.name, output: .standardOutput(), errors: .standardError())
let status = Tool.run(arguments, console)
Interruption.passOn()
exit(status.rawValue)
