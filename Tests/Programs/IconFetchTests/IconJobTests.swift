import AppIcon
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import IconFetch

/// The program as `docsource icon` runs it, several at once and killed.
struct IconJobTests {
  private static let cached = "location / { add_header Cache-Control max-age=3600; }"
  private static let warning =
    "docsource: warning: \(TestOverride.connectVariable) or "
    + "\(TestOverride.certificatesVariable) is set, for tests only\n"

  private func place(_ locations: String = cached) throws -> IconPlace {
    try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((58, "icon.png")), "icon.png": IconPlace.picture(58),
      ], locations: locations)
  }

  private func arguments(_ options: [String] = [], url: String? = nil) -> [String] {
    [
      Docsource.fetchPath, "icon",
      url ?? IconPlace.icons + "/appInfo.json", "58.0", "1.0", "continuous", "stroke",
    ] + options
  }

  private func run(_ place: IconPlace, _ options: String...) throws -> Execution {
    try Execution.run(arguments(options), environment: place.environment)
  }

  /// The finished icon of the list, out of the cache.
  private func finished(_ place: IconPlace) throws -> FilePath? {
    let cache = try place.cache()
    guard let head = try cache.head(ResolvedURL(IconPlace.icons + "/icon.png")),
      let size = IconSize(points: 58)
    else { return nil }
    return try cache.icon(
      RenderingKey(of: head.bodyDigest, IconRendering(size: size)))
  }

  @Test func iconIsPutIntoTheCache() throws {
    let place = try place()
    let execution = try run(place)
    #expect(execution.status == 0)
    #expect(execution.output == [])
    #expect(execution.errors == Self.warning)
    let path = try #require(try finished(place))
    let expected = try IconPlace.rendering(58).render(png: IconPlace.picture(58))
    #expect(try [UInt8](Data(contentsOf: URL(filePath: "\(path)"))) == expected)
  }

  @Test func whatMustNotBeKeptIsWritten() throws {
    let execution = try run(place("location / { add_header Cache-Control no-store; }"))
    #expect(execution.status == 0)
    #expect(
      try execution.output == IconPlace.rendering(58).render(png: IconPlace.picture(58)))
  }

  @Test func sixtyFourRequestsOfSixteenProcessesAskOnce() throws {
    let place = try place()
    let command = arguments().map { "'\($0)'" }.joined(separator: " ")
    let four = "\(command) & \(command) & \(command) & \(command) & wait"
    let processes = try (0..<16).map { _ in
      try RunningProcess(
        ["bash", "-c", "\(four) 2>/dev/null"].map { Array($0.utf8) },
        environment: place.environment)
    }
    #expect(processes.map { $0.wait() } == Array(repeating: 0, count: 16))
    #expect(
      try place.server.requests(expecting: 2) == [
        "icons.example.com /appInfo.json 200", "icons.example.com /icon.png 200",
      ])
    #expect(try finished(place) != nil)
  }

  @Test func killedFetchersLeaveNoDamagedEntry() throws {
    var random = SplitMix(state: UInt64(getpid()))
    let seed = random.state
    let place = try place("location / { add_header Cache-Control max-age=0; }")
    for _ in 0..<40 {
      let process = try RunningProcess(
        arguments(["--refresh"]).map { Array($0.utf8) }, environment: place.environment)
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      process.kill(SIGKILL)
      _ = process.wait()
    }
    let root = URL(filePath: place.directory.path("docsource/v1"))
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    for case let file as URL in try #require(files) {
      let path = file.path
      let isTemporary = file.lastPathComponent.hasPrefix(".")
      guard !file.hasDirectoryPath, !isTemporary else { continue }
      let bytes = try [UInt8](Data(contentsOf: file))
      if path.contains("/http/") {
        _ = try CacheEntry(parsing: bytes)
      } else if path.contains("/icons/") {
        #expect(
          try bytes == IconPlace.rendering(58).render(png: IconPlace.picture(58)), "seed \(seed)")
      }
    }
    #expect(try run(place).status == 0)
    #expect(try finished(place) != nil)
  }

  @Test func cacheThatCannotBeWrittenToKeepsNobodyFromTheirIcon() throws {
    let place = try place()
    // EROFS, as root may write wherever a mode forbids it.
    let mounts = "mount -t tmpfs none \"$0\" && (umask 077; mkdir -p \"$0/docsource/v1\") "
    let script =
      mounts + "&& touch \"$0/docsource/v1/CACHEDIR.TAG\" "
      + "&& mount -o remount,ro \"$0\" && exec \"$@\""
    let execution = try Execution.run(
      ["unshare", "--mount", "sh", "-c", script, place.directory.root] + arguments(),
      environment: place.environment)
    #expect(execution.status == 0, "\(execution.errors)")
    #expect(try execution.output == IconPlace.rendering(58).render(png: IconPlace.picture(58)))
    #expect(execution.errors.contains("read-only file system; nothing is cached\n"))
  }

  @Test func whatIsCachedIsReadWithoutWriting() throws {
    let place = try place()
    #expect(try run(place).status == 0)
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\""
    for option in [[], ["--offline"]] {
      let execution = try Execution.run(
        ["unshare", "--mount", "sh", "-c", script, place.directory.root] + arguments(option),
        environment: place.environment)
      #expect(execution.status == 0)
      #expect(execution.output == [])
      #expect(execution.errors == Self.warning)
    }
    #expect(try place.server.requests(expecting: 2).count == 2)
  }

  @Test func offlineWaitsForNobody() throws {
    let place = try place()
    #expect(try run(place).status == 0)
    // All stripes are taken.
    let locks = try (0..<64).map { stripe in
      let path = place.directory.path("docsource/v1/locks/\(stripe)")
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      try #require(file >= 0)
      try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
      return file
    }
    defer { for lock in locks { close(lock) } }
    let start = ContinuousClock.now
    #expect(try run(place, "--offline").status == 0)
    #expect(try run(place).status == 0)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func closedStandardStreamsAreNotTakenForOthers() throws {
    let place = try place()
    let closed = try Execution.run(
      ["sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"] + arguments(),
      environment: place.environment)
    #expect(closed.status == 0)
    #expect(try finished(place) != nil)
    // What cannot be written is reported as ever.
    let unkept = try self.place("location / { add_header Cache-Control no-store; }")
    let execution = try Execution.run(
      ["sh", "-c", "exec \"$0\" \"$@\" >&-"] + arguments(), environment: unkept.environment)
    #expect(execution.status == 2)
    #expect(
      execution.errors
        == "\(Self.warning)docsource: cannot write to standard output: Bad file descriptor\n")
  }

  @Test func failuresNameTheOptionThatWouldHelp() throws {
    let place = try place("location = /appInfo.json { return 404; }")
    #expect(
      try run(place, "--offline").errors
        == "\(Self.warning)docsource: \(IconPlace.icons)/appInfo.json: not cached, and --offline "
        + "forbids fetching\n")
    #expect(try run(place).status == 1)
    let second = try run(place)
    #expect(second.errors.contains("the server had nothing there last time; next attempt in "))
    #expect(second.errors.hasSuffix(" s, or now with --refresh\n"))
  }

  @Test func onlyTrustedHostsAreAskedUnbidden() throws {
    let place = try place()
    var environment = place.environment
    environment["XDG_CONFIG_HOME"] = place.directory.path("config")
    let refused = try Execution.run(arguments(["--trusted"]), environment: environment)
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "\(Self.warning)docsource: \(IconPlace.icons)/appInfo.json: cannot fetch: refused: the "
        + "host 'icons.example.com' is not trusted; see 'docsource icon trust'\n")
    try FileManager.default.createDirectory(
      atPath: place.directory.path("config/docsource"), withIntermediateDirectories: true)
    _ = try place.directory.file("config/docsource/trusted-hosts", "icons.example.com\n")
    #expect(try Execution.run(arguments(["--trusted"]), environment: environment).status == 0)
    #expect(try place.server.requests(expecting: 2).count == 2)
  }

  @Test func listOfTrustedHostsThatCannotBeReadIsReported() throws {
    let place = try place()
    var environment = place.environment
    environment["XDG_CONFIG_HOME"] = place.directory.path("config")
    let list = place.directory.path("config/docsource/trusted-hosts")
    try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: true)
    let execution = try Execution.run(arguments(["--trusted"]), environment: environment)
    #expect(execution.status == 2)
    let start = "\(Self.warning)docsource: \(list): cannot read: is a directory\ndocsource: "
    #expect(execution.errors.hasPrefix(start), "\(execution.errors)")
    #expect(try place.server.requests(expecting: 0).isEmpty)
  }

  @Test(arguments: [
    ("/endless", "the response is larger than 65536 bytes", RememberedFailure.Kind.undecodable),
    ("/gzip-bomb", "the response is encoded as 'gzip', which was not requested", .undecodable),
    ("/truncated", "the response is incomplete; try again later", .unreachable),
    ("/slow", "the server responds too slowly; try again later", .unreachable),
    ("/not-http", "the response is not HTTP", .undecodable),
    ("/html", "", .undecodable),
  ])
  func misbehaviourIsReportedAndRemembered(
    path: String, words: String, kind: RememberedFailure.Kind
  ) throws {
    let place = try place()
    let server = try MisbehavingServer(try place.authority.identity(for: ["*.example.com"]))
    guard case .failure(let failure) = try place.icon(of: path, port: server.port) else {
      Issue.record("an icon came of it")
      return
    }
    if !words.isEmpty {
      #expect("\(failure)" == "\(IconPlace.icons)\(path): cannot fetch: \(words)")
    }
    let head = try place.cache().head(ResolvedURL(IconPlace.icons + path))
    #expect(head?.failure?.kind == kind)
  }

  @Test(arguments: [
    [], ["icon"], ["icon", "u", "58", "1", "round", "stroke"],
    ["icon", "u", "58", "1", "none", "stroke", "--what"], ["get"],
  ])
  func commandLineThatMakesNoSenseIsRefused(arguments: [String]) throws {
    let execution = try Execution.run([Docsource.fetchPath] + arguments)
    #expect(execution.status == 64)
    #expect(execution.errors == "docsource: docsource-fetch is run by docsource icon\n")
  }

  @Test func missingPlaceForTheCacheIsReported() throws {
    let execution = try Execution.run(
      arguments(), environment: ["XDG_CACHE_HOME": "relative", "HOME": ""])
    #expect(execution.status == 2)
    #expect(
      execution.errors
        == "docsource: cannot use the icon cache: neither XDG_CACHE_HOME nor HOME is set to an "
        + "absolute path\n")
  }

  @Test func urlThatIsNoneIsReported() throws {
    let place = try place()
    let execution = try Execution.run(
      arguments(url: "appInfo.json"), environment: ["XDG_CACHE_HOME": place.directory.root])
    #expect(execution.status == 2)
    #expect(
      execution.errors
        == "docsource: appInfo.json: it is not an absolute URL like "
        + "https://example.com/appInfo.json\n")
  }
}
