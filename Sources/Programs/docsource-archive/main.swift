// Reads a zip or tar, a regular file, from standard input and writes what it holds of its files'
// attributes as a binary property list to standard output.
//
// `docsource` runs it, so that the tool itself links no library for archives. Its argument is the
// path for messages. Exit status: 0 done, 2 failed, perhaps with what was found until then.

import Archive
import CommandLineInterface
import ForeignFormats
import Glibc
import LinuxSystem
import TextFormats

/// Room for the largest dictionary of any compression and for all findings, not for a bomb.
let memory: UInt64 = 768 << 20
/// Processor time: a gigabyte of xz takes about thirty.
let seconds: UInt64 = 120

let path =
  unsafe CommandLine.unsafeArgv[min(1, Int(CommandLine.argc))]
  .map { unsafe FilePath(cString: $0) } ?? FilePath("-")
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())

@MainActor func fail(_ reason: String) -> Never {
  console.report(path.bytes, "cannot read archive: \(EscapedText(reason))")
  exit(console.finish(.failed).rawValue)
}

var status = stat()
guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
  fail("it is not a regular file")
}
guard status.st_size > 0 else { fail("it is empty") }
// By name, so that names in UTF-8 are taken for what they are.
_ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
let bytes = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0)
guard let start = unsafe bytes, unsafe start != MAP_FAILED else {
  fail("\(Errno.current)".lowercased())
}
do throws(Errno) {
  try DecodingSandbox.enter(
    memory: memory + UInt64(status.st_size), seconds: seconds,
    fileSize: UInt64(ArchiveReader.attributeLimit * 2))
} catch {
  fail("its sandbox cannot be entered: \(error)")
}
let (found, failure) = unsafe ArchiveReader.read(
  UnsafeRawBufferPointer(start: start, count: Int(status.st_size)))
do {
  console.output.write(try found.binary())
} catch {
  fail("\(error)")
}
if let failure { fail(failure.description) }
exit(console.finish(.done).rawValue)
