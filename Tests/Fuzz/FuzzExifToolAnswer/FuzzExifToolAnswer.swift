import CompanionProtocol
import EmbeddedMetadata
import ForeignFormats
import FuzzInput

/// Reads an input as what exiftool prints of a file: what is read has bounds, and survives its way to
/// docsource.
@c(LLVMFuzzerTestOneInput)
public func fuzzExifToolAnswer(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let origin = try? ExifToolAnswer.origin(input) else { return 0 }
  claim(
    origin.program != nil || origin.device != nil || !origin.history.isEmpty,
    "an origin says nothing")
  claim(origin.history.count <= 32, "a history is too long")
  let steps = origin.history.flatMap { [$0.program, $0.action, $0.time] }
  // Two texts make a name with its version, or a device.
  for text in [origin.tag, origin.program?.words, origin.device] + steps {
    guard let text else { continue }
    claim(!text.isEmpty, "a text is empty")
    claim(text.unicodeScalars.count <= 401, "a text is too long")
    claim(!text.utf8.contains(0), "a text has a NUL")
    claim(!text.contains { $0.isNewline }, "a text has several lines")
  }
  for program in origin.programs {
    claim(!program.name.isEmpty, "a program has no name")
    claim(program.version?.isEmpty != true, "a version is empty")
  }
  claim(
    origin.history.allSatisfy { $0.program != nil || $0.action != nil }, "a step says nothing")
  let message = ContentProtocol.Answer.origin(origin).message
  let messages = try? CompanionMessage.all(in: message.bytes)
  claim(
    messages?.count == 1 && messages?.first.flatMap(ContentProtocol.Answer.init) == .origin(origin),
    "something is lost on the way")
  return 0
}
