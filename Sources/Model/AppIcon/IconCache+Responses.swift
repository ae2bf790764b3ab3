internal import Glibc
internal import LinuxSystem

extension IconCache {
  /// The entry of a URL, checked to the last byte; `nil` if there is none. Marks it as used.
  ///
  /// - Throws: `IconCacheError` where a directory of the cache is not ours alone.
  package func lookup(_ url: ResolvedURL) throws(IconCacheError) -> CacheEntry? {
    try read(url, limit: CacheEntry.headLimit + CacheEntry.bodyLimit) {
      (bytes, size) throws(CacheEntry.Damage) in
      guard bytes.count == size else { throw CacheEntry.Damage(reason: "the entry is too long") }
      let entry = try CacheEntry(parsing: bytes)
      return (entry, entry.head)
    }
  }

  /// The head of a URL's entry; of the content only the length is checked. `nil` if there is no
  /// entry. Marks it as used.
  ///
  /// - Throws: `IconCacheError` where a directory of the cache is not ours alone.
  package func head(_ url: ResolvedURL) throws(IconCacheError) -> CacheHead? {
    try read(url, limit: CacheEntry.headLimit) { (bytes, size) throws(CacheEntry.Damage) in
      let (head, length) = try CacheHeadText.read(bytes)
      guard length + head.bodyLength == size else {
        throw CacheEntry.Damage(reason: "the entry is truncated")
      }
      return (head, head)
    }
  }

  /// Reads the beginning of an entry. One that is damaged, or of another URL, is removed.
  private func read<Content>(
    _ url: ResolvedURL, limit: Int,
    _ parse: ([UInt8], Int) throws(CacheEntry.Damage) -> (Content, CacheHead)
  ) throws(IconCacheError) -> Content? {
    guard let (directory, name) = try place(of: url, .reading),
      let (file, status) = directory.file(name)
    else { return nil }
    defer { close(file) }
    do throws(CacheEntry.Damage) {
      let size = Int(status.st_size)
      guard size <= CacheEntry.headLimit + CacheEntry.bodyLimit else {
        throw CacheEntry.Damage(reason: "the entry is too long")
      }
      let (content, head) = try parse(Self.beginning(of: file, count: min(size, limit)), size)
      guard head.url == url else {
        throw CacheEntry.Damage(reason: "the entry belongs to another URL")
      }
      directory.touch(file, status)
      return content
    } catch {
      directory.remove(name)
      return nil
    }
  }

  private static func beginning(of file: CInt, count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        let got = unsafe Glibc.read(file, rest.baseAddress, rest.count)
        if got > 0 { filled += got } else if got == 0 || errno != EINTR { break }
      }
    }
  }

  /// Stores an answer in place of the URL's present entry.
  ///
  /// - Throws: `IconCacheError`, also where the content is longer than 2 MiB.
  package func store(_ entry: CacheEntry) throws(IconCacheError) {
    guard entry.body.count <= CacheEntry.bodyLimit else { throw IconCacheError(path, .tooLarge) }
    guard let (directory, name) = try place(of: entry.head.url, .writing) else { return }
    try directory.replace(name, with: entry.bytes)
  }

  /// Applies a 304 to the stored answer, which becomes as fresh as if it had come now.
  ///
  /// - Returns: the updated entry; `nil` if there is none with content.
  package func update(
    _ url: ResolvedURL, notModified fields: HTTPHeaderFields, freshness: Freshness, now: Int64
  ) throws(IconCacheError) -> CacheEntry? {
    guard var entry = try lookup(url), entry.head.hasContent else { return nil }
    let saysNothing = fields.values("cache-control").isEmpty && fields.values("expires").isEmpty
    let forbidsStale = entry.head.usableUntil == entry.head.freshUntil
    entry.head.setValidators(fields)
    entry.head.stored = now
    // RFC 9111, section 3.2: what a 304 leaves out stays in force, here a ban on stale use.
    entry.head.freshUntil = saysNothing && forbidsStale ? now : freshness.freshUntil
    entry.head.usableUntil = saysNothing && forbidsStale ? now : freshness.usableUntil
    entry.head.failure = nil
    if freshness.isStorable { try store(entry) } else { try remove(url) }
    return entry
  }

  /// Remembers that a URL could not be had.
  ///
  /// Usable content stays where the server was not reached; it goes where the server has nothing
  /// any more, or something that cannot be decoded.
  ///
  /// - Parameter status: the HTTP status; 0 where there was no answer.
  /// - Returns: the remembered failure, with the time of the next attempt.
  @discardableResult
  package func store(
    _ kind: RememberedFailure.Kind, of url: ResolvedURL, status: Int = 0, now: Int64
  ) throws(IconCacheError) -> RememberedFailure {
    let previous = try lookup(url)
    let failure = RememberedFailure(kind, after: previous?.head.failure, now: now)
    if kind == .unreachable, var kept = previous, kept.head.hasContent,
      kept.head.state(at: now) != .expired
    {
      kept.head.failure = failure
      try store(kept)
    } else {
      // A status of success would promise content.
      let status = (200...299).contains(status) ? 0 : status
      let head = CacheHead(url: url, status: status, failure: failure, stored: now)
      try store(CacheEntry(head: head, body: []))
    }
    return failure
  }

  /// Forgets a URL.
  package func remove(_ url: ResolvedURL) throws(IconCacheError) {
    guard let (directory, name) = try place(of: url, .reading) else { return }
    directory.remove(name)
  }
}
