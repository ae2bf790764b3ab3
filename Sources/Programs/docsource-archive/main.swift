// Reads a zip or tar, a regular file, from standard input and writes what it holds of its files'
// attributes to standard output, as the parts of an `ArchivedAttributes`.
//
// `docsource` runs it, so that the tool itself links no library for archives. Its arguments are the
// path for messages and, perhaps, how many bytes are unpacked at most, and how many seconds of
// processor time that takes, each a number or `none`. With `info-plists` after them, it writes the
// Info.plists of the bundles in a zip instead, as a `BundleLists`. Exit status: 0 done, 2 failed, perhaps with
// what was found until then. Where libarchive goes on for a second beyond the limit of time, SIGXCPU
// ends the process.

import Archive
import CommandLineInterface
import ForeignFormats
import Glibc
import LinuxSystem
import TextFormats

/// All of it in a function: what a main file has at its top belongs to the main actor, for which the
/// library of tasks would be linked.
func run() -> Never {
  // Room for the largest dictionary of any compression and for all findings, not for a bomb.
  let memory: UInt64 = 768 << 20
  // What the kernel grants beyond the limit of processor time, in seconds: within it, the reader ends
  // by itself unless libarchive is in the middle of a call.
  let grace = 1
  // Processor time where there is no limit: a year, since the kernel counts its seconds in
  // nanoseconds.
  let boundless = 365 * 86400

  let arguments = CommandLine.bytes
  let path = arguments.first.flatMap(FilePath.init(bytes:)) ?? FilePath("-")
  let limit =
    arguments.count < 3
    ? WorkLimit.standard
    : WorkLimit(
      bytes: Int(String(decoding: arguments[1], as: UTF8.self)),
      seconds: Int(String(decoding: arguments[2], as: UTF8.self)))
  let console = Console(
    tool: "docsource", output: .standardOutput(), errors: .standardError())

  func fail(_ reason: String) -> Never {
    console.report(path.bytes, "cannot read archive: \(EscapedText(reason))")
    exit(console.finish(.failed).rawValue)
  }

  /// The option of `docsource adopt` that would help.
  func remedy(_ excess: WorkLimit.Excess?) -> String {
    switch excess {
    case .bytes: "; use --limit=SIZE to allow more"
    case .seconds: "; use --limit=none to allow more"
    case nil: ""
    }
  }

  var status = stat()
  guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    fail("not a regular file")
  }
  guard status.st_size > 0 else { fail("the file is empty") }
  // By name, so that names in UTF-8 are taken for what they are.
  _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
  let bytes = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0)
  guard let start = unsafe bytes, unsafe start != MAP_FAILED else {
    fail("\(Errno.current)".lowercased())
  }
  do throws(SandboxFailure) {
    let seconds = limit.seconds.map { $0 + grace } ?? boundless
    try DecodingSandbox.enter(
      memory: memory + UInt64(status.st_size), seconds: UInt64(seconds),
      // A path stands twice in a finding, beside the list that holds it.
      fileSize: UInt64(ArchiveReader.attributeLimit * 2 + ArchiveReader.fileLimit * 256))
  } catch {
    fail("\(error)")
  }
  if arguments.count > 3, arguments[3].elementsEqual(BundleLists.verb.utf8) {
    do {
      let lists = try unsafe ArchiveReader.readBundleLists(
        UnsafeRawBufferPointer(start: start, count: Int(status.st_size)), within: limit)
      console.output.write(try lists.binary())
    } catch {
      fail("\(error)")
    }
    exit(console.finish(.done).rawValue)
  }
  let failure = unsafe ArchiveReader.read(
    UnsafeRawBufferPointer(start: start, count: Int(status.st_size)), within: limit
  ) { found throws(ArchiveFailure) in
    do {
      console.output.write(try found.part())
      console.output.flush()
    } catch {
      throw ArchiveFailure(description: "\(error)")
    }
  }
  if let failure { fail(failure.description + remedy(failure.excess)) }
  exit(console.finish(.done).rawValue)
}

run()
