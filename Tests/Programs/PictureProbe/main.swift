// What the tests of the sandbox run: a renderer, and attempts at what a sandbox forbids.
//
// Usage: PictureProbe render RENDERING... | icon RENDERING... | ATTEMPT [NETS]

import AppIcon
import CommandLineInterface
import Glibc
import IconFetch
import LinuxSystem

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "render": exit(RenderingService.run(Array(arguments.dropFirst())).rawValue)
case "icon":
  // As docsource-fetch does it: another process of the same program.
  guard let program = FilePath(bytes: Array("/proc/self/exe".utf8)),
    let rendering = IconRendering(arguments: Array(arguments.dropFirst())),
    let png = try Descriptor.read(STDIN_FILENO, limit: PNGHeader.byteLimit)
  else { exit(ExitStatus.usage.rawValue) }
  let process = RenderingProcess(program: program, arguments: ["PictureProbe", "render"])
  try Descriptor.write(process.render(png, rendering), to: STDOUT_FILENO)
  exit(ExitStatus.done.rawValue)
default:
  guard let attempt = arguments.first.flatMap(Attempt.init) else {
    exit(ExitStatus.usage.rawValue)
  }
  let nets = arguments.dropFirst().first.flatMap(Int.init).map(SandboxNets.init)
  exit(try attempt.run(in: nets ?? [.seccomp, .landlock]))
}
