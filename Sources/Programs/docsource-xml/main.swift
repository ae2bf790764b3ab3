// Reads XML from standard input and writes what is in it as a binary property list to standard
// output: with `property-list` that of an XML property list, with `recently-used` the files of a
// list of bookmarks. With `metainfo` the input is a binary property list of files of AppStream's
// metainfo, and the output has what each of them describes.
//
// `docsource` runs it, so that the tool itself links no XML library. Its second argument is the
// path for messages. Exit status: 0 done, 2 failed.

import BinaryPropertyList
import CommandLineInterface
import ForeignFormats
import Glibc
import LinuxSystem
import XMLFormats

let arguments = (1..<max(1, Int(CommandLine.argc))).map { index in
  unsafe CommandLine.unsafeArgv[index].map { unsafe FilePath(cString: $0) } ?? FilePath("")
}
let path = arguments.dropFirst().first ?? FilePath("-")
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())

/// Reads many files of many strangers, for root: it keeps no rights that they could take over.
func readMetainfo() throws -> [UInt8] {
  try DecodingSandbox.leaveRoot()
  let limit = MetainfoFiles.totalLimit * 2
  try DecodingSandbox.enter(fileSize: UInt64(limit))
  let bytes = try Descriptor.read(STDIN_FILENO, limit: limit) ?? []
  let files = try MetainfoFiles(binary: bytes)?.contents ?? []
  return try ApplicationDescription.binary(files.map(ComponentFile.read))
}

let kind = arguments.first?.description
do {
  switch kind {
  case "property-list":
    let bytes = try Descriptor.read(STDIN_FILENO, limit: .max) ?? []
    let value = try XMLPropertyListReader.read(bytes)
    console.output.write(try value.binary())
  case "recently-used":
    let bytes = try Descriptor.read(STDIN_FILENO, limit: .max) ?? []
    console.output.write(try BookmarkList.read(bytes).binary())
  case "metainfo": console.output.write(try readMetainfo())
  default:
    console.say(
      "docsource-xml is run by docsource, with property-list, recently-used or metainfo")
    exit(console.finish(.usage).rawValue)
  }
  exit(console.finish(.done).rawValue)
} catch {
  let what =
    switch kind {
    case "recently-used": "list of recently used files"
    case "metainfo": "AppStream metainfo"
    default: "XML property list"
    }
  console.report(path.bytes, "cannot read \(what): \(error)")
  exit(console.finish(.failed).rawValue)
}
