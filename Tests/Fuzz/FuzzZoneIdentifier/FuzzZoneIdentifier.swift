import ForeignFormats
import FuzzInput

/// Reads an input as a Zone.Identifier: something is known where it is not refused, and what can be
/// written as UTF-16 is read from there the same.
@c(LLVMFuzzerTestOneInput)
public func fuzzZoneIdentifier(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(MarkFailure) {
    let zone = try ZoneIdentifier(input)
    claim(zone != ZoneIdentifier(), "nothing is known")
    let isWide = [[0xff, 0xfe], [0xfe, 0xff], [0x5b, 0], [0, 0x5b]].contains(Array(input.prefix(2)))
    guard !isWide, let text = String(validating: input, as: UTF8.self), count * 2 < 60_000 else {
      return 0
    }
    // The mark at the beginning is one in both, another one is a character.
    let units = Array(text.utf16.dropFirst(text.utf16.first == 0xfeff ? 1 : 0))
    var wide: [UInt8] = [0xff, 0xfe]
    for unit in units { wide += [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    claim(try ZoneIdentifier(wide) == zone, "it is another in UTF-16")
  } catch {
    claim(0...(count * 2 + 2) ~= error.offset, "\(error) is outside")
  }
  return 0
}
