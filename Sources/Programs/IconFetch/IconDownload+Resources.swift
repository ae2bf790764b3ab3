internal import AppIcon
private import LinuxSystem

extension IconDownload {
  /// The kind of content that is fetched.
  enum ResourceKind {
    /// An appInfo.json, or a picture in its place.
    case list
    case picture

    var limits: FetchLimits { self == .list ? .json : .image }

    /// Checks the content of an answer. A list is sound where a picture is looked for, and the
    /// other way round: a list that names a URL as the wrong kind must not spoil it for others.
    ///
    /// - Returns: a picture's size in pixels; `nil` for a list.
    /// - Throws: ``Failure/Cause/unreadable(_:)``.
    func check(_ body: [UInt8]) throws(Failure.Cause) -> PixelSize? {
      do throws(PictureFailure) {
        let header = try PNGHeader(body)
        return PixelSize(width: header.width, height: header.height)
      } catch let noPicture {
        _ = try Result { () throws(AppInfo.Failure) in try AppInfo(json: body) }
          .mapError { Failure.Cause.unreadable(self == .picture ? "\(noPicture)" : "\($0)") }.get()
        return nil
      }
    }
  }

  /// The content of a URL, from the cache or the network; no other process fetches it meanwhile.
  func resource(
    _ url: ResolvedURL, _ kind: ResourceKind, until deadline: Duration
  ) throws(Failure) -> CacheEntry {
    if let settled = try settled(url).settled { return settled }
    guard let lock = try lock(url) else { return try lockedResource(url, kind, deadline) }
    let outcome = Result { () throws(Failure) in try lockedResource(url, kind, deadline) }
    lock.release()
    return try outcome.get()
  }

  /// The cached entry of a URL, and the same as `settled` where no server needs to be asked.
  ///
  /// - Throws: ``Failure`` where the server may not be asked, or not yet.
  private func settled(
    _ url: ResolvedURL
  ) throws(Failure) -> (known: CacheEntry?, settled: CacheEntry?) {
    let now = now
    let known = try caching(url) { () throws(IconCacheError) in try cache.lookup(url) }
    if mode == .offline {
      guard let known, known.head.hasContent else { throw Failure(url, .offline) }
      return (known, known)
    }
    guard mode != .refresh, let known else { return (known, nil) }
    switch known.head.state(at: now) {
    case .fresh: return (known, known)
    case .stale where mode == .missing || !known.head.mayAsk(at: now): return (known, known)
    case .failed(let failure):
      throw Failure(url, .remembered(failure, seconds: failure.retryAt - now))
    default: return (known, nil)
    }
  }

  /// The right to fetch a URL; `nil` if the cache is full or read-only, and so has no locks.
  private func lock(_ url: ResolvedURL) throws(Failure) -> CacheLock? {
    do throws(IconCacheError) {
      return try cache.lock(url)
    } catch {
      guard error.isUnwritable else { throw Failure(url, .cache(error)) }
      return nil
    }
  }

  private func lockedResource(
    _ url: ResolvedURL, _ kind: ResourceKind, _ deadline: Duration
  ) throws(Failure) -> CacheEntry {
    let now = now
    let (known, settled) = try settled(url)
    if let settled { return settled }
    var limits = kind.limits
    limits.total = min(limits.total, Int((deadline - Clock.now) / .milliseconds(1)))
    // A time-out counts against this server only if earlier ones left it a whole request's time.
    let isFair = limits.total >= limits.request
    let response: FetchResponse
    do throws(FetchFailure) {
      response = try session.fetch(
        FetchRequest(url.text, limits: limits, validators: known.flatMap(validators)))
    } catch {
      return try recover(from: error, with: known, of: url, now, isFair: isFair)
    }
    return try keep(response, of: url, kind, instead: known, requested: now)
  }

  private func validators(of known: CacheEntry) -> FetchValidators? {
    let head = known.head
    guard head.hasContent, head.entityTag != nil || head.lastModified != nil else { return nil }
    return FetchValidators(
      url: head.finalURL.text, entityTag: head.entityTag, lastModified: head.lastModified)
  }

