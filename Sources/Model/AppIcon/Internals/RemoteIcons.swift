internal import LinuxSystem

/// The cached ones of the icons that an appInfo.json offers.
struct RemoteIcons {
  /// A declared icon with its URL and the cache's head for that URL.
  private struct Candidate {
    let icon: DeclaredIcon
    let url: ResolvedURL
    let head: CacheHead?

    /// Whether the URL gave no picture, but another list.
    var isList: Bool { head.map { $0.hasContent && $0.pixels == nil } ?? false }

    func isUsable(at now: Int64) -> Bool {
      switch head?.state(at: now) {
      case .fresh, .stale: !isList
      default: false
      }
    }

    /// The picture's own size, or the declared one where the picture is not cached; in pixels.
    var side: Int { head?.pixels?.side ?? icon.side }
  }

  let places: BaseDirectories
  let now: Int64
  /// Whether a picture that has yet to be scaled and cut loses.
  var onlyRendered = false

  func find(_ request: IconRequest, _ report: inout LocalIcons.Report) {
    guard let text = request.appInfoURL else { return report.lose("", "no URL is known") }
    let url: ResolvedURL
    do throws(ResolvedURL.Refusal) {
      url = try ResolvedURL(text)
    } catch {
      return report.lose(text, error.reason)
    }
    do throws(IconCacheError) {
      guard let cache = try IconCache.open(in: places.cacheHome) else {
        report.wouldFetch = url
        return report.lose(url.text, "nothing is cached")
      }
      guard let list = try list(url, cache, &report) else { return }
      try choose(request, list, cache, &report)
    } catch {
      let path = error.path.map(\.description) ?? ""
      report.lose(url.text, "the cache \(path) cannot be used: \(error.reason)")
    }
  }

  /// The cached appInfo.json, with the head it came with.
  private func list(
    _ url: ResolvedURL, _ cache: IconCache, _ report: inout LocalIcons.Report
  ) throws(IconCacheError) -> (AppInfo, CacheHead)? {
    guard let entry = try cache.lookup(url) else {
      report.wouldFetch = url
      report.lose(url.text, "not cached")
      return nil
    }
    guard isUsable(entry.head, &report, subject: url) else { return nil }
    // The URL gave a picture instead of a list.
    if let pixels = entry.head.pixels { return (AppInfo(picture: url, pixels), entry.head) }
    let info: AppInfo
    do throws(AppInfo.Failure) {
      info = try AppInfo(json: entry.body)
    } catch {
      report.lose(url.text, error.description)
      return nil
    }
    for entry in info.skipped {
      report.lose("\(url.text), icon \(entry.position + 1)", entry.reason)
    }
    return (info, entry.head)
  }

  /// Whether an entry's content may be used; where not, says why and whether to ask the server.
  private func isUsable(
    _ head: CacheHead, _ report: inout LocalIcons.Report, subject url: ResolvedURL
  ) -> Bool {
    switch head.state(at: now) {
    case .fresh: return true
    case .stale:
      if head.mayAsk(at: now) { report.stale.append(url) }
      return true
    case .expired:
      report.wouldFetch = report.wouldFetch ?? url
      report.lose(url.text, "the cached copy is too old")
    case .retry(let failure):
      report.wouldFetch = report.wouldFetch ?? url
      report.lose(url.text, "\(failure.kind.rawValue) at the last attempt, may be tried again")
    case .failed(let failure):
      report.lose(
        url.text, "\(failure.kind.rawValue); next attempt in \(failure.retryAt - now) s"
      )
    }
    return false
  }

  /// Takes the best icon that is cached and large enough. Where there is none, the largest cached
  /// one serves, and the best of the first three that are not cached would be fetched.
  private func choose(
    _ request: IconRequest, _ list: (info: AppInfo, head: CacheHead), _ cache: IconCache,
    _ report: inout LocalIcons.Report
  ) throws(IconCacheError) {
    let choice = IconChoice(list.info.icons, pixels: request.rendering.size.pixels)
    if choice.ranked.isEmpty { report.lose(list.head.url.text, "the list offers no icon") }
    var candidates: [Candidate] = []
    var winner: Candidate?
    for icon in choice.ranked {
      guard winner == nil else {
        report.lose(icon.source, "\(choice.fitness(of: icon)); a cached icon fits better")
        continue
      }
      let url: ResolvedURL
      do throws(ResolvedURL.Refusal) {
        url = try ResolvedURL(icon.source, against: list.head.finalURL)
      } catch {
        report.lose(icon.source, error.reason)
        continue
      }
      let candidate = Candidate(icon: icon, url: url, head: try cache.head(url))
      if candidate.isUsable(at: now), candidate.side >= choice.pixels {
        winner = candidate
      } else {
        candidates.append(candidate)
      }
    }
    for icon in choice.repeated {
      report.lose(
        icon.source, "\(choice.fitness(of: icon)); the same file fits better as another size")
    }
    if winner == nil {
      winner = candidates.filter { $0.isUsable(at: now) }.max { $0.side < $1.side }
      considerFetching(candidates, insteadOf: winner, choice, &report)
    } else {
      for candidate in candidates {
        report.lose(
          candidate.url.text,
          "\(choice.fitness(of: candidate.icon)); a cached icon suffices without the network")
      }
    }
    if let winner, let head = winner.head {
      try take(winner, head, request, choice, cache, &report)
    }
  }

  private func considerFetching(
    _ candidates: [Candidate], insteadOf winner: Candidate?, _ choice: IconChoice,
    _ report: inout LocalIcons.Report
  ) {
    for (rank, candidate) in candidates.enumerated() where candidate.url != winner?.url {
      let fitness = choice.fitness(of: candidate.icon)
      if candidate.isUsable(at: now) {
        report.lose(candidate.url.text, "\(fitness); another cached icon is larger")
      } else if rank >= IconChoice.candidateLimit {
        let reason = "only the best \(IconChoice.candidateLimit) are fetched"
        report.lose(candidate.url.text, "\(fitness); not cached, and \(reason)")
      } else if candidate.isList {
        report.lose(candidate.url.text, "\(fitness); a list of icons, not a picture")
      } else if let head = candidate.head {
        _ = isUsable(head, &report, subject: candidate.url)
      } else if candidate.icon.side <= winner?.side ?? 0 {
        report.lose(candidate.url.text, "\(fitness); not cached, and a cached icon is as large")
      } else {
        report.wouldFetch = report.wouldFetch ?? candidate.url
        report.lose(candidate.url.text, "\(fitness); not cached")
      }
    }
  }

  private func take(
    _ winner: Candidate, _ head: CacheHead, _ request: IconRequest, _ choice: IconChoice,
    _ cache: IconCache, _ report: inout LocalIcons.Report
  ) throws(IconCacheError) {
    if head.state(at: now) == .stale, head.mayAsk(at: now) { report.stale.append(winner.url) }
    let path = try cache.icon(RenderingKey(of: head.bodyDigest, request.rendering))
    var reason = choice.fitness(of: winner.icon)
    if let real = head.pixels, (real.width, real.height) != (winner.icon.width, winner.icon.height)
    {
      reason += "; actual size \(real.width)x\(real.height)"
    }
    guard path != nil || !onlyRendered else {
      return report.lose(winner.url.text, reason + "; cached, but scaling and clipping failed")
    }
    report.side = winner.side
    let form =
      path == nil ? "cached, still to be scaled and clipped" : "cached in the requested form"
    report.win(
      path.map { .cached($0) } ?? .rendering(winner.url), winner.url.text, reason + "; " + form)
  }
}
