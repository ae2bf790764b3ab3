// Reads XML from standard input and writes what is in it as a binary property list to standard
// output: with `recently-used` the files of a list of bookmarks. With `metainfo` the input is a binary
// property list of files of AppStream's metainfo, and the output has what each of them describes.
//
// `docsource` runs it, so that the tool itself links no XML library. Its second argument is the
// path for messages. Exit status: 0 done, 2 failed.

import CommandLineInterface
import ForeignFormats
import Glibc
import LinuxSystem
import XMLFormats

let arguments = CommandLine.bytes
let path = arguments.dropFirst().first.flatMap(FilePath.init(bytes:)) ?? FilePath("-")
let console = Console(
  tool: "docsource", output: .standardOutput(), errors: .standardError())

/// Reads one document, which gets memory and time by its size: up to some hundred MiB are read.
func readDocument() throws -> [UInt8] {
  // The shortest element makes a value and an object of some ten bytes each, in arrays that grow.
  let memoryPerByte: UInt64 = 24
  // A release takes a tenth of this for a MiB.
  let secondsPerMiB: UInt64 = 2
  var status = stat()
  let isFile = unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  let size = isFile ? UInt64(status.st_size) : 0
  try DecodingSandbox.enter(
    memory: DecodingSandbox.memory + memoryPerByte * size,
    seconds: DecodingSandbox.seconds + secondsPerMiB * (size >> 20),
    fileSize: DecodingSandbox.fileSize + 2 * size)
  return try Descriptor.read(STDIN_FILENO, limit: .max) ?? []
}

/// Reads many untrusted files, for root.
func readMetainfo() throws -> [UInt8] {
  let limit = MetainfoFiles.totalLimit * 2
  try DecodingSandbox.enter(fileSize: UInt64(limit))
  let bytes = try Descriptor.read(STDIN_FILENO, limit: limit) ?? []
  let files = try MetainfoFiles(binary: bytes)?.contents ?? []
  return try ApplicationDescription.binary(files.map(ComponentFile.read))
}

let kind = String(decoding: arguments.first ?? [], as: UTF8.self)
do {
  switch kind {
  case "recently-used":
    console.output.write(try BookmarkList.read(readDocument()).binary())
  case "metainfo": console.output.write(try readMetainfo())
  default:
    console.say("docsource-xml is run by docsource, with recently-used or metainfo")
    exit(console.finish(.usage).rawValue)
  }
  exit(console.finish(.done).rawValue)
} catch {
  let what =
    switch kind {
    case "recently-used": "list of recently used files"
    default: "AppStream metainfo"
    }
  console.report(path.bytes, "cannot read \(what): \(error)")
  exit(console.finish(.failed).rawValue)
}
