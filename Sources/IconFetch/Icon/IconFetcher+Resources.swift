internal import AppIcon

extension IconFetcher {
  /// What is fetched.
  enum ResourceKind {
    /// An appInfo.json, or a picture in its place.
    case list
    case picture

    var limits: FetchLimits { self == .list ? .json : .image }

    /// Checks what came.
    ///
    /// - Returns: a picture's size in pixels.
    /// - Throws: ``IconFetchFailure/Cause/unreadable(_:)``.
    func check(_ body: [UInt8]) throws(IconFetchFailure.Cause) -> PixelSize? {
      do throws(PictureFailure) {
        let header = try PNGHeader(body)
        return PixelSize(width: header.width, height: header.height)
      } catch {
        if self == .picture { throw .unreadable("\(error)") }
      }
      do throws(AppInfo.Failure) {
        _ = try AppInfo(json: body)
        return nil
      } catch {
        throw .unreadable("\(error)")
      }
    }
  }

  /// What is at a URL, from the cache or the network, while no other process fetches it.
  func resource(
    _ url: ResolvedURL, _ kind: ResourceKind
  ) throws(IconFetchFailure) -> CacheEntry {
    let lock = try caching(url) { () throws(IconCacheError) in try cache.lock(url) }
    let outcome = Result { () throws(IconFetchFailure) in try lockedResource(url, kind) }
    lock.release()
    return try outcome.get()
  }

  private func lockedResource(
    _ url: ResolvedURL, _ kind: ResourceKind
  ) throws(IconFetchFailure) -> CacheEntry {
    let now = now
    let known = try caching(url) { () throws(IconCacheError) in try cache.lookup(url) }
    if mode == .offline {
      guard let known, known.head.hasContent else { throw IconFetchFailure(url, .offline) }
      return known
    }
    if mode == .usual, let known {
      switch known.head.state(at: now) {
      case .fresh: return known
      case .stale where !known.head.mayAsk(at: now): return known
      case .failed(let failure):
        throw IconFetchFailure(url, .remembered(failure, seconds: failure.retryAt - now))
      default: break
      }
    }
    let response: FetchResponse
    do throws(FetchFailure) {
      response = try session.fetch(
        FetchRequest(url.text, limits: kind.limits, validators: known.flatMap(validators)))
    } catch {
      return try recover(from: error, with: known, of: url, now)
    }
    return try keep(response, of: url, kind, requested: now)
  }

  private func validators(of known: CacheEntry) -> FetchValidators? {
    let head = known.head
    guard head.hasContent, head.entityTag != nil || head.lastModified != nil else { return nil }
    return FetchValidators(
      url: head.finalURL.text, entityTag: head.entityTag, lastModified: head.lastModified)
  }

  private func keep(
    _ response: FetchResponse, of url: ResolvedURL, _ kind: ResourceKind, requested: Int64
  ) throws(IconFetchFailure) -> CacheEntry {
    let received = now
    let freshness = Freshness(of: response.fields, requested: requested, received: received)
    if response.status == 304 {
      let updated = try caching(url) { () throws(IconCacheError) in
        try cache.update(url, notModified: response.fields, freshness: freshness, now: received)
      }
      // Its content was there when it was asked about, under the same lock; a user may clear it.
      guard let updated else { throw IconFetchFailure(url, .cleared) }
      return updated
    }
    let pixels: PixelSize?
    do throws(IconFetchFailure.Cause) {
      pixels = try kind.check(response.body)
    } catch {
      try remember(.undecodable, of: url)
      throw IconFetchFailure(url, error)
    }
    // libcurl's own URL, which it has just fetched.
    let finalURL = (try? ResolvedURL(response.url)) ?? url
    let entry = CacheEntry(
      head: CacheHead(
        url: url, finalURL: finalURL, status: response.status, fields: response.fields,
        freshness: freshness, stored: received, body: response.body, pixels: pixels),
      body: response.body)
    try caching(url) { () throws(IconCacheError) in
      if freshness.isStorable { try cache.store(entry) } else { try cache.remove(url) }
    }
    return entry
  }

  /// Remembers a failure, and falls back on what is cached where the server was not reached.
  private func recover(
    from failure: FetchFailure, with known: CacheEntry?, of url: ResolvedURL, _ now: Int64
  ) throws(IconFetchFailure) -> CacheEntry {
    guard let kind = RememberedFailure.Kind(failure.kind) else {
      throw IconFetchFailure(url, .fetch(failure))
    }
    try remember(kind, of: url)
    guard kind == .unreachable, let known, known.head.hasContent,
      known.head.state(at: now) != .expired
    else { throw IconFetchFailure(url, .fetch(failure)) }
    warn("\(failure); what is cached is used")
    return known
  }

  func remember(_ kind: RememberedFailure.Kind, of url: ResolvedURL) throws(IconFetchFailure) {
    try caching(url) { () throws(IconCacheError) in
      _ = try cache.store(kind, of: url, now: now)
    }
  }

  func caching<Value: ~Copyable>(
    _ url: ResolvedURL, _ body: () throws(IconCacheError) -> Value
  ) throws(IconFetchFailure) -> Value {
    do throws(IconCacheError) {
      return try body()
    } catch {
      throw IconFetchFailure(url, .cache(error))
    }
  }
}
