import Glibc
import LinuxSystem
import Testing
import Xattr

@testable import AppIcon

@Suite struct LocalIconsTests {
  private let now = Desktop.now
  private let list = "https://a.example/apps/appInfo.json"

  private func url(_ name: String) throws -> ResolvedURL {
    try ResolvedURL("https://a.example/apps/\(name)")
  }

  private func store(
    _ sizes: [Int], in cache: IconCache, lifetime: Int64 = 600, stale: Int64 = 3600
  ) throws {
    let icons = sizes.map { #"{"width": \#($0), "height": \#($0), "src": "\#($0).png"}"# }
    let json = #"{"icons": [\#(icons.joined(separator: ","))]}"#
    try cache.store(Cached.entry(list, Array(json.utf8), lifetime: lifetime, stale: stale))
  }

  private func store(
    picture name: String, pixels: Int?, in cache: IconCache, lifetime: Int64 = 600
  ) throws {
    try cache.store(
      Cached.entry(
        url(name).text, Array(name.utf8), lifetime: lifetime, pixels: pixels))
  }

  @Test func pictureInTheListsPlaceServes() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try cache.store(Cached.entry(list, pixels: 87))
    let resolution = try desktop.resolve(url: list)
    #expect(try resolution.answer == .rendering(ResolvedURL(list)))
    #expect(resolution.wouldFetch == nil)
  }

