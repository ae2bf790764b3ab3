import FuzzInput
import JSONPropertyList

/// Reads an input as a property list in JSON: what is read is read again after it was written.
@c(LLVMFuzzerTestOneInput)
public func fuzzJSONPropertyList(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let value = try? JSONPropertyListReader.read(input) else { return 0 }
  value.claimRoundTrip { value, sink in
    try JSONPropertyListWriter.write(value, to: sink)
  } reading: {
    try JSONPropertyListReader.read($0)
  }
  return 0
}
