import AppIcon
import CommandLineInterface
import Glibc
import Xattr

/// Finds icons, and has those fetched that the cache lacks.
struct IconFinder {
  let options: IconOptions
  let places: IconPlaces
  let console: Console

  /// Looks in the cache, has what is missing fetched, each once, and looks again.
  ///
  /// - Parameters:
  ///   - size: how large the icons are to be.
  ///   - refreshing: whether servers are asked though the cache suffices.
  func find(_ operands: [IconOperand], size: IconSize, refreshing: Bool) -> [IconFinding] {
    let resolver = IconResolver(places: places, now: Int64(time(nil)))
    var findings: [IconFinding] = []
    var urls: [String] = []
    var waiting: [String: [Int]] = [:]
    for operand in operands {
      let resolution = resolver.resolve(
        request(operand, size), explaining: options.isExplaining)
      if let url = operand.appInfoURL, mustRun(resolution, url, refreshing) {
        if waiting[url] == nil { urls.append(url) }
        waiting[url, default: []].append(findings.count)
      }
      findings.append(IconFinding(operand: operand, resolution: resolution))
    }
    guard !urls.isEmpty else { return findings }
    let fetching = IconFetching(
      size: size, options: options, isRefreshing: refreshing, console: console)
    let outcomes = fetching.run(urls)
    for (url, outcome) in outcomes {
      for index in waiting[url] ?? [] { settle(&findings[index], outcome, size) }
    }
    return findings
  }

  private func request(_ operand: IconOperand, _ size: IconSize) -> IconRequest {
    IconRequest(
      identifier: operand.identifier, appInfoURL: operand.appInfoURL, size: size,
      shape: options.outline, hasStroke: options.hasStroke)
  }

  /// Whether the program that fetches and renders is needed.
  private func mustRun(_ resolution: IconResolution, _ url: String, _ refreshing: Bool) -> Bool {
    switch resolution.answer {
    case .override: return false
    case .rendering: return true
    default: break
    }
    guard !options.isOffline else { return false }
    if refreshing { return (try? ResolvedURL(url)) != nil }
    return resolution.wouldFetch != nil || !resolution.stale.isEmpty
  }

  private func settle(
    _ finding: inout IconFinding, _ outcome: IconFetching.Outcome, _ size: IconSize
  ) {
    switch outcome {
    case .picture(let png): finding.picture = png
    case .cached, .none: break
    case .failed: finding.hasFailed = true
    }
    let resolver = IconResolver(places: places, now: Int64(time(nil)))
    finding.resolution = resolver.resolve(
      request(finding.operand, size), explaining: options.isExplaining, onlyRendered: true)
  }
}