  @Test func listInAPicturesPlaceDoesNot() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([29, 58], in: cache)
    try store(picture: "58.png", pixels: nil, in: cache)
    try store(picture: "29.png", pixels: 29, in: cache)
    let resolution = try desktop.resolve(url: list, points: 58, explaining: true)
    #expect(try resolution.answer == .rendering(url("29.png")))
    #expect(resolution.wouldFetch == nil)
    #expect(
      desktop.explanation(resolution).contains {
        $0.hasPrefix("remote - https://a.example/apps/58.png: ")
          && $0.hasSuffix("; a list of icons, not a picture")
      }, "\(desktop.explanation(resolution))")
  }

  @Test func nothingKnownGivesNone() throws {
    let desktop = try Desktop()
    let resolution = try desktop.resolve()
    #expect(resolution.answer == .none)
    #expect(resolution.wouldFetch == nil)
    #expect(
      desktop.explanation(resolution) == [
        "override - : no identifier is known", "remote - : no URL is known",
        "theme - : no identifier is known", "catalog - : no identifier is known",
        "generic - x-office-document: no such icon in the themes: ",
        "generic - text-x-generic: no such icon in the themes: ",
      ])
  }

  @Test func originsAreAskedInTheOrderOfTheReference() throws {
    let desktop = try Desktop()
    let identifier = "org.example.App"
    func answer() throws -> LocalIcons.Icon {
      try desktop.resolve(identifier: identifier, url: list).answer
    }
    try desktop.theme("hicolor", [("d", "Size=29")])
    let generic = try desktop.file("usr/share/icons/hicolor/d/text-x-generic.png")
    #expect(try answer() == .generic(generic))
    let better = try desktop.file("usr/share/icons/hicolor/d/x-office-document.png")
    #expect(try answer() == .generic(better))
    let catalog = try desktop.file("var/lib/swcatalog/icons/debian/64x64/org.example.App.png")
    #expect(try answer() == .catalog(catalog))
    try desktop.file(
      "usr/share/applications/org.example.App.desktop", "[Desktop Entry]\nIcon=example\n")
    let theme = try desktop.file("usr/share/icons/hicolor/d/example.png")
    #expect(try answer() == .theme(theme))
    let cache = try desktop.cache()
    try store([29], in: cache)
    try store(picture: "29.png", pixels: 29, in: cache)
    #expect(try answer() == .rendering(url("29.png")))
    let override = try desktop.file("home/.config/docsource/icons/org.example.App.svg")
    #expect(try answer() == .override(override))
    let png = try desktop.file("home/.config/docsource/icons/org.example.App.png")
    #expect(try answer() == .override(png))
    let resolution = try desktop.resolve(identifier: identifier, url: list, explaining: true)
    #expect(resolution.answer == .override(png))
    #expect(
      desktop.explanation(resolution) == [
        "override + /home/.config/docsource/icons/org.example.App.png: chosen by the user",
        "remote - https://a.example/apps/29.png: 29x29, exactly the requested 29 pixels; "
          + "cached, still to be scaled and clipped; an icon found earlier is used",
        "theme - /usr/share/icons/hicolor/d/example.png: theme hicolor, directory d matches the size; "
          + "an icon found earlier is used",
        "catalog - /var/lib/swcatalog/icons/debian/64x64/org.example.App.png: "
          + "icon of 64 pixels from a catalog; an icon found earlier is used",
        "generic - /usr/share/icons/hicolor/d/x-office-document.png: theme hicolor, "
          + "directory d matches the size; an icon found earlier is used",
      ])
  }

  @Test(arguments: ["../../../etc/passwd", "..", ".hidden", "", "a/b", "a\0b"])
  func identifierThatIsNoFileNameIsNotLookedFor(_ identifier: String) throws {
    let desktop = try Desktop()
    try desktop.file("home/.config/docsource/icons/.hidden.png")
    try desktop.file("home/.config/docsource/icons/a/b.png")
    let resolution = try desktop.resolve(identifier: identifier)
    #expect(resolution.answer == .none)
    #expect(
      resolution.considerations.first?.reason
        == "the identifier is not a valid file name")
  }

  @Test func listThatIsNotCachedWouldBeFetched() throws {
    let desktop = try Desktop()
    #expect(try desktop.resolve(url: list).wouldFetch == ResolvedURL(list))
    let cache = try desktop.cache()
    #expect(try desktop.resolve(url: list).wouldFetch == ResolvedURL(list))
    #expect(
      try desktop.explanation(desktop.resolve(url: list))[1]
        == "remote - \(list): not cached")
    try cache.store(.unreachable, of: ResolvedURL(list), now: now)
    #expect(try desktop.resolve(url: list).wouldFetch == nil)
    #expect(
      try desktop.explanation(desktop.resolve(url: list))[1]
        == "remote - \(list): unreachable; next attempt in 3600 s")
    #expect(try desktop.resolve(url: list, now: now + 3600).wouldFetch == ResolvedURL(list))
  }

  @Test func urlThatIsNoneIsSaidToBe() throws {
    let desktop = try Desktop()
    let resolution = try desktop.resolve(url: "appInfo.json")
    #expect(resolution.wouldFetch == nil)
    #expect(
      desktop.explanation(resolution)[1] == "remote - appInfo.json: it is not an absolute URL "
        + "like https://example.com/appInfo.json")
  }

  @Test func finishedIconIsTheAnswer() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([29, 58], in: cache)
    try store(picture: "58.png", pixels: 58, in: cache)
    let size = try #require(IconSize(points: 29, scale: 2))
    let key = RenderingKey(
      of: SHA256Digest(of: Array("58.png".utf8)), IconRendering(size: size))
    let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
    let path = try cache.store(end, as: key)
    Cached.setModified("\(path)", 1000)
    let resolution = try desktop.resolve(url: list, scale: 2)
    #expect(resolution.answer == .cached(path))
    #expect(resolution.wouldFetch == nil)
    #expect(resolution.stale == [])
    #expect(try desktop.resolve(url: list).answer == .rendering(url("58.png")))
    #expect(Cached.modified("\(path)") > 1000)
  }

  @Test func cachedIconThatIsLargeEnoughBeatsTheNetwork() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([29, 58, 87], in: cache)
    try store(picture: "87.png", pixels: 87, in: cache)
    let resolution = try desktop.resolve(url: list, explaining: true)
    #expect(resolution.answer == .rendering(try url("87.png")))
    #expect(resolution.wouldFetch == nil)
    #expect(
      desktop.explanation(resolution)[1...3] == [
        "remote - https://a.example/apps/29.png: 29x29, exactly the requested 29 pixels; "
          + "a cached icon suffices without the network",
        "remote - https://a.example/apps/58.png: 58x58, larger than the requested 29 pixels; "
          + "a cached icon suffices without the network",
        "remote + https://a.example/apps/87.png: 87x87, larger than the requested 29 pixels; "
          + "cached, still to be scaled and clipped",
      ])
  }

  @Test func cachedIconThatIsTooSmallServesUntilABetterIsFetched() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([29, 58, 87], in: cache)
    try store(picture: "29.png", pixels: 29, in: cache)
    let resolution = try desktop.resolve(url: list, scale: 2)
    #expect(resolution.answer == .rendering(try url("29.png")))
    #expect(resolution.wouldFetch == (try url("58.png")))
  }

  @Test func pictureCountsByItsOwnSizeNotTheDeclaredOne() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([58, 87], in: cache)
    try store(picture: "58.png", pixels: 20, in: cache)
    let resolution = try desktop.resolve(url: list, scale: 2)
    #expect(resolution.answer == .rendering(try url("58.png")))
    #expect(resolution.wouldFetch == (try url("87.png")))
    #expect(
      desktop.explanation(resolution).contains(
        "remote + https://a.example/apps/58.png: 58x58, exactly the requested 58 pixels; "
          + "actual size 20x20; cached, still to be scaled and clipped"))
  }

  @Test func nextCandidateWouldBeFetchedAfterAFailureAndThreeAtMost() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([1, 2, 3, 4, 5], in: cache)
    #expect(try desktop.resolve(url: list, points: 3).wouldFetch == url("3.png"))
    for (failed, next) in [(3, 4), (4, 5)] {
      try cache.store(.gone, of: url("\(failed).png"), status: 404, now: now)
      #expect(try desktop.resolve(url: list, points: 3).wouldFetch == url("\(next).png"))
    }
    try cache.store(.undecodable, of: url("5.png"), now: now)
    let resolution = try desktop.resolve(url: list, points: 3)
    #expect(resolution.wouldFetch == nil)
    #expect(
      desktop.explanation(resolution)[1...5] == [
        "remote - https://a.example/apps/3.png: gone; next attempt in 86400 s",
        "remote - https://a.example/apps/4.png: gone; next attempt in 86400 s",
        "remote - https://a.example/apps/5.png: undecodable; "
          + "next attempt in 604800 s",
        "remote - https://a.example/apps/2.png: 2x2, smaller than the requested 3 pixels; "
          + "not cached, and only the best 3 are fetched",
        "remote - https://a.example/apps/1.png: 1x1, smaller than the requested 3 pixels; "
          + "not cached, and only the best 3 are fetched",
      ])
  }

  @Test func staleContentServesAndIsNamed() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([29], in: cache)
    try store(picture: "29.png", pixels: 29, in: cache)
    let resolution = try desktop.resolve(url: list, now: now + 700)
    #expect(resolution.answer == .rendering(try url("29.png")))
    #expect(resolution.stale == [try ResolvedURL(list), try url("29.png")])
    try cache.store(.unreachable, of: ResolvedURL(list), now: now + 700)
    #expect(try desktop.resolve(url: list, now: now + 700).stale == [url("29.png")])
  }

  @Test func expiredContentIsNotUsed() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try store([29], in: cache, lifetime: 10_000)
    try store(picture: "29.png", pixels: 29, in: cache)
    let resolution = try desktop.resolve(url: list, now: now + 4200)
    #expect(resolution.answer == .none)
    #expect(resolution.wouldFetch == (try url("29.png")))
    #expect(
      try desktop.explanation(desktop.resolve(url: list, now: now + 13_600))[1]
        == "remote - \(list): the cached copy is too old")
  }

  @Test func sourceIsResolvedAgainstTheFinalURL() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    let json = #"{"icons": [{"width": 29, "height": 29, "src": "../i.png"}, {"width": 29}]}"#
    try cache.store(
      Cached.entry(list, Array(json.utf8), final: "https://b.example/x/y/appInfo.json"))
    let resolution = try desktop.resolve(url: list)
    #expect(resolution.wouldFetch == (try ResolvedURL("https://b.example/x/i.png")))
    #expect(
      desktop.explanation(resolution)[1] == "remote - \(list), icon 2: 'src' is missing")
  }

  @Test func listThatIsNoneAndSourceThatIsNoneAreSaidToBe() throws {
    let desktop = try Desktop()
    let cache = try desktop.cache()
    try cache.store(Cached.entry(list, Array("[]".utf8)))
    #expect(
      try desktop.explanation(desktop.resolve(url: list))[1]
        == "remote - \(list): the root is an array, not an object")
    let json = #"{"icons": [{"width": 29, "height": 29, "src": "data:,x"}]}"#
    try cache.store(Cached.entry(list, Array(json.utf8)))
    #expect(
      try desktop.explanation(desktop.resolve(url: list))[1]
        == "remote - data:,x: the URL has no host")
    try store([], in: cache)
    #expect(
      try desktop.explanation(desktop.resolve(url: list))[1]
        == "remote - \(list): the list offers no icon")
  }

  @Test func cacheThatIsNotPrivateIsNotUsed() throws {
    let desktop = try Desktop()
    try store([29], in: desktop.cache())
    let path = desktop.directory.path("home/.cache/docsource")
    chmod(path, 0o777)
    let resolution = try desktop.resolve(url: list)
    #expect(
      desktop.explanation(resolution)[1] == "remote - \(list): the cache "
        + "/home/.cache/docsource cannot be used: other users may write to the directory")
  }
}