  private func keep(
    _ response: FetchResponse, of url: ResolvedURL, _ kind: ResourceKind,
    instead known: CacheEntry?, requested: Int64
  ) throws(Failure) -> CacheEntry {
    let received = now
    // The entry of the first URL stays fresh no longer than every redirect on the way allows.
    let freshness = response.redirects.reduce(
      Freshness(of: response.fields, requested: requested, received: received)
    ) { freshness, redirect in
      freshness.limited(
        to: Freshness(
          ofRedirect: redirect.fields, status: redirect.status, requested: requested,
          received: received))
    }
    if response.status == 304 {
      let updated = try keeping(url, or: known) { () throws(IconCacheError) in
        try cache.update(url, notModified: response.fields, freshness: freshness, now: received)
      }
      // The content was cached when the request was made, under the same lock; a user may clear it.
      guard let updated else { throw Failure(url, .cleared) }
      return updated
    }
    let pixels: PixelSize?
    do throws(Failure.Cause) {
      pixels = try kind.check(response.body)
    } catch {
      try remember(.undecodable, of: url)
      throw Failure(url, error)
    }
    // The URL is libcurl's own, which it has just fetched, so it is sound.
    let finalURL = (try? ResolvedURL(response.url)) ?? url
    let entry = CacheEntry(
      head: CacheHead(
        url: url, finalURL: finalURL, status: response.status, fields: response.fields,
        freshness: freshness, stored: received, body: response.body, pixels: pixels),
      body: response.body)
    try keeping(url, or: ()) { () throws(IconCacheError) in
      if freshness.isStorable { try cache.store(entry) } else { try cache.remove(url) }
    }
    return entry
  }

  /// Remembers a failure, and falls back on the cached entry where the server was not reached.
  private func recover(
    from failure: FetchFailure, with known: CacheEntry?, of url: ResolvedURL, _ now: Int64,
    isFair: Bool
  ) throws(Failure) -> CacheEntry {
    let failed = Failure(url, .fetch(failure))
    guard let kind = RememberedFailure.Kind(failure.kind) else { throw failed }
    if isFair || failure.kind != .timedOut { try remember(kind, of: url) }
    guard kind == .unreachable, let known, known.head.hasContent,
      known.head.state(at: now) != .expired
    else { throw failed }
    warn(failed, "using the cached copy")
    return known
  }

  func remember(_ kind: RememberedFailure.Kind, of url: ResolvedURL) throws(Failure) {
    try keeping(url, or: ()) { () throws(IconCacheError) in
      _ = try cache.store(kind, of: url, now: now)
    }
  }

  /// Does a step that stores something. An icon is found even where the cache is full or read-only.
  func keeping<Value>(
    _ url: ResolvedURL, or other: Value, _ body: () throws(IconCacheError) -> Value
  ) throws(Failure) -> Value {
    do throws(IconCacheError) {
      return try body()
    } catch {
      let failure = Failure(url, .cache(error))
      guard error.isUnwritable else { throw failure }
      warn(failure, "nothing is cached")
      return other
    }
  }

  func caching<Value>(
    _ url: ResolvedURL, _ body: () throws(IconCacheError) -> Value
  ) throws(Failure) -> Value {
    try Result(catching: body).mapError { Failure(url, .cache($0)) }.get()
  }
}

extension IconCacheError {
  /// Whether the cache can be read, but has no room or grants no right to write.
  fileprivate var isUnwritable: Bool {
    guard case .errno(let errno) = cause else { return false }
    return [.readOnlyFileSystem, .permissionDenied, .notPermitted, .noSpace, .quotaExceeded]
      .contains(errno)
  }
}

extension RememberedFailure.Kind {
  /// How a fetch's failure is remembered; `nil` for a refusal by our own policy, which may change
  /// and costs nothing to ask again.
  init?(_ failure: FetchFailure.Kind) {
    switch failure {
    case .refused, .unusable: return nil
    case .status(404), .status(410): self = .gone
    case .bodyTooLarge, .headerTooLarge, .malformed, .encoded: self = .undecodable
    case .unknownHost, .noConnection, .insecure, .timedOut, .tooSlow, .truncated,
      .tooManyRedirects, .status:
      self = .unreachable
    }
  }
}
