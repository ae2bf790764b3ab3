// Reads XML from standard input and writes what is in it as a binary property list to standard
// output: with `property-list` that of an XML property list, with `recently-used` the files of a
// list of bookmarks. With `property-lists` it reads one after the other until standard input ends,
// as `XMLProtocol` says. With `metainfo` the input is a binary property list of files of
// AppStream's metainfo, and the output has what each of them describes.
//
// `docsource` runs it, so that the tool itself links no XML library. Its second argument is the
// path for messages. Exit status: 0 done, 2 failed.

import BinaryPropertyList
import CommandLineInterface
import CompanionProtocol
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

/// Reads values of attributes as they come. Its processor time, that of some thousand values, is for
/// all of them; docsource starts another then.
func converse() throws {
  try DecodingSandbox.enter()
  var decoder = MessageDecoder(limit: XMLProtocol.messageLimit)
  while let message = try decoder.receive(from: STDIN_FILENO) {
    let binary = try? XMLPropertyListReader.read(XMLProtocol.list(message) ?? []).binary()
    try Descriptor.write(XMLProtocol.message(binary).bytes, to: STDOUT_FILENO)
  }
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
  case "property-list":
    console.output.write(try XMLPropertyListReader.read(readDocument()).binary())
  case XMLProtocol.verb: try converse()
  case "recently-used":
    console.output.write(try BookmarkList.read(readDocument()).binary())
  case "metainfo": console.output.write(try readMetainfo())
  default:
    console.say(
      "docsource-xml is run by docsource, with property-list, property-lists, recently-used or"
        + " metainfo")
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
