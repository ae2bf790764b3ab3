// Reads open files from a socket on standard input, one after the other, and answers what exiftool finds
// in each of programs and devices, as `ContentProtocol` says. exiftool runs in a sandbox and is handed
// these files only; it ends with this program, which ends with the other side of the socket.
//
// `docsource` runs it, so that whatever exiftool writes is read in a process of its own. Exit status: 0
// done, 2 failed.

import CommandLineInterface
import CompanionProtocol
import EmbeddedMetadata
import Glibc
import LinuxSystem

/// All of it in a function: what a main file has at its top belongs to the main actor, for which the
/// library of tasks would be linked.
func run() -> Never {
  let console = Console(
    tool: "docsource", output: .standardOutput(), errors: .standardError())
  var status = stat()
  guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
    console.say("docsource-content is run by docsource, with a socket as standard input")
    exit(console.finish(.usage).rawValue)
  }
  // Where exiftool has ended, another one is asked.
  signal(SIGPIPE, SIG_IGN)
  // exiftool becomes nobody, and only its own user may look at its calls without more rights.
  guard (try? DecodingSandbox.leaveRoot()) != nil else { exit(ExitStatus.failed.rawValue) }
  let channel = FileChannel(STDIN_FILENO, PacketBuffer())
  var reader = ContentReader()
  while case .packet(let packet) = channel.receive(waits: true) {
    defer { for file in packet.files { close(file) } }
    guard packet.files.count == 1,
      let answer = try? reader.answer(about: packet.files[0], unless: STDIN_FILENO),
      (try? channel.send(answer.message.bytes, waits: true)) != nil
    else { break }
  }
  // exiftool would be killed, but nobody might wait for it: in a container, often no process does.
  reader.end()
  exit(ExitStatus.done.rawValue)
}

run()
