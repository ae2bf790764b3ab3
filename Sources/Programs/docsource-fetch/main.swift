// The only program of docsource that touches the network or decodes an image.
//
// `docsource icon` runs it, so that the tool itself links no network or image library. Exit status:
// 0 done, 1 there is no icon, 2 failed, 64 wrong command line.

import CommandLineInterface
import Glibc
import IconFetch

// With one of these closed, the next socket or cache file would take its place, and words meant
// for a person would go there. Reading only: a write still fails.
for _ in 0...STDERR_FILENO {
  let descriptor = unsafe open("/dev/null", O_RDONLY)
  if descriptor > STDERR_FILENO { close(descriptor) }
}
let arguments = CommandLine.texts
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())
let status: ExitStatus? =
  switch arguments.first {
  case "icon": IconJob(arguments.dropFirst())?.run(console)
  case "get" where arguments.count == 2: GetJob(url: arguments[1]).run(console)
  // In a process of its own, which gives up its rights before anything else.
  case "render": exit(RenderingService.run(Array(arguments.dropFirst())).rawValue)
  default: nil
  }
guard let status else {
  console.say("docsource-fetch is run by docsource icon")
  exit(ExitStatus.usage.rawValue)
}
exit(console.finish(status).rawValue)
