import FuzzInput
import Manifest

/// Reads an input as a manifest of either format: it is the same however it arrives, and what is
/// read is read again after it was written.
@c(LLVMFuzzerTestOneInput)
public func fuzzManifest(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let whole = ManifestReader.read(input, block: 1 << 16)
  claim(ManifestReader.read(input, block: 7) == whole, "blocks make a difference")
  claim(ManifestReader.readByPieces(input, block: 1000) == whole, "pieces make a difference")
  ManifestReader.checkRoundTrip(whole)
  return 0
}
