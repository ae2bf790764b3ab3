import AppIcon
import Applications
import CommandLineInterface
import Glibc
import LinuxSystem
import Xattr

/// Finds icons, and has those fetched that the cache lacks.
struct IconFinder {
  let options: IconOptions
  let places: BaseDirectories
  let console: Console

  /// When a server is asked.
  enum Eagerness {
    /// Though the cache suffices.
    case always
    /// Where the cache lacks something, or has it for too long.
    case usual
    /// Where the cache lacks something.
    case missing
  }

  /// Looks in the cache, has what is missing fetched, each once, and looks again.
  ///
  /// - Parameter size: how large the icons are to be.
  func find(_ operands: [IconOperand], size: IconSize, asking: Eagerness) -> [IconFinding] {
    let resolver = IconResolver(places: places, now: Int64(time(nil)))
    var findings: [IconFinding] = []
    var requests: [IconFetching.Request] = []
    var waiting: [String: [Int]] = [:]
    for operand in operands {
      let resolution = resolver.resolve(
        request(operand, size), explaining: options.isExplaining)
      if let url = operand.appInfoURL, let mode = mode(resolution, url, asking) {
        if waiting[url] == nil { requests.append(IconFetching.Request(url: url, mode: mode)) }
        waiting[url, default: []].append(findings.count)
      }
      findings.append(IconFinding(operand: operand, resolution: resolution))
    }
    guard !requests.isEmpty else { return findings }
    let fetching = IconFetching(size: size, options: options, console: console)
    for (url, outcome) in fetching.run(requests) {
      for index in waiting[url] ?? [] { settle(&findings[index], outcome, size) }
    }
    return findings
  }

  private func request(_ operand: IconOperand, _ size: IconSize) -> IconRequest {
    IconRequest(
      identifier: operand.identifier, appInfoURL: operand.appInfoURL, size: size,
      shape: options.outline, hasStroke: options.hasStroke)
  }

  /// How the program that fetches and renders is to be run; `nil` where it is not needed.
  private func mode(
    _ resolution: IconResolution, _ url: String, _ asking: Eagerness
  ) -> IconFetching.Mode? {
    var mustRender = false
    switch resolution.answer {
    case .override: return nil
    case .rendering: mustRender = true
    default: break
    }
    if options.isOffline { return mustRender ? .offline : nil }
    switch asking {
    case .always: return (try? ResolvedURL(url)) != nil ? .refresh : nil
    case _ where resolution.wouldFetch != nil: return .usual
    case .usual: return mustRender || !resolution.stale.isEmpty ? .usual : nil
    case .missing: return mustRender ? .offline : nil
    }
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
