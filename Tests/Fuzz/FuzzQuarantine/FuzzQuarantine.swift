import ForeignFormats
import FuzzInput

/// Reads an input as a quarantine: what is read has no NUL, and a NUL after the value changes nothing.
@c(LLVMFuzzerTestOneInput)
public func fuzzQuarantine(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(MarkFailure) {
    let quarantine = try Quarantine(input)
    for text in [quarantine.agent, quarantine.identifier] {
      claim(text.map { !$0.isEmpty && !$0.utf8.contains(0) } ?? true, "a field is empty or has NUL")
    }
    claim(quarantine.seconds.map { $0 > 0 } ?? true, "the time is none")
    if input.last != 0, count < Quarantine.limit {
      claim(try Quarantine(input + [0]) == quarantine, "a NUL after the value changes it")
    }
  } catch {
    claim(0...count ~= error.offset, "\(error) is outside")
  }
  return 0
}
