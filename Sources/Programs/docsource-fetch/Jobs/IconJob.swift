import AppIcon
import Applications
import CommandLineInterface
import Glibc
import IconFetch
import LinuxSystem
import TextFormats

/// Brings an icon into the user's cache: `icon URL POINTS SCALE SHAPE stroke|no-stroke [OPTION...]`.
///
/// Where the server forbids keeping it, or the cache cannot be written to, the finished PNG goes to
/// standard output instead. Options:
/// `--refresh`, `--offline`, and `--trusted`, which fetches from hosts on the user's list alone.
struct IconJob {
  private let url: String
  private let rendering: PictureRendering
  private let mode: FetchMode
  private let needsTrust: Bool

  /// - Returns: `nil` for a command line that makes no sense.
  init?(_ arguments: ArraySlice<String>) {
    let (options, words) = arguments.reduce(into: ([String](), [String]())) { parts, argument in
      if argument.hasPrefix("--") { parts.0.append(argument) } else { parts.1.append(argument) }
    }
    guard words.count == 5, let rendering = PictureRendering(arguments: Array(words.dropFirst())),
      options.allSatisfy(["--refresh", "--offline", "--trusted"].contains)
    else { return nil }
    url = words[0]
    self.rendering = rendering
    mode =
      options.contains("--offline")
      ? .offline : options.contains("--refresh") ? .refresh : .usual
    needsTrust = options.contains("--trusted")
  }

  func run(_ console: Console) -> ExitStatus {
    do {
      let places = BaseDirectories.current()
      let url = try ResolvedURL(url)
      guard let cache = try IconCache.open(in: places.cacheHome, for: .writing) else {
        return .failed
      }
      let override = try TestOverride.fromEnvironment()
      if let override { console.say(override.warning) }
      var policy = FetchPolicy()
      if needsTrust {
        let trusted = TrustedHosts(places: places)
        if let failure = trusted.failure { console.report(failure.path?.bytes ?? [], failure.reason) }
        policy.trusted = trusted
      }
      let fetcher = IconFetcher(
        session: FetchSession(policy: policy, override: override), cache: cache,
        renderer: RenderingProcess(
          program: FilePath("/proc/self/exe"), arguments: ["docsource-fetch", "render"]),
        mode: mode, warn: { console.say($0) })
      // Failures are remembered too, so it is pruned behind them as well.
      defer { if mode != .offline { prune(cache, console) } }
      if case .unkept(let png) = try fetcher.icon(listedAt: url, rendering) {
        console.output.write(png)
      }
      return .done
    } catch let failure as IconFetchFailure {
      console.say("\(failure)")
      return failure.meansNone ? .noSource : .failed
    } catch let error as IconCacheError {
      let words = "the icon cache cannot be used: \(error.reason)"
      // Without a place there is no path.
      if error.path.bytes.isEmpty {
        console.say(words)
      } else {
        console.report(error.path.bytes, words)
      }
      return .failed
    } catch let refusal as ResolvedURL.Refusal {
      console.say("\(EscapedText(self.url)): \(EscapedText(refusal.reason))")
      return .failed
    } catch {
      console.say("\(error)")
      return .failed
    }
  }

  /// Whether it can be makes no difference to the icon.
  private func prune(_ cache: IconCache, _ console: Console) {
    do throws(IconCacheError) {
      try cache.prune(now: Int64(time(nil)))
    } catch {
      console.report(error.path.bytes, "the icon cache cannot be pruned: \(error.reason)")
    }
  }
}
