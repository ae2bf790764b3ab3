import AppIcon
import Foundation
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import IconFetch

/// The whole way from a list's URL to a finished icon, with nginx.
struct IconDownloadTests {
  private static let day: Int64 = 86400
  private static let cached = "location / { add_header Cache-Control max-age=3600; }"

  /// The upstream example's layout: relative and absolute sources, and names with `@2x`.
  private func upstream(_ locations: String = cached, ago: Int64 = 0) throws -> IconPlace {
    try IconPlace(
      files: [
        "appInfo.json": IconPlace.list(
          (29, "icons/icon.png"), (58, "icons/icon@2x.png"),
          (87, "https://other.example.com/icons/icon@3x.png")),
        "icons/icon.png": IconPlace.picture(29), "icons/icon@2x.png": IconPlace.picture(58),
        "icons/icon@3x.png": IconPlace.picture(87),
      ], locations: locations, ago: ago)
  }

  private func bytes(_ icon: Result<FetchedIcon, IconDownload.Failure>) throws -> [UInt8] {
    switch try icon.get() {
    case .cached(let path): try [UInt8](Data(contentsOf: URL(filePath: "\(path)")))
    case .unkept(let png): png
    }
  }

  @Test(arguments: [
    (29.0, "icons.example.com /icons/icon.png 200"),
    (58, "icons.example.com /icons/icon@2x.png 200"),
    (30, "icons.example.com /icons/icon@2x.png 200"),
    (87, "other.example.com /icons/icon@3x.png 200"),
    (88, "other.example.com /icons/icon@3x.png 200"),
  ])
  func pictureThatSuitsIsFetchedAndFinished(pixels: Double, request: String) throws {
    let place = try upstream()
    let source = request.contains("@3x") ? 87.0 : request.contains("@2x") ? 58 : 29
    let expected = try IconPlace.rendering(pixels).render(png: IconPlace.picture(source))
    #expect(try bytes(place.icon(pixels: pixels)) == expected)
    #expect(
      try place.server.requests(expecting: 2) == ["icons.example.com /appInfo.json 200", request])
    // Nothing is asked while both are fresh.
    #expect(try bytes(place.icon(pixels: pixels)) == expected)
    #expect(try place.server.requests(expecting: 2).count == 2)
    #expect(place.warnings == [])
  }

  @Test func staleAnswersAreAskedAboutAndRefreshed() throws {
    let place = try upstream(ago: 10_000)
    let first = try bytes(place.icon())
    place.pass(3601)
    #expect(try bytes(place.icon()) == first)
    #expect(
      try place.server.requests(expecting: 4).suffix(2) == [
        "icons.example.com /appInfo.json 304", "icons.example.com /icons/icon@2x.png 304",
      ])
    place.pass(3000)
    #expect(try bytes(place.icon()) == first)
    #expect(try place.server.requests(expecting: 4).count == 4)
    #expect(try bytes(place.icon(.refresh)) == first)
    #expect(try place.server.requests(expecting: 6).count == 6)
  }

  @Test func changedPictureTakesTheOldOnesPlace() throws {
    let place = try upstream()
    let first = try bytes(place.icon())
    try place.server.replace("icons/icon@2x.png", with: IconPlace.picture(60))
    #expect(try bytes(place.icon()) == first)
    let second = try IconPlace.rendering(58).render(png: IconPlace.picture(60))
    #expect(try bytes(place.icon(.refresh)) == second)
    #expect(second != first)
  }

  @Test func withoutAWordAnswersAreAskedAboutEachTime() throws {
    let place = try upstream("")
    let first = try bytes(place.icon())
    place.pass(1)
    #expect(try bytes(place.icon()) == first)
    #expect(try place.server.requests(expecting: 4).filter { $0.hasSuffix(" 304") }.count == 2)
  }

  @Test func whatMustNotBeKeptIsNotKept() throws {
    let place = try upstream("location / { add_header Cache-Control no-store; }")
    let expected = try IconPlace.rendering(58).render(png: IconPlace.picture(58))
    #expect(try place.icon().get() == .unkept(expected))
    #expect(try place.cache().statistics().entries == 0)
  }

  /// Without the list nobody finds the picture in the cache.
  @Test func pictureOfAListThatMustNotBeKeptIsGivenAsItIs() throws {
    let place = try upstream(
      "location = /appInfo.json { add_header Cache-Control no-store; } \(Self.cached)")
    let expected = try IconPlace.rendering(58).render(png: IconPlace.picture(58))
    #expect(try place.icon().get() == .unkept(expected))
    #expect(try place.icon().get() == .unkept(expected))
    #expect(try place.server.requests(expecting: 3).count == 3)
  }

  /// Nor is it found by a picture of the same content.
  @Test func pictureThatMustNotBeKeptIsGivenAsItIsThoughAnotherIsKept() throws {
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((58, "icon.png")),
        "other.json": IconPlace.list((58, "other.png")),
        "icon.png": IconPlace.picture(58), "other.png": IconPlace.picture(58),
      ],
      locations: "location = /icon.png { add_header Cache-Control no-store; } \(Self.cached)")
    let expected = try IconPlace.rendering(58).render(png: IconPlace.picture(58))
    #expect(try bytes(place.icon(of: "/other.json")) == expected)
    #expect(try place.icon().get() == .unkept(expected))
  }

  @Test func offlineTakesWhatThereIsAndAsksNobody() throws {
    let place = try upstream()
    let url = try ResolvedURL(IconPlace.icons + "/appInfo.json")
    #expect(try place.icon(.offline) == .failure(IconDownload.Failure(url, .offline)))
    let first = try bytes(place.icon())
    place.pass(400 * Self.day)
    #expect(try bytes(place.icon(.offline)) == first)
    #expect(try place.server.requests(expecting: 2).count == 2)
  }

  @Test func relativeSourceBelongsToTheFinalURL() throws {
    let place = try IconPlace(
      files: [
        "moved/appInfo.json": IconPlace.list((58, "icon.png")),
        "moved/icon.png": IconPlace.picture(58),
      ],
      locations: "rewrite ^/appInfo.json https://other.example.com/moved/appInfo.json permanent;")
    _ = try place.icon().get()
    #expect(
      try place.server.requests(expecting: 3) == [
        "icons.example.com /appInfo.json 301", "other.example.com /moved/appInfo.json 200",
        "other.example.com /moved/icon.png 200",
      ])
  }

  @Test(arguments: [
    ("return 302 /list.json;", 2), ("return 307 /list.json;", 2), ("return 301 /list.json;", 1),
    ("add_header Cache-Control max-age=3600; return 302 /list.json;", 1),
    ("add_header Cache-Control no-cache; return 301 /list.json;", 2),
  ])
  func redirectIsAskedAboutAsItSays(answer: String, count: Int) throws {
    let place = try IconPlace(
      files: [
        "list.json": IconPlace.list((58, "icon.png")), "icon.png": IconPlace.picture(58),
      ],
      locations: """
        location = /appInfo.json { \(answer) }
        \(Self.cached)
        """)
    for _ in 1...2 {
      _ = try place.icon().get()
      place.pass(10)
    }
    let requests = try place.server.requests(expecting: 1 + 2 * count)
    #expect(requests.count { $0.contains(" /appInfo.json ") } == count, "\(requests)")
    #expect(requests.count { $0.contains(" /list.json ") } == count, "\(requests)")
  }

  @Test func whatARedirectForbidsToKeepIsNotKept() throws {
    let place = try IconPlace(
      files: ["icon.png": IconPlace.picture(58)],
      locations: """
        location = /appInfo.json { add_header Cache-Control no-store; return 302 /icon.png; }
        \(Self.cached)
        """)
    let expected = try IconPlace.rendering(58).render(png: IconPlace.picture(58))
    #expect(try place.icon().get() == .unkept(expected))
    #expect(try place.cache().statistics().entries == 0)
  }

  @Test(arguments: [
    ("http://icons.example.com/a.json", "the scheme 'http' is not https"),
    ("https://127.0.0.1/a.json", "the host '127.0.0.1' is an IP address, not a name"),
    ("https://printer.local/a.json", "the host 'printer.local' is in '.local'"),
    ("https://icons.example.com:8443/a.json", "port 8443 is not allowed"),
  ])
  func redirectToARefusedPlaceIsRefusedAndNotRemembered(target: String, words: String) throws {
    let place = try IconPlace(locations: "rewrite ^/appInfo.json \(target) redirect;")
    for count in 1...2 {
      guard case .failure(let failure) = try place.icon() else {
        Issue.record("an icon came of it")
        return
      }
      #expect("\(failure)".contains("redirected to \(target): refused: \(words)"), "\(failure)")
      #expect(!failure.meansNone)
      #expect(try place.server.requests(expecting: count).count == count)
    }
  }

  @Test func sourceThatPolicyRefusesGivesWayToTheNext() throws {
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((29, "good.png"), (58, "https://10.0.0.1/icon.png")),
        "good.png": IconPlace.picture(29),
      ], locations: Self.cached)
    #expect(
      try bytes(place.icon())
        == IconPlace.rendering(58).render(png: IconPlace.picture(29)))
    #expect(place.warnings == [])
  }

  @Test func pictureSmallerThanItsListSaysGivesWay() throws {
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((58, "liar.png"), (87, "icon.png")),
        "only.json": IconPlace.list((58, "liar.png")),
        "liar.png": IconPlace.picture(16), "icon.png": IconPlace.picture(87),
      ], locations: Self.cached)
    #expect(try bytes(place.icon()) == IconPlace.rendering(58).render(png: IconPlace.picture(87)))
    #expect(
      try bytes(place.icon(of: "/only.json"))
        == IconPlace.rendering(58).render(png: IconPlace.picture(16)))
  }

  @Test func noIconIsReportedOnlyWhereAllCandidatesSaySo() throws {
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((58, "none.png"), (87, "page.html")),
        "gone.json": IconPlace.list((58, "none.png"), (87, "neither.png")),
        "page.html": Array("<p>".utf8),
      ], locations: Self.cached)
    for (path, failing, meansNone) in [
      ("/appInfo.json", "/page.html", false), ("/gone.json", "/none.png", true),
    ] {
      guard case .failure(let failure) = try place.icon(.refresh, of: path) else {
        Issue.record("an icon came of it")
        return
      }
      #expect(failure.url.text == IconPlace.icons + failing)
      #expect(failure.meansNone == meansNone)
    }
  }

  @Test func allServersTogetherHaveTheTimeOfOne() throws {
    let slow = (1...3).map { "https://other.example.com/silent?\($0)" }
    let place = try IconPlace(
      files: ["appInfo.json": IconPlace.list((58, slow[0]), (87, slow[1]), (100, slow[2]))],
      locations: Self.cached)
    let server = try MisbehavingServer(try place.authority.identity(for: ["*.example.com"]))
    let download = try place.download(otherPort: server.port)
    let url = try ResolvedURL(IconPlace.icons + "/appInfo.json")
    #expect(throws: IconDownload.Failure.self) {
      _ = try download.icon(listedAt: url, IconPlace.rendering(58))
    }
    // Each is given up after five seconds of the fifteen. What the last does not have of them it
    // is not blamed for; whether the second is depends on the load.
    let remembered = try slow.map { try place.cache().head(ResolvedURL($0))?.failure?.kind }
    #expect(remembered.first == .some(.unreachable))
    #expect(remembered.last == .some(nil))
  }

  @Test func whatIsGoneIsAskedForAgainAfterADay() throws {
    let place = try IconPlace(locations: "location = /appInfo.json { return 404; }")
    let url = try ResolvedURL(IconPlace.icons + "/appInfo.json")
    guard case .failure(let first) = try place.icon() else {
      Issue.record("an icon came of it")
      return
    }
    #expect(
      "\(first)"
        == "\(url.text): cannot fetch: the server responded with status 404")
    #expect(first.meansNone)
    place.pass(Self.day - 10)
    guard case .failure(let second) = try place.icon() else {
      Issue.record("an icon came of it")
      return
    }
    #expect(
      "\(second)"
        == "\(url.text): the server had nothing there last time; next attempt in 10 s")
    #expect(try place.server.requests(expecting: 1).count == 1)
    place.pass(11)
    _ = try place.icon()
    #expect(try place.server.requests(expecting: 2).count == 2)
    _ = try place.icon(.refresh)
    #expect(try place.server.requests(expecting: 3).count == 3)
  }

  @Test func failingServerIsAskedAgainAfterAnHourAndThenTwo() throws {
    let place = try IconPlace(locations: "location = /appInfo.json { return 500; }")
    for seconds: Int64 in [0, 3599, 1, 7199, 1] {
      place.pass(seconds)
      guard case .failure(let failure) = try place.icon() else {
        Issue.record("an icon came of it")
        return
      }
      #expect(!failure.meansNone)
    }
    #expect(try place.server.requests(expecting: 3).count == 3)
  }

  @Test func staleIconServesWhileTheServerFails() throws {
    let place = try upstream()
    let first = try bytes(place.icon())
    place.pass(3601)
    // Nobody listens there any more.
    let port = LoopbackPort.free().number
    #expect(try bytes(place.icon(port: port)) == first)
    #expect(place.warnings.count == 2)
    #expect(
      place.warnings.first
        == "\(IconPlace.icons)/appInfo.json: cannot fetch: cannot connect to the server; "
        + "try again later; using the cached copy")
    // And is not asked for an hour.
    #expect(try bytes(place.icon(port: port)) == first)
    #expect(place.warnings.count == 2)
    place.pass(31 * Self.day)
    guard case .failure(let failure) = try place.icon(port: port) else {
      Issue.record("what is too old was used")
      return
    }
    #expect(failure.url.text == IconPlace.icons + "/appInfo.json")
  }

  @Test(arguments: [
    ("damaged/huge.png", "a side of 30000 pixels is longer than the 2048 allowed (at byte 16)"),
    ("damaged/not-deflated.png", "invalid window size"),
    ("damaged/rows-missing.png", "Not enough image data"),
    ("html", "not a PNG picture (at byte 0)"),
  ])
  func pictureThatCannotBeReadGivesWayToTheNext(name: String, words: String) throws {
    let bad = name == "html" ? Array("<!doctype html>".utf8) : try Fixture.bytes("Pictures/\(name)")
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((29, "good.png"), (58, "bad.png")), "bad.png": bad,
        "only.json": IconPlace.list((58, "bad.png")), "good.png": IconPlace.picture(29),
      ], locations: Self.cached)
    #expect(
      try bytes(place.icon()) == IconPlace.rendering(58).render(png: IconPlace.picture(29)))
    guard case .failure(let failure) = try place.icon(.refresh, of: "/only.json") else {
      Issue.record("an icon came of it")
      return
    }
    #expect(failure.url.text == IconPlace.icons + "/bad.png")
    #expect("\(failure)".contains(words), "\(failure)")
    // It is remembered for a week.
    let count = try place.server.requests(expecting: 4).count
    place.pass(7 * Self.day - 10)
    _ = try place.icon(of: "/only.json")
    let later = try place.server.requests(expecting: count + 1).dropFirst(count)
    #expect(!later.contains { $0.contains("bad.png") })
  }

  @Test(arguments: [
    "palette-4", "palette-8-transparent", "palette-2-interlaced", "grey-1", "grey-16",
    "grey-alpha-16-interlaced", "rgb-16", "rgb-8-interlaced", "rgba-8", "rgba-16-interlaced",
    "rgb-8-transparent", "grey-8-transparent",
  ])
  func kindsOfPicturesAreFinishedAlike(kind: String) throws {
    let picture = try Fixture.bytes("Pictures/kinds/\(kind).png")
    let place = try IconPlace(
      files: ["appInfo.json": IconPlace.list((58, "icon.png")), "icon.png": picture])
    #expect(try bytes(place.icon()) == IconPlace.rendering(58).render(png: picture))
  }

  @Test func contentTellsWhatItIsRatherThanItsType() throws {
    let place = try IconPlace(
      files: [
        "appInfo.html": IconPlace.list((58, "icon.json")), "icon.json": IconPlace.picture(58),
      ])
    _ = try place.icon(of: "/appInfo.html").get()
    // A picture's own URL instead of the list's.
    _ = try place.icon(of: "/icon.json").get()
  }

  @Test func listNamedAsAPictureStaysAList() throws {
    let place = try IconPlace(
      files: [
        "appInfo.json": IconPlace.list((58, "icon.png")), "icon.png": IconPlace.picture(58),
        "evil.json": IconPlace.list((58, "https://icons.example.com/appInfo.json")),
      ], locations: Self.cached)
    let url = try ResolvedURL(IconPlace.icons + "/appInfo.json")
    let refusal = IconDownload.Failure(url, .unreadable("a list of icons, not a picture"))
    // Before it is cached, and when it is.
    #expect(try place.icon(of: "/evil.json") == .failure(refusal))
    _ = try place.icon().get()
    #expect(try place.icon(of: "/evil.json") == .failure(refusal))
    place.pass(10)
    _ = try place.icon().get()
    #expect(
      try place.server.requests(expecting: 3) == [
        "icons.example.com /evil.json 200", "icons.example.com /appInfo.json 200",
        "icons.example.com /icon.png 200",
      ])
  }

  @Test func pictureNamedAsAListMayBeAsLargeAsAny() throws {
    let picture = try IconPlace.picture(58)
    // What is after the picture's end is not looked at.
    let large = picture + [UInt8](repeating: 0, count: 100_000)
    let place = try IconPlace(files: ["icon.png": large], locations: Self.cached)
    #expect(
      try bytes(place.icon(of: "/icon.png")) == IconPlace.rendering(58).render(png: picture))
  }

  @Test(arguments: [
    ("[]", "the root is an array, not an object"), ("{}", "the key 'icons' is missing"),
    ("{\"icons\": {}}", "'icons' is an object, not an array"),
    ("{\"icons\": []}", "no usable icon offered"),
    (
      "{\"icons\": [1, null, \"x\", {}, {\"width\": -1, \"height\": 2, \"src\": \"a\"}]}",
      "no usable icon offered"
    ),
    (
      "{\"icons\": [{\"width\": 1e999, \"height\": 58, \"src\": \"a\"}]}",
      "no usable icon offered"
    ),
    ("{\"icons\": [", "invalid JSON"), ("", "invalid JSON"), ("\u{0}", "invalid JSON"),
    ("<html>", "invalid JSON"),
  ])
  func listOfAWrongShapeIsReportedWhy(json: String, words: String) throws {
    let place = try IconPlace(files: ["appInfo.json": Array(json.utf8)])
    guard case .failure(let failure) = try place.icon() else {
      Issue.record("an icon came of it")
      return
    }
    let prefix = "\(IconPlace.icons)/appInfo.json: \(words)"
    #expect("\(failure)".hasPrefix(prefix), "\(failure)")
    #expect(failure.meansNone == (failure.cause == .noIcon))
  }

  @Test func deepAndLongListsAreRefused() throws {
    let deep = "{\"icons\": " + String(repeating: "[", count: 20_000)
    let long = "{\"icons\": [" + String(repeating: " ", count: 70_000) + "]}"
    for json in [deep, long] {
      let place = try IconPlace(files: ["appInfo.json": Array(json.utf8)])
      guard case .failure(let failure) = try place.icon() else {
        Issue.record("an icon came of it")
        return
      }
      #expect(!failure.meansNone, "\(failure)")
    }
  }
}
