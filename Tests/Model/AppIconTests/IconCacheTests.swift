import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import AppIcon

@Suite struct IconCacheTests {
  private let now = Cached.now
  private let png: [UInt8] =
    Array("\u{89}PNG".utf8) + [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]

  private func url(_ text: String) throws -> ResolvedURL { try ResolvedURL(text) }

  private func key(_ text: String, points: Double = 29, scale: Double = 2) throws -> RenderingKey {
    let size = try #require(IconSize(points: points, scale: scale))
    return RenderingKey(of: SHA256Digest(of: Array(text.utf8)), IconRendering(size: size))
  }

  /// In a process of its own, all of which has the mask.
  @Test func layoutIsThatOfTheReferenceAndPrivate() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      try IconCacheTests().checkLayout()
    }
  }

  private func checkLayout() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png")
    try cached.cache.store(entry)
    let icon = try cached.cache.store(png, as: key("body"))
    let file = cached.path(of: entry.head.url)
    #expect(
      try cached.directory.text("docsource/v1/CACHEDIR.TAG").hasPrefix(
        "Signature: 8a477f597d28d172789f06886806bc55\n"))
    for path in ["docsource", "docsource/v1", "docsource/v1/http", "docsource/v1/icons"] {
      #expect(Cached.mode(cached.directory.path(path)) == 0o700, "\(path)")
    }
    #expect(Cached.mode(String(file.dropLast(65))) == 0o700)
    for path in [file, "\(icon)", cached.directory.path("docsource/v1/CACHEDIR.TAG")] {
      #expect(Cached.mode(path) == 0o600, "\(path)")
    }
  }

  @Test func whatIsStoredIsFoundAgain() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png", pixels: 58)
    #expect(try cached.cache.lookup(entry.head.url) == nil)
    #expect(try cached.cache.head(entry.head.url) == nil)
    try cached.cache.store(entry)
    #expect(try cached.cache.lookup(entry.head.url) == entry)
    #expect(try cached.cache.head(entry.head.url) == entry.head)
    #expect(try cached.cache.lookup(url("https://a.example/j.png")) == nil)
    let reader = try #require(try IconCache.open(in: FilePath(cached.directory.root)))
    #expect(try reader.lookup(entry.head.url) == entry)
    try cached.cache.remove(entry.head.url)
    #expect(try reader.lookup(entry.head.url) == nil)
  }

  @Test func readingMakesNothing() throws {
    let directory = try TemporaryDirectory()
    #expect(try IconCache.open(in: FilePath(directory.root)) == nil)
    #expect(try IconCache.open(in: FilePath(directory.path("none"))) == nil)
    #expect(access(directory.path("docsource"), F_OK) != 0)
    #expect(throws: IconCacheError(nil, .noPlace)) { try IconCache.open(in: nil) }
  }

  @Test func missingHomeOfCachesIsMade() throws {
    let directory = try TemporaryDirectory()
    _ = try Cached.open(directory.path("cache"))
    #expect(Cached.mode(directory.path("cache")) == 0o700)
  }

  @Test func entryCutAtAnyLengthIsAMissAndRemoved() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png")
    try cached.cache.store(entry)
    let path = cached.path(of: entry.head.url)
    let relative = String(path.dropFirst(cached.directory.root.count + 1))
    for length in entry.bytes.indices {
      for whole in [true, false] {
        try cached.directory.write(Array(entry.bytes.prefix(length)), to: relative)
        if whole {
          try #require(try cached.cache.lookup(entry.head.url) == nil, "\(length)")
        } else {
          try #require(try cached.cache.head(entry.head.url) == nil, "\(length)")
        }
        try #require(access(path, F_OK) != 0, "\(length)")
      }
    }
  }

  @Test func entryOfAnotherURLOrTooLongIsAMissAndRemoved() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png")
    let other = try url("https://a.example/j.png")
    try cached.cache.store(try Cached.entry(other.text))
    let path = cached.path(of: other)
    let relative = String(path.dropFirst(cached.directory.root.count + 1))
    try cached.directory.write(entry.bytes, to: relative)
    #expect(try cached.cache.lookup(other) == nil)
    #expect(access(path, F_OK) != 0)
    try cached.directory.write([UInt8](repeating: 0, count: 3 << 20), to: relative)
    #expect(try cached.cache.lookup(other) == nil)
    #expect(access(path, F_OK) != 0)
  }

  @Test func linkOrPipeInPlaceOfAnEntryIsAMiss() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png")
    try cached.cache.store(entry)
    let path = cached.path(of: entry.head.url)
    rename(path, path + "x")
    symlink(path + "x", path)
    #expect(try cached.cache.lookup(entry.head.url) == nil)
    unlink(path)
    mkfifo(path, 0o600)
    #expect(try cached.cache.lookup(entry.head.url) == nil)
    unlink(path)
    rename(path + "x", path)
    #expect(try cached.cache.lookup(entry.head.url) == entry)
  }

  @Test(arguments: ["docsource", "docsource/v1", "docsource/v1/http"])
  func linkInPlaceOfADirectoryIsRefused(_ name: String) throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png")
    try cached.cache.store(entry)
    let path = cached.directory.path(name)
    rename(path, path + "-moved")
    symlink(path + "-moved", path)
    #expect(throws: IconCacheError(FilePath(path), .notDirectory)) {
      let cache = try Cached.open(cached.directory.root)
      _ = try cache.lookup(entry.head.url)
    }
  }

  @Test func directoryOthersMayWriteToIsRefused() throws {
    let cached = try Cached()
    let path = cached.directory.path("docsource/v1")
    chmod(path, 0o770)
    #expect(throws: IconCacheError(FilePath(path), .notPrivate)) {
      try Cached.open(cached.directory.root)
    }
    chmod(path, 0o755)
    _ = try Cached.open(cached.directory.root)
    #expect(Cached.mode(path) == 0o700)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func directoryOfAnotherUserIsRefused() throws {
    let cached = try Cached()
    let path = cached.directory.path("docsource")
    chown(path, 65534, 65534)
    #expect(throws: IconCacheError(FilePath(path), .notOurs)) {
      try IconCache.open(in: FilePath(cached.directory.root))
    }
  }

  @Test func contentThatIsTooLargeIsRefusedAndTheLargestKept() throws {
    let cached = try Cached()
    let most = [UInt8](repeating: 7, count: 2 << 20)
    let entry = try Cached.entry("https://a.example/i.png", most)
    try cached.cache.store(entry)
    #expect(try cached.cache.lookup(entry.head.url) == entry)
    let larger = try Cached.entry("https://a.example/i.png", most + [7])
    #expect(throws: IconCacheError(cached.cache.path, .tooLarge)) {
      try cached.cache.store(larger)
    }
  }

  @Test func notModifiedMakesAnEntryFreshAgain() throws {
    let cached = try Cached()
    var entry = try Cached.entry(
      "https://a.example/i.png", fields: "ETag: \"1\"\nLast-Modified: then\n", pixels: 9)
    entry.head.failure = RememberedFailure(.unreachable, now: now)
    try cached.cache.store(entry)
    let fields = try HTTPHeaderFields(
      parsing: Array("ETag: \"2\"\nCache-Control: max-age=50\n".utf8))
    let freshness = Freshness(of: fields, requested: now + 900, received: now + 900)
    let updated = try #require(
      try cached.cache.update(
        entry.head.url, notModified: fields, freshness: freshness, now: now + 900))
    #expect(try cached.cache.lookup(entry.head.url) == updated)
    #expect(updated.body == entry.body)
    #expect(updated.head.pixels == entry.head.pixels)
    #expect(updated.head.entityTag == "\"2\"")
    #expect(updated.head.lastModified == "then")
    #expect(updated.head.failure == nil)
    #expect(updated.head.stored == now + 900)
    #expect(updated.head.freshUntil == now + 950)
    #expect(updated.head.usableUntil == now + 950 + 30 * 86400)
    let none = try url("https://a.example/none")
    #expect(
      try cached.cache.update(none, notModified: fields, freshness: freshness, now: now) == nil)
  }

  @Test(arguments: [
    ("no-cache", "", 0), ("max-age=5, must-revalidate", "", 0), ("max-age=5", "", 8640),
    ("no-cache", "Cache-Control: max-age=9\n", 9), ("no-cache", "Expires: 0\n", 0),
  ])
  func whatANotModifiedLeavesUnsaidHoldsOn(_ value: String, _ said: String, _ lifetime: Int64)
    throws
  {
    let cached = try Cached()
    let first = try HTTPHeaderFields(parsing: Array("Cache-Control: \(value)\n".utf8))
    let freshness = Freshness(of: first, requested: now, received: now)
    let url = try url("https://a.example/i.png")
    try cached.cache.store(
      CacheEntry(
        head: CacheHead(
          url: url, finalURL: url, status: 200, fields: first, freshness: freshness, stored: now,
          body: []),
        body: []))
    // A day before 1700000000.
    let modified = "Last-Modified: Mon, 13 Nov 2023 22:13:20 GMT\n"
    let fields = try HTTPHeaderFields(parsing: Array((modified + said).utf8))
    let updated = try cached.cache.update(
      url, notModified: fields, freshness: Freshness(of: fields, requested: now, received: now),
      now: now)
    #expect(updated?.head.freshUntil == now + lifetime)
    let mayBeStale = !said.isEmpty || value == "max-age=5"
    #expect(updated?.head.usableUntil == now + lifetime + (mayBeStale ? 30 * 86400 : 0))
  }

  @Test func failureIsRememberedWithItsRetry() throws {
    let cached = try Cached()
    let url = try url("https://a.example/i.png")
    for hours: Int64 in [1, 2, 4, 8, 16, 24, 24] {
      let failure = try cached.cache.store(.unreachable, of: url, now: now)
      #expect(failure.retryAt == now + hours * 3600)
      let head = try #require(try cached.cache.head(url))
      #expect(head.hasContent == false)
      #expect(head.state(at: now) == .failed(failure))
      #expect(head.state(at: failure.retryAt) == .retry(failure))
      #expect(head.mayAsk(at: now) == false)
    }
    try cached.cache.store(.gone, of: url, status: 404, now: now)
    #expect(try cached.cache.head(url)?.status == 404)
    #expect(try cached.cache.head(url)?.failure?.retryAt == now + 86400)
    try cached.cache.store(.undecodable, of: url, status: 200, now: now)
    #expect(try cached.cache.head(url)?.status == 0)
    #expect(try cached.cache.head(url)?.failure?.retryAt == now + 7 * 86400)
  }

  @Test func contentOutlastsAServerThatIsNotReached() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/i.png", lifetime: 600, stale: 3600)
    try cached.cache.store(entry)
    let failure = try cached.cache.store(.unreachable, of: entry.head.url, now: now + 700)
    let kept = try #require(try cached.cache.lookup(entry.head.url))
    #expect(kept.body == entry.body)
    #expect(kept.head.failure == failure)
    #expect(kept.head.state(at: now + 700) == .stale)
    #expect(kept.head.mayAsk(at: now + 700) == false)
    #expect(kept.head.mayAsk(at: now + 4300))
    try cached.cache.store(.unreachable, of: entry.head.url, now: now + 4200)
    #expect(try cached.cache.lookup(entry.head.url)?.body == [])
    try cached.cache.store(entry)
    try cached.cache.store(.gone, of: entry.head.url, status: 410, now: now + 1)
    #expect(try cached.cache.lookup(entry.head.url)?.body == [])
  }

  @Test func finishedIconIsFoundUnderAllItDependsOn() throws {
    let cached = try Cached()
    let key = try key("body")
    #expect(try cached.cache.icon(key) == nil)
    let path = try cached.cache.store(png, as: key)
    #expect(try cached.cache.icon(key) == path)
    #expect(
      "\(path)"
        == cached.directory.path("docsource/v1/icons/\(key.digest.hexadecimal).png"))
    #expect(try cached.cache.icon(self.key("other")) == nil)
    #expect(try cached.cache.icon(self.key("body", points: 58, scale: 1)) == nil)
    let (size, body) = (key.rendering.size, key.body)
    for other in [
      RenderingKey(of: body, IconRendering(size: size, shape: .superellipse, hasStroke: true)),
      RenderingKey(of: body, IconRendering(size: size, shape: .continuous, hasStroke: false)),
      RenderingKey(of: body, IconRendering(size: size, shape: .none, hasStroke: true)),
    ] { #expect(try cached.cache.icon(other) == nil) }
    #expect(
      RenderingKey(of: body, IconRendering(size: size, shape: .none, hasStroke: true))
        == RenderingKey(of: body, IconRendering(size: size, shape: .none, hasStroke: false)))
  }

  @Test func finishedIconCutAtAnyLengthIsAMissAndRemoved() throws {
    let cached = try Cached()
    let key = try key("body")
    for length in png.indices {
      let path = try cached.cache.store(Array(png.prefix(length)), as: key)
      try #require(try cached.cache.icon(key) == nil)
      try #require(access("\(path)", F_OK) != 0)
    }
  }

  @Test func statisticsCountWhatThereIs() throws {
    let cached = try Cached()
    #expect(try cached.cache.statistics() == CacheStatistics())
    var bytes: Int64 = 0
    for number in 0..<20 {
      let entry = try Cached.entry("https://a.example/\(number)")
      try cached.cache.store(entry)
      bytes += Int64(entry.bytes.count)
    }
    _ = try cached.cache.store(png, as: key("a"))
    try cached.directory.file("docsource/v1/icons/.docsource-1-2", "half")
    let statistics = try cached.cache.statistics()
    #expect(
      (statistics.responses, statistics.icons, statistics.temporaryFiles) == (20, 1, 1))
    #expect(statistics.entries == 21)
    #expect(statistics.bytes == bytes + Int64(png.count) + 4)
  }

  @Test func leastRecentlyUsedIsPrunedFirst() throws {
    let cached = try Cached()
    let urls = try (0..<10).map { try url("https://a.example/\($0)") }
    for (age, url) in urls.enumerated() {
      try cached.cache.store(try Cached.entry(url.text))
      Cached.setModified(cached.path(of: url), 1000 + Int64(age))
    }
    func left() -> [Int] { urls.indices.filter { access(cached.path(of: urls[$0]), F_OK) == 0 } }
    _ = try cached.cache.lookup(urls[0])
    _ = try cached.cache.head(urls[1])
    let removed = try cached.cache.prune(now: now, entries: 4)
    #expect(removed.responses == 6)
    #expect(left() == [0, 1, 8, 9])
    let size = Int64(try Cached.entry(urls[0].text).bytes.count)
    #expect(try cached.cache.prune(now: now, bytes: 2 * size + 1).responses == 2)
    #expect(left() == [0, 1])
    #expect(try cached.cache.prune(now: now) == CacheStatistics())
  }

  @Test func boundsHoldForIconsAndAnswersTogether() throws {
    let cached = try Cached()
    let icon = try cached.cache.store(png, as: key("a"))
    Cached.setModified("\(icon)", 1000)
    let entry = try Cached.entry("https://a.example/")
    try cached.cache.store(entry)
    let removed = try cached.cache.prune(now: now, entries: 1)
    #expect((removed.icons, removed.responses) == (1, 0))
    let used = try cached.cache.store(png, as: key("b"))
    Cached.setModified("\(used)", 1000)
    Cached.setModified(cached.path(of: entry.head.url), 2000)
    #expect(try cached.cache.icon(key("b")) == used)
    #expect(try cached.cache.prune(now: now, entries: 1).responses == 1)
    #expect(try cached.cache.icon(key("b")) == used)
  }

  @Test func useWithinTheHourIsNotWrittenDown() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/")
    try cached.cache.store(entry)
    let path = cached.path(of: entry.head.url)
    let recent = Int64(time(nil)) - 3000
    Cached.setModified(path, recent)
    _ = try cached.cache.lookup(entry.head.url)
    #expect(Cached.modified(path) == recent)
    Cached.setModified(path, recent - 1000)
    _ = try cached.cache.lookup(entry.head.url)
    #expect(Cached.modified(path) >= recent + 3000)
  }

  @Test func temporaryFilesOfEndedProcessesAreRemoved() throws {
    let cached = try Cached()
    try cached.cache.store(try Cached.entry("https://a.example/"))
    _ = try cached.cache.store(png, as: key("a"))
    for (name, age) in [(".docsource-1-01d", Int64(301)), (".docsource-1-4e3", 300)] {
      let path = try cached.directory.file("docsource/v1/icons/\(name)")
      Cached.setModified(path, now - age)
    }
    let removed = try cached.cache.prune(now: now)
    #expect((removed.temporaryFiles, removed.bytes, removed.entries) == (1, 8, 0))
    #expect(access(cached.directory.path("docsource/v1/icons/.docsource-1-4e3"), F_OK) == 0)
  }

  @Test func clearingLeavesAnEmptyCache() throws {
    let cached = try Cached()
    let entry = try Cached.entry("https://a.example/")
    try cached.cache.store(entry)
    _ = try cached.cache.store(png, as: key("a"))
    let lock = try cached.cache.lock(entry.head.url)
    let removed = try cached.cache.clear()
    lock.release()
    #expect((removed.responses, removed.icons) == (1, 1))
    #expect(try cached.cache.statistics() == CacheStatistics())
    #expect(access(cached.directory.path("docsource/v1/CACHEDIR.TAG"), F_OK) == 0)
  }

  @Test func lockIsHeldByOneAtATime() throws {
    let cached = try Cached()
    let url = try url("https://a.example/")
    let lock = try cached.cache.lock(url)
    let stripe = (SHA256Digest(of: Array(url.text.utf8)).bytes.first ?? 0) % 64
    let path = FilePath("\(cached.cache.path)/locks/\(stripe)")
    #expect(throws: IconCacheError(path, .busy)) {
      _ = try cached.cache.lock(url, patience: .milliseconds(20))
    }
    lock.release()
    // A process that another test is starting has the descriptor until its exec.
    _ = try cached.cache.lock(url, patience: .seconds(2))
  }

  @Test func lockEndsWithTheProcessThatHeldIt() throws {
    let cached = try Cached()
    let url = try url("https://a.example/")
    _ = try cached.cache.lock(url)
    let stripe = (SHA256Digest(of: Array(url.text.utf8)).bytes.first ?? 0) % 64
    let file = cached.directory.path("docsource/v1/locks/\(stripe)")
    let holder = try RunningProcess(
      ["flock", "--no-fork", file, "sleep", "60"].map { Array($0.utf8) })
    var isHeld = false
    for _ in 0..<200 where !isHeld {
      usleep(10_000)
      isHeld = (try? cached.cache.lock(url, patience: .zero)) == nil
    }
    #expect(isHeld)
    holder.kill(SIGKILL)
    _ = holder.wait()
    _ = try cached.cache.lock(url, patience: .seconds(2))
  }
}
