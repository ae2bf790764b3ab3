import BinaryPropertyList
import FuzzInput
import PropertyListText
import XMLFormats

/// Reads an input as a property list in XML: what is read is read again after it was written.
@c(LLVMFuzzerTestOneInput)
public func fuzzXMLPropertyList(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let value = try? XMLPropertyListReader.read(input) else { return 0 }
  // Compared by their encodings: a NaN is no value's equal.
  guard let encoded = try? value.binary() else { return 0 }
  var text: [UInt8] = []
  do throws(WritingFailure) {
    try XMLPropertyListWriter.write(value) { text += $0.utf8 }
  } catch {
    claim(false, "it cannot be written: \(error)")
  }
  let again = try? XMLPropertyListReader.read(text)
  claim(again.flatMap { try? $0.binary() } == encoded, "something is lost on the way")
  return 0
}
