import AppIcon
import Glibc
import LinuxSystem

// Visits a cache as a process of its own. Usage:
//   CacheVisitor fetch HOME LOG   gets one URL as a fetcher does; each fetch adds a byte to LOG
//   CacheVisitor churn HOME       stores, looks up and prunes until it is killed
//   CacheVisitor icon HOME URL PNG  keeps a list of icons and the largest finished at 64 points

/// A response of so many bytes, whose content tells of itself whether it is whole.
func response(_ url: ResolvedURL, _ count: Int) -> CacheEntry {
  response(url, [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count))
}

/// A response that is always fresh.
func response(_ url: ResolvedURL, _ body: [UInt8], side: Int? = nil) -> CacheEntry {
  var freshness = Freshness(of: HTTPHeaderFields(), requested: 0, received: 0)
  freshness.freshUntil = 1 << 40
  freshness.usableUntil = 1 << 40
  let head = CacheHead(
    url: url, finalURL: url, status: 200, fields: HTTPHeaderFields(), freshness: freshness,
    stored: 0, body: body, pixels: side.flatMap { PixelSize(width: $0, height: $0) })
  return CacheEntry(head: head, body: body)
}

/// Keeps what a fetch of an icon for `docsource icon` keeps.
func keepIcon(listedAt list: ResolvedURL, _ png: [UInt8], _ cache: IconCache) throws {
  let entries = [29, 58, 87].map {
    "{\"width\": \($0), \"height\": \($0), \"src\": \"icon-\($0).png\"}"
  }
  let json = "{\"icons\": [" + entries.joined(separator: ", ") + "]}"
  try cache.store(response(list, Array(json.utf8)))
  let picture = response(try ResolvedURL("icon-87.png", against: list), png, side: 87)
  try cache.store(picture)
  guard let size = IconSize(points: 64) else { return }
  let rendering = IconRendering(size: size)
  _ = try cache.store(png, as: RenderingKey(of: picture.head.bodyDigest, rendering))
}

/// Whether the URL's content is there, after getting it where it was not.
func fetch(_ url: ResolvedURL, _ cache: IconCache, log: String) throws -> Bool {
  if try cache.lookup(url) != nil { return true }
  let lock = try cache.lock(url)
  if try cache.lookup(url) != nil {
    lock.release()
    return true
  }
  let file = unsafe open(log, O_WRONLY | O_APPEND)
  unsafe write(file, "x", 1)
  close(file)
  usleep(30_000)
  try cache.store(response(url, 5000))
  lock.release()
  return false
}

let arguments = CommandLine.arguments
guard arguments.count >= 3,
  let cache = try IconCache.open(in: FilePath(arguments[2]), for: .writing)
else { exit(64) }
if arguments[1] == "fetch" {
  let url = try ResolvedURL("https://a.example/appInfo.json")
  for _ in 0..<4 { _ = try fetch(url, cache, log: arguments[3]) }
  exit(try cache.lookup(url) == response(url, 5000) ? 0 : 1)
}
if arguments[1] == "icon" {
  let file = unsafe open(arguments[4], O_RDONLY)
  guard let png = try Descriptor.read(file, limit: 1 << 20) else { exit(1) }
  try keepIcon(listedAt: ResolvedURL(arguments[3]), png, cache)
  exit(0)
}
while true {
  let number = Int.random(in: 0..<40)
  let url = try ResolvedURL("https://a.example/\(number)")
  let entry = response(url, number * 999)
  try cache.store(entry)
  if let found = try cache.lookup(url), found != entry { exit(1) }
  if number == 0 { try cache.prune(now: Int64(time(nil)), entries: 20) }
}
