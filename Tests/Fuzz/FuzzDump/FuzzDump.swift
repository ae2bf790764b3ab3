import FuzzInput
import Manifest

/// Reads an input as the name and value in a dump of getfattr: what is read is read again after it
/// was written.
@c(LLVMFuzzerTestOneInput)
public func fuzzDump(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let parts = input.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
  let dump =
    Array("# file: ".utf8) + parts[0] + Array("\nuser.x-document-source=".utf8)
    + (parts.count > 1 ? Array(parts[1]) : []) + [0x0a]
  let pieces = ManifestReader.read(dump, block: 1 << 16)
  claim(!pieces.isEmpty, "the attribute is not read")
  claim(ManifestReader.readByPieces(dump, block: 1000) == pieces, "pieces make a difference")
  ManifestReader.checkRoundTrip(pieces)
  return 0
}
