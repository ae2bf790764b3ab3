import AppIcon
import Applications
import CommandLineInterface
import DocumentSource
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// Finds icons, and has those fetched that the cache lacks.
struct IconSearch {
  let options: IconOptions
  let places: BaseDirectories
  let console: Console

  /// Looks in the cache, has each missing icon fetched once, and looks again.
  ///
  /// - Parameter size: how large the icons are to be.
  func find(_ operands: [IconOperand], size: IconSize, mode: FetchMode) -> [Result] {
    let rendering = IconRendering(
      size: size, shape: options.outline, hasStroke: options.hasStroke)
    var results: [Result] = []
    var requests: [FetchRuns.Request] = []
    var waiting: [String: [Int]] = [:]
    for operand in operands {
      let report = report(on: operand, rendering)
      if let url = operand.appInfoURL, let mode = runMode(report, url, mode) {
        if waiting[url] == nil { requests.append(FetchRuns.Request(url: url, mode: mode)) }
        waiting[url, default: []].append(results.count)
      }
      results.append(Result(operand: operand, report: report))
    }
    guard !requests.isEmpty else { return results }
    let runs = FetchRuns(rendering: rendering, isTrusted: options.isTrusted, console: console)
    for (url, outcome) in runs.run(requests) {
      for index in waiting[url] ?? [] {
        switch outcome {
        case .picture(let png): results[index].picture = png
        case .settled: break
        case .failed: results[index].hasFailed = true
        }
        results[index].report = report(on: results[index].operand, rendering, onlyRendered: true)
      }
    }
    return results
  }

  private func report(
    on operand: IconOperand, _ rendering: IconRendering, onlyRendered: Bool = false
  ) -> LocalIcons.Report {
    LocalIcons(places: places, now: Int64(time(nil))).find(
      IconRequest(identifier: operand.identifier, appInfoURL: operand.appInfoURL, rendering),
      explaining: options.isExplaining, onlyRendered: onlyRendered)
  }

  /// The mode in which docsource-fetch is to be run; `nil` if it is not needed.
  private func runMode(_ report: LocalIcons.Report, _ url: String, _ mode: FetchMode) -> FetchMode?
  {
    if case .override = report.answer { return nil }
    let mustRender = if case .rendering = report.answer { true } else { false }
    switch mode {
    case .refresh: return (try? ResolvedURL(url)) != nil ? .refresh : nil
    case .usual where mustRender || !report.stale.isEmpty: return .usual
    case .usual where report.wouldFetch != nil, .missing where report.wouldFetch != nil:
      return .usual
    case .usual, .missing, .offline: return mustRender ? .offline : nil
    }
  }

  /// The icon that was found for an operand.
  struct Result {
    let operand: IconOperand
    var report: LocalIcons.Report
    /// The finished PNG, where the server forbids keeping it.
    var picture: [UInt8]?
    /// Whether something went wrong on the way, which has been said.
    var hasFailed = false
    /// What is said of that in a JSON object.
    var error = "the icon could not be fetched; standard error says why"

    /// What was found without the network. Any document's icon is no answer to a name that nobody
    /// knows.
    var answer: LocalIcons.Icon {
      if case .generic = report.answer, operand.isName { return .none }
      return report.answer
    }

    /// The icon's origin; `nil` if there is no icon.
    var origin: Consideration.Origin? { picture != nil ? .remote : answer.origin }

    /// The icon's file; `nil` if the icon has none.
    var path: FilePath? { picture != nil ? nil : answer.path }
  }
}

/// A file, identifier or URL whose icon a word on the command line of `docsource icon` asks for.
struct IconOperand {
  /// Why an operand names no icon to look for.
  struct Failure: Error {
    let status: ExitStatus
    /// In words that follow the operand.
    let reason: String
  }

  let bytes: [UInt8]
  let identifier: String?
  let appInfoURL: String?
  /// Whether nothing but a name was given, which may as well be a file's, misspelt.
  let isName: Bool

