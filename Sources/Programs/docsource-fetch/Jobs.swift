import AppIcon
import CommandLineInterface
import Glibc
import IconFetch
import LinuxSystem
import TextFormats

/// Brings an icon into the user's cache:
/// `icon URL POINTS SCALE SHAPE stroke|no-stroke [OPTION...]`.
///
/// Where the server forbids keeping it, or the cache cannot be written to, the finished PNG goes to
/// standard output instead. Options: `--refresh`, `--offline`, and `--trusted`, which fetches only
/// from the hosts on the user's list.
struct IconJob {
  private let url: String
  private let rendering: IconRendering
  private let mode: FetchMode
  private let needsTrust: Bool

  /// - Returns: `nil` for a command line that makes no sense.
  init?(_ arguments: ArraySlice<String>) {
    let (options, words) = arguments.reduce(into: ([String](), [String]())) { parts, argument in
      if argument.hasPrefix("--") { parts.0.append(argument) } else { parts.1.append(argument) }
    }
    guard words.count == 5, let rendering = IconRendering(arguments: Array(words.dropFirst())),
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
        if let failure = trusted.failure {
          console.report(failure.path?.bytes ?? [], failure.reason)
        }
        policy.trusted = trusted
      }
      let download = IconDownload(
        session: FetchSession(policy: policy, override: override), cache: cache,
        renderer: RenderingProcess(
          program: FilePath("/proc/self/exe"), arguments: ["docsource-fetch", "render"]),
        mode: mode,
        warn: { console.say(Self.words($0) + ($1.map { "; \($0)" } ?? "")) })
      // Failures are stored too, so the cache is pruned after them as well.
      defer { if mode != .offline { prune(cache, console) } }
      if case .unkept(let png) = try download.icon(listedAt: url, rendering) {
        console.output.write(png)
      }
      return .done
    } catch let failure as IconDownload.Failure {
      console.say(Self.words(failure))
      return failure.meansNone ? .negative : .failed
    } catch let error as IconCacheError {
      let words = "cannot use the icon cache: \(error.reason)"
      if let path = error.path { console.report(path.bytes, words) } else { console.say(words) }
    } catch let refusal as ResolvedURL.Refusal {
      console.say("\(EscapedText(self.url)): \(EscapedText(refusal.reason))")
    } catch {
      console.say("\(error)")
    }
    return .failed
  }

  /// A failure in words, with the option or command of `docsource icon` that would help.
  private static func words(_ failure: IconDownload.Failure) -> String {
    switch failure.cause {
    case .offline: "\(EscapedText(failure.url.text)): not cached, and --offline forbids fetching"
    case .remembered: "\(failure), or now with --refresh"
    case .fetch(let fetch):
      if case .refused(let refusal) = fetch.kind, refusal.isUntrusted {
        "\(failure); see 'docsource icon trust'"
      } else {
        "\(failure)"
      }
    default: "\(failure)"
    }
  }

  /// A cache that cannot be pruned makes no difference to the icon.
  private func prune(_ cache: IconCache, _ console: Console) {
    do throws(IconCacheError) {
      try cache.prune(now: Int64(time(nil)))
    } catch {
      console.report(error.path?.bytes ?? [], "cannot prune the icon cache: \(error.reason)")
    }
  }
}

/// Fetches one URL as an image would be and writes its body to standard output.
struct GetJob {
  let url: String

  func run(_ console: Console) -> ExitStatus {
    do {
      let override = try TestOverride.fromEnvironment()
      if let override { console.say(override.warning) }
      let session = FetchSession(override: override)
      console.output.write(try session.fetch(FetchRequest(url, limits: .image)).body)
      return .done
    } catch {
      console.say("\(error)")
      return .failed
    }
  }
}
