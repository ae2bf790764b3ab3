import Archive
import ForeignFormats
import FuzzInput
import Xattr

/// Reads an input as a zip or tar: only user attributes are found, within the limits, and all of it
/// reaches the tool.
@c(LLVMFuzzerTestOneInput)
public func fuzzArchive(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe UnsafeRawBufferPointer(start: start, count: count)
  let (found, failure) = unsafe ArchiveReader.read(input)
  claim(failure.map { !$0.description.isEmpty } ?? true, "a failure has no words")
  claim(found.files.count + found.flaws.count <= ArchiveReader.fileLimit, "too much is found")
  for attribute in found.files.flatMap(\.attributes) {
    claim(attribute.name.bytes.starts(with: "user.".utf8), "\(attribute.name) is taken")
    claim(attribute.value.count <= ForeignAttributes.valueLimit, "\(attribute.name) is too long")
  }
  found.claimRoundTrip()
  return 0
}
