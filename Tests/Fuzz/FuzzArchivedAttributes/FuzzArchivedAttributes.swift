import BinaryPropertyList
import ForeignFormats
import FuzzInput
import Xattr

/// Reads an input as what the program that reads archives tells: only user attributes are taken,
/// and what is read is the same when it is written and read again.
@c(LLVMFuzzerTestOneInput)
public func fuzzArchivedAttributes(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(DecodingFailure) {
    guard let found = try ArchivedAttributes(binary: input) else { return 0 }
    for attribute in found.files.flatMap(\.attributes) {
      claim(attribute.name.bytes.starts(with: "user.".utf8), "\(attribute.name) is taken")
    }
    found.claimRoundTrip()
  } catch {
    claim(0...count ~= error.offset, "\(error) is outside")
  }
  return 0
}
