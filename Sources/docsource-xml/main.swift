// Reads an XML property list from standard input and writes it as a binary one to standard output.
//
// `docsource plist encode` runs it, so that the tool itself links no XML library. Its one argument
// is the path for messages. Exit status: 0 done, 2 failed.

import BinaryPropertyList
import CommandLineInterface
import Glibc

let path = CommandLine.argc > 1 ? unsafe CommandLine.unsafeArgv[1] : nil
let shown = unsafe path.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())

do {
  let value = try XMLPropertyListReader.read(descriptor: STDIN_FILENO)
  console.output.write(try value.binary())
  exit(console.finish(.done).rawValue)
} catch {
  console.report((shown ?? Array("-".utf8))[...], "cannot read XML property list: \(error)")
  exit(console.finish(.failed).rawValue)
}