  /// Takes a word with `://` for the URL of an appInfo.json, the name of an existing file for its
  /// document source, a word with a dot and no slash or space for an identifier, and any other for the
  /// identifier or name of an application that `docsource apps list` shows.
  init(_ bytes: [UInt8], _ console: Console) throws(Failure) {
    self.bytes = bytes
    if Self.isURL(bytes) {
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try Result { () throws(ResolvedURL.Refusal) in try ResolvedURL(text) }
        .mapError { Failure(status: .failed, reason: $0.reason) }.get()
      (identifier, appInfoURL, isName) = (nil, text, false)
    } else if let path = FilePath(bytes: bytes), Self.exists(path) {
      let source = try Self.source(of: path, console)
      (identifier, appInfoURL, isName) = (source.identifier, source.appInfoURL, false)
    } else if bytes.contains(UInt8(ascii: ".")),
      !bytes.contains(where: { " /".utf8.contains($0) }),
      let text = String(validating: bytes, as: UTF8.self)
    {
      if let known = KnownApplications.ofUser(console), case .one(let one) = known.match(text) {
        (identifier, appInfoURL, isName) = (one.identifier, one.appInfoURL, false)
      } else {
        (identifier, appInfoURL, isName) = (text, nil, true)
      }
    } else {
      let application = try Self.application(bytes, console)
      (identifier, appInfoURL, isName) = (application.identifier, application.appInfoURL, false)
    }
  }

  private static func application(
    _ bytes: [UInt8], _ console: Console
  ) throws(Failure) -> KnownApplication {
    guard let word = try? ApplicationWord(bytes), let known = KnownApplications.ofUser(console)
    else {
      throw Failure(status: .failed, reason: "no such file")
    }
    return try Result { () throws(ApplicationWord.Failure) in try word.application(among: known) }
      .mapError { Failure(status: .failed, reason: "no such file, and \($0.reason)") }.get()
  }

  private static func isURL(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return bytes[colon...].starts(with: "://".utf8)
  }

  /// The corresponding C function is lstat(2): a link that leads nowhere is reported as such.
  private static func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return unsafe path.withCString { unsafe lstat($0, &status) } == 0
  }

  private static func source(
    of path: FilePath, _ console: Console
  ) throws(Failure) -> DocumentSource {
    let finding: Finding
    do throws(DocumentSourceError) {
      finding = try DocumentSourceAttribute(
        of: .path(path)
      ).read()
    } catch {
      throw error.isOfUnsupportedPlace
        ? Failure(status: .negative, reason: Absence.noAttribute.description)
        : Failure(status: .failed, reason: error.message)
    }
    switch finding.content {
    case .source(let source, let mistyped):
      for key in mistyped {
        console.report(path.bytes, "\(EscapedText(key.description)); ignored")
      }
      return source
    case .none(let absence): throw Failure(status: .negative, reason: absence.description)
    }
  }
}

/// Runs `docsource-fetch`, the only program of docsource that reaches the network.
struct FetchRuns {
  /// The outcome of a run for one URL.
  enum Outcome {
    /// The cache has the icon, or there is none, which has been said.
    case settled
    /// The finished PNG, which the server forbids keeping.
    case picture([UInt8])
    /// Something failed, which has been said.
    case failed
  }

  struct Request {
    /// The URL of an appInfo.json.
    let url: String
    let mode: FetchMode
  }

  /// How many run at a time.
  private static let limit = 4
  /// Between two looks at the running processes; in microseconds.
  private static let interval: UInt32 = 5000

  let rendering: IconRendering
  /// Whether only hosts on the user's list are asked.
  let isTrusted: Bool
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
          let process = try CompanionProgram.fetch.start(arguments(request))
          running.append((url, process))
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
    case .done: ending.output.isEmpty ? .settled : .picture(ending.output)
    case .negative: .settled
    case .failed, .usage: .failed
    }
  }

  private func failed(_ url: String, _ failure: ChildProcess.Failure) -> Outcome {
    console.report(Array(url.utf8)[...], "\(failure)")
    return .failed
  }

  private func arguments(_ request: Request) -> [[UInt8]] {
    var words = ["icon", request.url] + rendering.arguments
    if request.mode == .refresh { words.append("--refresh") }
    if request.mode == .offline { words.append("--offline") }
    if isTrusted { words.append("--trusted") }
    return words.map { Array($0.utf8) }
  }
}
