import FuzzInput
import PropertyListText

/// Reads an input as a property list in XML: what is read is read again after it was written.
@c(LLVMFuzzerTestOneInput)
public func fuzzXMLPropertyList(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let value = try? XMLPropertyListReader.read(input) else { return 0 }
  value.claimRoundTrip { value, sink in
    try XMLPropertyListWriter.write(value, to: sink)
  } reading: {
    try XMLPropertyListReader.read($0)
  }
  return 0
}
