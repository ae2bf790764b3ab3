import BinaryPropertyList
import FuzzInput

/// Writes what an input holds: it is read to an equal value, and always written the same.
@c(LLVMFuzzerTestOneInput)
public func fuzzRoundTrip(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
  var options = DecodingOptions(chosenBy: input)
  // What is shared is written at each of its places, so that by default 300 bytes become a million
  // values, which take the sanitizers seconds and show nothing that ten thousand do not.
  options.expansionLimit = min(options.expansionLimit, 10_000)
  guard let value = try? PropertyList(binary: input, options: options) else { return 0 }
  do {
    let written = try value.binary()
    let read = try PropertyList(binary: written)
    claim(read == value, "another value is read than was written")
    claim(try read.binary() == written, "equal values are written as other bytes")
    claim(read.hashValue == value.hashValue, "equal values have other hashes")

    let sorted = EncodingOptions(keyOrder: .sorted)
    let canonical = try value.binary(options: sorted)
    let ordered = try PropertyList(binary: canonical)
    claim(try ordered.binary() == canonical, "keys are not in order")
    claim(try ordered.binary(options: sorted) == canonical, "sorting again changes the bytes")
  } catch {
    fatalError("what was read cannot be written or read again: \(error)")
  }
  return 0
}
