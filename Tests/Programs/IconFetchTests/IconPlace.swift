import AppIcon
import Glibc
import LinuxSystem
import TestSupport

@testable import IconFetch

/// A server of icons, an empty cache, and a clock that only the test moves.
final class IconPlace {
  static let icons = "https://icons.example.com"
  /// The program that is installed: unoptimised, large pictures take seconds of the five allowed.
  static let renderer = RenderingProcess(
    program: FilePath(Docsource.fetchPath), arguments: ["docsource-fetch", "render"])
  /// At first the machine's time, with which the server dates its answers, or so long ago.
  private(set) var now: Int64
  private(set) var warnings: [String] = []
  let authority: CertificateAuthority
  let server: LoopbackServer
  let directory: TemporaryDirectory

  init(files: [String: [UInt8]] = [:], locations: String = "", ago seconds: Int64 = 0) throws {
    authority = try CertificateAuthority()
    server = try LoopbackServer(
      try authority.identity(for: ["*.example.com"]), files: files, locations: locations)
    directory = try TemporaryDirectory()
    now = Int64(time(nil)) - seconds
  }

  var environment: [String: String] {
    let connect = ["icons", "other"].map { "\($0).example.com:443=127.0.0.1:\(server.port)" }
      .joined(separator: ",")
    return [
      "XDG_CACHE_HOME": directory.root, TestOverride.connectVariable: connect,
      TestOverride.certificatesVariable: authority.certificate,
    ]
  }

  func pass(_ seconds: Int64) { now += seconds }

  func cache() throws -> IconCache {
    guard let cache = try IconCache.open(in: FilePath(directory.root), for: .writing) else {
      throw Absent()
    }
    return cache
  }

  /// - Parameters:
  ///   - port: of another server that is icons.example.com.
  ///   - otherPort: of another server that is other.example.com.
  func download(
    _ mode: FetchMode = .usual, port: UInt16? = nil, otherPort: UInt16? = nil
  ) throws -> IconDownload {
    let connect =
      "icons.example.com:443=127.0.0.1:\(port ?? server.port),"
      + "other.example.com:443=127.0.0.1:\(otherPort ?? port ?? server.port)"
    let override = try TestOverride(connect: connect, certificates: authority.certificate)
    return IconDownload(
      session: FetchSession(override: override), cache: try cache(),
      renderer: Self.renderer,
      mode: mode, clock: { self.now },
      warn: { failure, consequence in
        self.warnings.append("\(failure)" + (consequence.map { "; \($0)" } ?? ""))
      })
  }

  /// The icon of a list, in pixels; or why there is none.
  func icon(
    _ mode: FetchMode = .usual, of path: String = "/appInfo.json", pixels: Double = 58,
    port: UInt16? = nil
  ) throws -> Result<FetchedIcon, IconDownload.Failure> {
    let download = try download(mode, port: port)
    let url = try ResolvedURL(Self.icons + path)
    let rendering = try Self.rendering(pixels)
    return Result { () throws(IconDownload.Failure) in try download.icon(listedAt: url, rendering) }
  }

  static func rendering(_ pixels: Double, shape: IconShape = .continuous) throws -> IconRendering {
    guard let size = IconSize(points: pixels) else { throw Absent() }
    return IconRendering(size: size, shape: shape)
  }

  /// A picture of so many pixels a side.
  static func picture(_ pixels: Double) throws -> [UInt8] {
    try rendering(pixels, shape: .none).render(png: Fixture.bytes("Pictures/scaling.png"))
  }

  /// A list of icons by their sizes and sources.
  static func list(_ icons: (Int, String)...) -> [UInt8] {
    let entries = icons.map { size, source in
      "{\"width\": \(size), \"height\": \(size), \"src\": \"\(source)\"}"
    }
    return Array("{\"icons\": [\(entries.joined(separator: ", "))]}".utf8)
  }

  private struct Absent: Error {}
}
