import AppIcon
import CommandLineInterface
import Glibc

/// Runs `docsource-fetch`, the only program of docsource that reaches the network.
struct IconFetching {
  /// What became of a URL.
  enum Outcome {
    /// The cache has the icon.
    case cached
    /// The finished PNG, which the server forbids keeping.
    case picture([UInt8])
    /// There is none, which has been said.
    case none
    /// Something failed, which has been said.
    case failed
  }

  /// When it asks a server.
  enum Mode {
    /// Though the cache suffices.
    case refresh
    /// Where the cache does not suffice.
    case usual
    case offline
  }

  struct Request {
    /// Of an appInfo.json.
    let url: String
    let mode: Mode
  }

  /// So many run at a time.
  private static let limit = 4
  /// Between two looks at what runs; in microseconds.
  private static let interval: UInt32 = 5000

  let size: IconSize
  let options: IconOptions
  let console: Console

  /// Has the icon of each URL brought into the cache.
  func run(_ requests: [Request]) -> [(url: String, Outcome)] {
    let bar = ProgressBar("icons", total: requests.count)
    defer { bar.hide() }
    var outcomes: [(url: String, Outcome)] = []
    var running: [(url: String, process: ChildProcess)] = []
    var rest = requests[...]
    while !rest.isEmpty || !running.isEmpty {
      while running.count < Self.limit, let request = rest.popFirst() {
        let url = request.url
        do throws(ChildProcess.Failure) {
          let program = CompanionProgram("docsource-fetch")
          running.append((url, try program.start(arguments(request), errors: .kept)))
        } catch {
          bar.hide()
          outcomes.append((url, failed(url, error)))
        }
      }
      var left: [(url: String, process: ChildProcess)] = []
      let isLast = running.count == 1 && rest.isEmpty && !bar.isOnTerminal
      for (url, process) in running {
        do throws(ChildProcess.Failure) {
          guard let ending = isLast ? try process.wait() : try process.endingSoFar() else {
            left.append((url, process))
            continue
          }
          if !ending.errors.isEmpty { bar.hide() }
          console.passOn(ending.errors)
          outcomes.append((url, Self.outcome(ending)))
        } catch {
          bar.hide()
          outcomes.append((url, failed(url, error)))
        }
      }
      if outcomes.count < requests.count { bar.update(outcomes.count) }
      if left.count == running.count, !left.isEmpty { usleep(Self.interval) }
      running = left
    }
    return outcomes
  }

  private static func outcome(_ ending: ChildProcess.Ending) -> Outcome {
    switch ending.status {
    case .done: ending.output.isEmpty ? .cached : .picture(ending.output)
    case .noSource: .none
    case .failed, .usage: .failed
    }
  }

  private func failed(_ url: String, _ failure: ChildProcess.Failure) -> Outcome {
    console.report(Array(url.utf8)[...], "\(failure)")
    return .failed
  }

  private func arguments(_ request: Request) -> [[UInt8]] {
    var words = ["icon", request.url] + Self.rendering(size, options.outline, options.hasStroke)
    switch request.mode {
    case .refresh: words.append("--refresh")
    case .usual: break
    case .offline: words.append("--offline")
    }
    if options.isTrusted { words.append("--trusted") }
    return words.map { Array($0.utf8) }
  }

  /// How a picture is to look, as `docsource-fetch` is told.
  static func rendering(_ size: IconSize, _ shape: IconShape, _ hasStroke: Bool) -> [String] {
    ["\(size.points)", "\(size.scale)", shape.rawValue, hasStroke ? "stroke" : "no-stroke"]
  }
}
