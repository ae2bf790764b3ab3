public import AppIcon
private import Glibc
internal import LinuxSystem

/// Brings an application's icon into the user's cache, finished as it is asked for.
///
/// The list of icons comes first, then the picture that suits; where that fails, the next, of
/// `IconChoice.candidateLimit` at most. Each is fetched by one process at a time, kept as long as
/// RFC 9111 allows, and asked for again only when it is stale. A picture is decoded by a
/// ``RenderingProcess``.
public struct IconFetcher {
  let session: FetchSession
  let cache: IconCache
  let mode: FetchMode
  private let clock: () -> Int64
  /// Takes what is worth telling though an icon may be found.
  let warn: (String) -> Void
  private let renderer: RenderingProcess

  /// - Parameters:
  ///   - renderer: decodes and scales, apart from this process.
  ///   - clock: gives the seconds since 1970-01-01T00:00:00Z; the system's where there is none.
  ///   - warn: takes failures that did not keep the icon from being found.
  public init(
    session: FetchSession, cache: IconCache, renderer: RenderingProcess, mode: FetchMode = .usual,
    clock: (() -> Int64)? = nil,
    warn: @escaping (String) -> Void = { _ in }
  ) {
    self.session = session
    self.cache = cache
    self.renderer = renderer
    self.mode = mode
    self.clock = clock ?? { Int64(time(nil)) }
    self.warn = warn
  }

  /// The time, in seconds since 1970-01-01T00:00:00Z.
  public var now: Int64 { clock() }

  /// Finds the icon that the list at a URL offers for a size, and renders it.
  ///
  /// Where the URL is a PNG's own, that is taken. All fetches together take `FetchLimits.total`.
  ///
  /// - Throws: ``IconFetchFailure``: where several pictures fail, the best one's that is more than
  ///   the lack of a picture.
  public func icon(
    listedAt url: ResolvedURL, _ rendering: PictureRendering
  ) throws(IconFetchFailure) -> FetchedIcon {
    let deadline = ContinuousClock.now + .milliseconds(FetchLimits.json.total)
    let list = try resource(url, .list, until: deadline)
    if list.head.pixels != nil { return try render(list, rendering) }
    let info: AppInfo
    do throws(AppInfo.Failure) {
      info = try AppInfo(json: list.body)
    } catch {
      throw IconFetchFailure(url, .unreadable("\(error)"))
    }
    var failures: [IconFetchFailure] = []
    var smaller: CacheEntry?
    let pixels = rendering.size.pixels
    for candidate in IconChoice(info.icons, pixels: pixels).candidates {
      do throws(IconFetchFailure) {
        let picture = try picture(candidate, of: list, until: deadline)
        // One that is smaller than it was said to be has to do where no other does.
        guard picture.side >= min(pixels, candidate.side) else {
          if picture.side > smaller?.side ?? 0 { smaller = picture }
          continue
        }
        return try render(picture, rendering)
      } catch {
        if !failures.isEmpty { warn("\(error)") }
        failures.append(error)
        if error.concernsAll { break }
      }
    }
    if let smaller { return try render(smaller, rendering) }
    throw failures.first { !$0.meansNone } ?? failures.first ?? IconFetchFailure(url, .noIcon)
  }

  private func picture(
    _ icon: DeclaredIcon, of list: CacheEntry, until deadline: ContinuousClock.Instant
  ) throws(IconFetchFailure) -> CacheEntry {
    let url: ResolvedURL
    do throws(ResolvedURL.Refusal) {
      url = try ResolvedURL(icon.source, against: list.head.finalURL)
    } catch {
      throw IconFetchFailure(list.head.url, .unresolved(icon.source, error.reason))
    }
    let picture = try resource(url, .picture, until: deadline)
    guard picture.head.pixels != nil else {
      throw IconFetchFailure(url, .unreadable("it is a list of icons, not a picture"))
    }
    return picture
  }

  private func render(
    _ picture: CacheEntry, _ rendering: PictureRendering
  ) throws(IconFetchFailure) -> FetchedIcon {
    let url = picture.head.url
    let key = RenderingKey(
      body: picture.head.bodyDigest, size: rendering.size, shape: rendering.shape,
      hasStroke: rendering.stroke)
    let known = try caching(url) { () throws(IconCacheError) in try cache.icon(key) }
    if let known { return .cached(known) }
    let png: [UInt8]
    do throws(RenderingFailure) {
      png = try renderer.render(picture.body, rendering)
    } catch {
      guard case .refused(let words) = error else { throw IconFetchFailure(url, .decoder(error)) }
      try remember(.undecodable, of: url)
      throw IconFetchFailure(url, .unreadable(words))
    }
    let stored = try keeping(url, or: nil) { () throws(IconCacheError) -> FilePath? in
      // What must not be kept is not kept in another form either.
      let kept = try cache.head(url)
      return kept?.bodyDigest == picture.head.bodyDigest ? try cache.store(png, as: key) : nil
    }
    return stored.map { .cached($0) } ?? .unkept(png)
  }
}

extension CacheEntry {
  /// The shorter side of a picture in pixels, by its own header; 0 where it is none.
  fileprivate var side: Int { head.pixels?.side ?? 0 }
}
