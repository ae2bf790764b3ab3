import Glibc
import LinuxSystem
import TestSupport

@testable import AppIcon

/// A cache of a test's own, and entries to put there.
final class Cached {
  static let now: Int64 = 1_700_000_000

  let directory: TemporaryDirectory
  let cache: IconCache

  init() throws {
    directory = try TemporaryDirectory()
    cache = try Self.open(directory.root)
  }

  static func open(_ home: String) throws -> IconCache {
    guard let cache = try IconCache.open(in: FilePath(home), for: .writing) else {
      throw IconCacheError(FilePath(home), .noPlace)
    }
    return cache
  }

  /// The path of a URL's file, by the layout of the reference.
  func path(of url: ResolvedURL) -> String {
    let name = SHA256Digest(of: Array(url.text.utf8)).hexadecimal
    return directory.path("docsource/v1/http/\(name.prefix(2))/\(name)")
  }

  static func entry(
    _ url: String, _ body: [UInt8] = Array("body".utf8), fields: String = "",
    lifetime: Int64 = 600, stale: Int64 = 3600, final: String? = nil, pixels: Int? = nil
  ) throws -> CacheEntry {
    var freshness = Freshness(of: HTTPHeaderFields(), requested: now, received: now)
    freshness.freshUntil = now + lifetime
    freshness.usableUntil = now + lifetime + stale
    let head = try CacheHead(
      url: ResolvedURL(url), finalURL: ResolvedURL(final ?? url), status: 200,
      fields: HTTPHeaderFields(parsing: Array(fields.utf8)), freshness: freshness, stored: now,
      body: body, pixels: pixels.flatMap { PixelSize(width: $0, height: $0) })
    return CacheEntry(head: head, body: body)
  }

  static func setModified(_ path: String, _ seconds: Int64) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
    utimensat(AT_FDCWD, path, [time, time], 0)
  }

  static func modified(_ path: String) -> Int64 {
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : 0
  }

  static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }
}
