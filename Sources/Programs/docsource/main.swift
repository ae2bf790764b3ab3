import CommandLineInterface
import FileTree
import Glibc

reserveStandardStreams()
// A parent may have had the signal ignored; the endings of commands would then be lost.
signal(SIGCHLD, SIG_DFL)
let arguments = CommandLine.bytes
// Looked at here, so that no page of the watch's is touched for anything else.
if arguments.first?.first == UInt8(ascii: "("), let status = WatchCommand.runAsPart(arguments) {
  exit(status.rawValue)
}
let console = Console(tool: Tool.name, output: .standardOutput(), errors: .standardError())
let status = Tool.run(arguments, console)
Interruption.reraise()
exit(status.rawValue)

/// Opens `/dev/null` in place of standard streams that the caller has closed, so that no file opened
/// later is mistaken for one of them. Reading and writing there still fails, with `EBADF`.
///
/// The corresponding C function is open(2), which gives the lowest number that is free.
func reserveStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
    _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}
