import FileTree
import Glibc
import LinuxSystem

// Walks a tree as a process of its own, whose memory and descriptors can be measured. Usage:
//   TreeVisitor [--sequential | --workers N] [--list] [--descriptors] [--limit N]
//     [--max-depth N] [--no-hidden] [--no-version-control | --no-objects] [--exclude GLOB]
//     [--gitignore] [--one-file-system] ROOT
// Writes `f PATH`, `d PATH`, `o PATH`, `! REASON: PATH`, each with a NUL, to standard output; then
// to standard error how many entries and failures there were, the peak of resident memory in KiB
// and the highest count of descriptors.

guard let options = Options(CommandLine.arguments) else { exit(64) }
var all: [Findings] = []
do throws(TreeFailure) {
  if options.isSequential {
    var findings = Findings(options)
    var failures: [TreeFailure] = []
    try TreeWalk.walk(below: options.root, links: .noFollow, options: options.walk) {
      findings.add($0)
    } failed: {
      failures.append($0)
    }
    for failure in failures { findings.add(failure) }
    all = [findings]
  } else {
    all = try TreeWalk.walk(
      below: options.root, links: .noFollow, options: options.walk, workers: options.workers
    ) {
      Findings(options)
    } visit: {
      $0.add($1)
    } failed: {
      $0.add($1)
    }
  }
} catch {
  print("! \(error.reason): \(error.path)", terminator: "\0")
  exit(2)
}
for index in all.indices { all[index].flush() }

let status = unsafe open("/proc/self/status", O_RDONLY)
let text = String(decoding: try Descriptor.read(status, limit: 1 << 16) ?? [], as: UTF8.self)
let peak = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }.map {
  $0.filter(\.isNumber)
}
let entries = all.reduce(0) { $0 + $1.entries }
let failures = all.reduce(0) { $0 + $1.failures }
let descriptors = all.reduce(0) { max($0, $1.descriptors) }
let summary = "\(entries) \(failures) \(peak ?? "") \(descriptors)\n"
try Descriptor.write(Array(summary.utf8), to: STDERR_FILENO)
