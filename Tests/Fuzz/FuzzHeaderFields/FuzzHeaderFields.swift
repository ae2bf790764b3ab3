import AppIcon
import FuzzInput
import TextFormats

/// Reads an input as a header block and works out its freshness: nothing traps, times are in order.
@c(LLVMFuzzerTestOneInput)
public func fuzzHeaderFields(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(HTTPHeaderFields.Excess) {
    check(try HTTPHeaderFields(parsing: input))
  } catch {
    claim(count > HTTPHeaderFields.countLimit, "\(count) bytes are said to be too many")
  }
  return 0
}

private func check(_ fields: HTTPHeaderFields) {
  claim(fields.fields.count <= HTTPHeaderFields.countLimit, "too many fields")
  for field in fields.fields {
    claim(!field.name.isEmpty && field.name == field.name.lowercased(), "a name of \(field.name)")
    claim(
      !field.value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }, "a control character")
    _ = HTTPDate.seconds(of: field.value, now: 1_700_000_000)
  }
  claim(fields.status.map { 100...999 ~= $0 } ?? true, "a status of its own kind")
  let now: Int64 = 1_700_000_000
  let freshness = Freshness(of: fields, requested: now - 1, received: now)
  claim(freshness.freshUntil >= now, "fresh until before now")
  claim(freshness.usableUntil >= freshness.freshUntil, "usable until before it is stale")
  let longest: Int64 = 400_000 * 365 * 86400
  claim(freshness.usableUntil < now + longest, "usable for ever")
  store(fields, freshness, now)
}

/// Whatever fields an answer has, its entry is read as it was written.
private func store(_ fields: HTTPHeaderFields, _ freshness: Freshness, _ now: Int64) {
  guard let url = try? ResolvedURL("https://example.com/") else { fatalError("a URL is none") }
  let head = CacheHead(
    url: url, finalURL: url, status: 200, fields: fields, freshness: freshness, stored: now,
    body: [1, 2, 3])
  let entry = CacheEntry(head: head, body: [1, 2, 3])
  do throws(CacheEntry.Damage) {
    claim(try CacheEntry(parsing: entry.bytes) == entry, "an entry is read as another")
  } catch {
    fatalError("an entry is not read: \(error.reason)")
  }
}
