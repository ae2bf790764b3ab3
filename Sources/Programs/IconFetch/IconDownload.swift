package import AppIcon
private import Glibc
package import LinuxSystem
internal import TextFormats

/// Brings an application's icon into the user's cache, scaled and cut as asked for.
///
/// The list of icons comes first, then the picture that suits; where that fails, the next, of
/// `IconChoice.candidateLimit` at most. Each is fetched by one process at a time, kept as long as
/// RFC 9111 allows, and asked for again only when it is stale. A picture is decoded by a
/// ``RenderingProcess``.
package struct IconDownload {
  let session: FetchSession
  let cache: IconCache
  let mode: FetchMode
  private let clock: () -> Int64
  /// Takes a failure that did not keep the icon from being found, and its consequence in words.
  package typealias Warn = (_ failure: Failure, _ consequence: String?) -> Void

  let warn: Warn
  private let renderer: RenderingProcess

  /// - Parameters:
  ///   - renderer: decodes and scales, apart from this process.
  ///   - clock: gives the seconds since 1970-01-01T00:00:00Z; the system's where there is none.
  package init(
    session: FetchSession, cache: IconCache, renderer: RenderingProcess, mode: FetchMode = .usual,
    clock: (() -> Int64)? = nil, warn: @escaping Warn = { _, _ in }
  ) {
    self.session = session
    self.cache = cache
    self.renderer = renderer
    self.mode = mode
    self.clock = clock ?? { Int64(time(nil)) }
    self.warn = warn
  }

  /// The time, in seconds since 1970-01-01T00:00:00Z.
  package var now: Int64 { clock() }

  /// Finds the icon that the list at a URL offers for a size, and renders it.
  ///
  /// Where the URL is a PNG's own, that is taken. All fetches together take `FetchLimits.total`.
  ///
  /// - Throws: ``Failure``: where several pictures fail, that of the best one, but rather one that
  ///   is more than the lack of a picture.
  package func icon(
    listedAt url: ResolvedURL, _ rendering: IconRendering
  ) throws(Failure) -> FetchedIcon {
    let icon = try made(listedAt: url, rendering)
    guard case .cached(let path) = icon else { return icon }
    // Whoever looks into the cache finds a picture only by its list, which a server may forbid to
    // keep.
    let list = try caching(url) { () throws(IconCacheError) in try cache.head(url) }
    return list?.hasContent == true ? icon : try unkept(path, of: url)
  }

  /// A finished icon that is in the cache where nobody finds it.
  private func unkept(_ path: FilePath, of url: ResolvedURL) throws(Failure) -> FetchedIcon {
    let bytes = try? Result { () throws(Errno) in
      let descriptor = try Descriptor.open(path)
      defer { close(descriptor) }
      return try Descriptor.read(descriptor, limit: RenderingProcess.outputLimit)
    }.get()
    guard let bytes else { throw Failure(url, .cleared) }
    return .unkept(bytes)
  }

  private func made(
    listedAt url: ResolvedURL, _ rendering: IconRendering
  ) throws(Failure) -> FetchedIcon {
    let deadline = Clock.now + .milliseconds(FetchLimits.json.total)
    let list = try resource(url, .list, until: deadline)
    if list.head.pixels != nil { return try render(list, rendering) }
    let info = try Result { () throws(AppInfo.Failure) in try AppInfo(json: list.body) }
      .mapError { Failure(url, .unreadable("\($0)")) }.get()
    var failures: [Failure] = []
    var smaller: CacheEntry?
    let pixels = rendering.size.pixels
    for candidate in IconChoice(info.icons, pixels: pixels).candidates {
      do throws(Failure) {
        let picture = try picture(candidate, of: list, until: deadline)
        // A picture smaller than declared is used only if no other is large enough.
        guard picture.side >= min(pixels, candidate.side) else {
          if picture.side > smaller?.side ?? 0 { smaller = picture }
          continue
        }
        return try render(picture, rendering)
      } catch {
        if !failures.isEmpty { warn(error, nil) }
        failures.append(error)
        if error.concernsAll { break }
      }
    }
    if let smaller { return try render(smaller, rendering) }
    throw failures.first { !$0.meansNone } ?? failures.first ?? Failure(url, .noIcon)
  }

  private func picture(
    _ icon: DeclaredIcon, of list: CacheEntry, until deadline: Duration
  ) throws(Failure) -> CacheEntry {
    let url = try Result { () throws(ResolvedURL.Refusal) in
      try ResolvedURL(icon.source, against: list.head.finalURL)
    }.mapError { Failure(list.head.url, .unresolved(icon.source, $0.reason)) }.get()
    let picture = try resource(url, .picture, until: deadline)
    guard picture.head.pixels != nil else {
      throw Failure(url, .unreadable("a list of icons, not a picture"))
    }
    return picture
  }

  private func render(
    _ picture: CacheEntry, _ rendering: IconRendering
  ) throws(Failure) -> FetchedIcon {
    let url = picture.head.url
    let key = RenderingKey(of: picture.head.bodyDigest, rendering)
    // A picture that must not be kept is not kept as a finished icon either; one of the same content
    // may be.
    let isKept = try caching(url) { () throws(IconCacheError) in
      try cache.head(url)?.bodyDigest == picture.head.bodyDigest
    }
    let known = try caching(url) { () throws(IconCacheError) in try cache.icon(key) }
    if let known { return isKept ? .cached(known) : try unkept(known, of: url) }
    let png: [UInt8]
    do throws(RenderingFailure) {
      png = try renderer.render(picture.body, rendering)
    } catch {
      guard case .refused(let words) = error else { throw Failure(url, .decoder(error)) }
      try remember(.undecodable, of: url)
      throw Failure(url, .unreadable(words))
    }
    let stored = try keeping(url, or: nil) { () throws(IconCacheError) -> FilePath? in
      isKept ? try cache.store(png, as: key) : nil
    }
    return stored.map { .cached($0) } ?? .unkept(png)
  }
}

