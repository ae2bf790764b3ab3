// Reads XML from standard input and writes what is in it as a binary property list to standard
// output: with `property-list` that of an XML property list, with `recently-used` the files of a
// list of bookmarks.
//
// `docsource` runs it, so that the tool itself links no XML library. Its second argument is the
// path for messages. Exit status: 0 done, 2 failed.

import BinaryPropertyList
import CommandLineInterface
import Glibc
import Provenance
import XBEL
import Xattr

let arguments = (1..<max(1, Int(CommandLine.argc))).map { index in
  unsafe CommandLine.unsafeArgv[index].map { unsafe FilePath(cString: $0) } ?? FilePath("")
}
let path = arguments.dropFirst().first ?? FilePath("-")
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())

let kind = arguments.first?.description
do {
  switch kind {
  case "property-list":
    let value = try XMLPropertyListReader.read(descriptor: STDIN_FILENO)
    console.output.write(try value.binary())
  case "recently-used":
    let bytes = try Descriptor.read(STDIN_FILENO, limit: .max) ?? []
    console.output.write(try BookmarkList.read(bytes).binary())
  default:
    console.say("docsource-xml is run by docsource, with property-list or recently-used")
    exit(console.finish(.usage).rawValue)
  }
  exit(console.finish(.done).rawValue)
} catch {
  let what = kind == "recently-used" ? "list of recently used files" : "XML property list"
  console.report(path.bytes, "cannot read \(what): \(error)")
  exit(console.finish(.failed).rawValue)
}
