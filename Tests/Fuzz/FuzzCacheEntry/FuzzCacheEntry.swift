import AppIcon
import FuzzInput

/// Reads an input as a cache entry, and once more with the digests that fit: nothing traps, and what
/// is read is written as it was.
@c(LLVMFuzzerTestOneInput)
public func fuzzCacheEntry(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  check(input)
  check(signed(input))
  return 0
}

private func check(_ input: [UInt8]) {
  do throws(CacheEntry.Damage) {
    let entry = try CacheEntry(parsing: input)
    claim(entry.bytes == input, "an entry is written as another")
    claim(entry.body.count <= CacheEntry.bodyLimit, "too much content")
    for now: Int64 in [.min / 2, 0, 1_700_000_000, .max / 2] {
      _ = entry.head.state(at: now)
      claim(entry.head.mayAsk(at: now) || entry.head.failure != nil, "may not ask, without failure")
    }
  } catch {
    claim(!error.reason.isEmpty, "damage has no words")
  }
}

/// The lines before the first empty one as an entry's head and the rest as its content, with the
/// lengths and digests that no mutation would find.
private func signed(_ input: [UInt8]) -> [UInt8] {
  let newline = UInt8(ascii: "\n")
  let empty = input.indices.dropLast().first { input[$0] == newline && input[$0 + 1] == newline }
  let end = empty.map { $0 + 1 } ?? input.count
  let lines = input[..<end].split(separator: newline).filter {
    !$0.starts(with: "body ".utf8) && !$0.starts(with: "head ".utf8)
  }
  let body = Array(input[end...].dropFirst())
  let last = "body \(body.count) \(SHA256Digest(of: body).hexadecimal)\n"
  let covered = lines.flatMap { $0 + [newline] } + Array(last.utf8)
  let digest = SHA256Digest(of: covered).hexadecimal
  return covered + Array("head \(digest)\n\n".utf8) + body
}