extension CacheEntry {
  /// The shorter side of a picture in pixels, by its own header; 0 where the entry is no picture.
  fileprivate var side: Int { head.pixels?.side ?? 0 }
}

/// A finished icon.
package enum FetchedIcon: Hashable, Sendable {
  /// In the cache.
  case cached(FilePath)
  /// A PNG that is not kept: the server forbids it, or the cache cannot be written to.
  case unkept([UInt8])
}

extension IconDownload {
  /// Why there is no icon: the URL concerned, and the cause.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Cause: Error, Hashable, Sendable {
      case fetch(FetchFailure)
      /// It failed before, and it is too early to try again.
      case remembered(RememberedFailure, seconds: Int64)
      /// It is not cached, and the network is not to be asked.
      case offline
      /// The answer is no list of icons, or no picture, in words.
      case unreadable(String)
      /// The list is sound and has no icon that can be used.
      case noIcon
      /// The list's `src` leads to no URL.
      case unresolved(String, String)
      case cache(IconCacheError)
      /// The cache lost it while the server was asked whether it had changed.
      case cleared
      /// The picture is sound, but this machine could not decode it.
      case decoder(RenderingFailure)
    }

    package let url: ResolvedURL
    package let cause: Cause

    init(_ url: ResolvedURL, _ cause: Cause) {
      self.url = url
      self.cause = cause
    }

    /// Whether there is simply no icon, rather than a failure to get it.
    package var meansNone: Bool {
      switch cause {
      case .noIcon, .offline: true
      case .fetch(let failure): failure.kind == .status(404) || failure.kind == .status(410)
      case .remembered(let failure, _): failure.kind == .gone
      default: false
      }
    }

    /// Whether another picture would fail alike.
    var concernsAll: Bool {
      switch cause {
      case .cache, .decoder: true
      default: false
      }
    }

    /// The URL, escaped, and what went wrong with it. No option that would help is named: a front
    /// knows its own.
    package var description: String {
      let reason: String
      switch cause {
      case .fetch(let failure): return failure.description
      case .remembered(let failure, let seconds): reason = Self.words(for: failure, seconds)
      case .offline: reason = "not cached, and fetching is disabled"
      case .unreadable(let words): reason = EscapedText(words).description
      case .noIcon: reason = "no usable icon offered"
      case .unresolved(let source, let words):
        reason = "cannot fetch the icon '\(EscapedText(source))': \(EscapedText(words))"
      case .cache(let error):
        reason = "cannot use the cache \(EscapedText(error.path?.bytes ?? [])): \(error.reason)"
      case .cleared: reason = "removed from the cache in the meantime; try again"
      case .decoder(let failure): reason = EscapedText(failure.description).description
      }
      return "\(EscapedText(url.text)): \(reason)"
    }

    private static func words(for failure: RememberedFailure, _ seconds: Int64) -> String {
      let before =
        switch failure.kind {
        case .gone: "the server had nothing there"
        case .unreachable: "fetching failed"
        case .undecodable: "decoding failed"
        }
      return "\(before) last time; next attempt in \(seconds) s"
    }
  }
}
