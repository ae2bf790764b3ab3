import AppIcon
import Foundation
import Glibc
import LinuxSystem
import TestSupport

/// A user of a test's own: home, cache and theme below one directory, and docsource beside a
/// docsource-fetch of the test's choice.
final class IconHome {
  static let url = "https://icons.example/appInfo.json"
  static let identifier = "org.example.editor"

  let directory: TemporaryDirectory
  let bin: String
  private(set) var environment: [String: String]

  /// - Parameter fetch: what `docsource-fetch` does, as a shell script; `nil` for the real one. It
  ///   adds its arguments as a line to the file `fetched` before.
  init(fetch: String? = "echo 'docsource: unexpected' >&2; exit 2") throws {
    directory = try TemporaryDirectory()
    bin = directory.path("bin")
    environment = [
      "HOME": directory.path("home"), "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "",
      "XDG_DATA_HOME": "", "XDG_DATA_DIRS": directory.path("share"), "TMUX": "",
    ]
    for name in ["bin", "home", "home/.cache", "share"] { mkdir(directory.path(name), 0o755) }
    // The program looks beside itself for its companion, so it has to be here, not a link to it.
    guard link(Docsource.path, "\(bin)/docsource") == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    if let fetch {
      try script(
        "bin/docsource-fetch", "echo \"$*\" >>'\(directory.path("fetched"))'\n\(fetch)")
    } else {
      symlink(Docsource.fetchPath, "\(bin)/docsource-fetch")
    }
  }

  var docsource: String { "\(bin)/docsource" }

  func script(_ name: String, _ body: String) throws {
    try directory.program(name, "#!/bin/sh\n\(body)\n")
  }

  func set(_ variable: String, _ value: String) { environment[variable] = value }

  func run(_ arguments: String...) throws -> Execution { try run(arguments) }

  func run(_ arguments: [String]) throws -> Execution {
    try Execution.run([docsource] + arguments, in: directory.root, environment: environment)
  }

  /// Runs it with standard output and error on a terminal.
  func runOnTerminal(_ arguments: String...) throws -> Execution {
    let words = ([docsource] + arguments).joined(separator: " ")
    return try Execution.run(
      ["script", "-qec", words, "/dev/null"], in: directory.root, environment: environment)
  }

  /// Makes a file with a document source.
  func tagged(
    _ name: String, identifier: String = identifier, url: String? = url
  ) throws {
    try directory.file(name)
    let more = url.map { ["-u", $0] } ?? []
    let tagged = try run(["tag", "-q", "-i", identifier] + more + [name])
    guard tagged.status == 0 else { throw POSIXError(.EIO) }
  }

  /// The arguments with which docsource-fetch was run.
  var fetched: [String] {
    let text = try? directory.text("fetched")
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  @discardableResult
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try directory.write(bytes, to: name)
    return directory.path(name)
  }

  /// Installs a theme `hicolor` for all users, with a directory for 48 pixels and one for any.
  func installTheme() throws {
    let sizes = ["16x16", "48x48", "64x64", "128x128"]
    let groups = sizes.map { "[\($0)/apps]\nSize=\($0.prefix { $0 != "x" })\nType=Fixed\n" }
    let index = """
      [Icon Theme]
      Name=hicolor
      Directories=\(sizes.map { "\($0)/apps" }.joined(separator: ",")),scalable/apps

      \(groups.joined(separator: "\n"))
      [scalable/apps]
      Size=48
      MinSize=1
      MaxSize=512
      Type=Scalable

      """
    try file("share/icons/hicolor/index.theme", Array(index.utf8))
  }

  /// What a server would have sent.
  static let picture: [UInt8] = (try? Fixture.bytes("Pictures/scaling.png")) ?? []

  /// Puts a list with one icon into a cache, and the icon.
  ///
  /// - Parameters:
  ///   - side: what the icon is declared to have, in pixels.
  ///   - finished: the sizes that are finished, in points.
  ///   - age: since when what is there is not fresh any more, in seconds.
  /// - Returns: the paths of the finished icons.
  @discardableResult
  func keep(
    _ url: String = url, side: Int = 150, finished: [Double] = [64], stale age: Int64? = nil,
    picture: [UInt8] = picture, in home: String = "home/.cache"
  ) throws -> [String] {
    let now = Int64(time(nil))
    mkdir(directory.path(home), 0o700)
    let cache = try IconCache.open(in: FilePath(directory.path(home)), for: .writing)
    guard let cache else { throw POSIXError(.ENOENT) }
    let list = try ResolvedURL(url)
    func keep(_ url: ResolvedURL, _ body: [UInt8], _ pixels: PixelSize?) throws -> CacheHead {
      var freshness = Freshness(of: HTTPHeaderFields(), requested: now, received: now)
      freshness.freshUntil = age.map { now - $0 } ?? now + 3600
      freshness.usableUntil = now + 7200
      let head = CacheHead(
        url: url, finalURL: url, status: 200, fields: HTTPHeaderFields(), freshness: freshness,
        stored: now, body: body, pixels: pixels)
      try cache.store(CacheEntry(head: head, body: body))
      return head
    }
    let json = "{\"icons\": [{\"width\": \(side), \"height\": \(side), \"src\": \"icon.png\"}]}"
    _ = try keep(list, Array(json.utf8), nil)
    let head = try keep(
      ResolvedURL("icon.png", against: list), picture, PixelSize(width: side, height: side))
    return try finished.compactMap { points in
      try IconSize(points: points).map { size in
        let key = RenderingKey(of: head.bodyDigest, IconRendering(size: size))
        return "\(try cache.store(picture, as: key))"
      }
    }
  }
}
