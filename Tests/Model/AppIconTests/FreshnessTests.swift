import Testing

@testable import AppIcon

@Suite struct FreshnessTests {
  private static let now: Int64 = 1_700_000_000
  private static let date = "Date: Tue, 14 Nov 2023 22:13:20 GMT\n"
  private static let month: Int64 = 30 * 86400

  private func freshness(_ block: String, requested: Int64 = now) throws -> Freshness {
    let fields = try HTTPHeaderFields(parsing: Array(block.utf8))
    return Freshness(of: fields, requested: requested, received: Self.now)
  }

  private func lifetime(_ block: String, requested: Int64 = now) throws -> Int64 {
    try freshness(block, requested: requested).freshUntil - Self.now
  }

  @Test(arguments: [
    ("max-age=300", 300), ("max-age=0", 0), ("max-age=\"300\"", 300), ("MAX-AGE=300", 300),
    ("max-age=300, max-age=60", 60), ("max-age=60, max-age=300", 60), ("max-age=x", 0),
    ("max-age=-5", 0), ("max-age", 0), ("max-age=", 0), ("max-age=1.5", 0),
    ("max-age=300, no-cache", 0),
    ("public,max-age=300,s-maxage=9", 300), ("s-maxage=9", 0), ("no-cache=\"a, b\", max-age=9", 0),
    ("private=\"max-age=9\", max-age=300", 300), ("x=\"a\\\", max-age=9\", max-age=300", 300),
    ("max-age=99999999999999999999999", 2_147_483_648), (",, ,max-age=300", 300),
    ("max-age=300 junk, must-revalidate", 300), ("=5, max-age=300", 300), ("x=\"", 0),
    ("x=\"\\", 0),
  ])
  func cacheControlDecidesTheLifetime(_ value: String, _ lifetime: Int64) throws {
    #expect(try self.lifetime(Self.date + "Cache-Control: \(value)\n") == lifetime)
  }

  @Test func stricterOfSeveralFieldsCounts() throws {
    let block = Self.date + "Cache-Control: max-age=300\nCache-Control: max-age=20, no-store\n"
    #expect(try lifetime(block) == 20)
    #expect(try freshness(block).isStorable == false)
  }

  @Test(arguments: [
    ("Expires: Tue, 14 Nov 2023 22:23:20 GMT\n", 600), ("Expires: 0\n", 0),
    ("Expires: Tue, 14 Nov 2023 22:03:20 GMT\n", 0),
    ("Expires: Tue, 14 Nov 2023 22:23:20 GMT\nExpires: Tue, 14 Nov 2023 22:14:20 GMT\n", 60),
    ("Expires: Tue, 14 Nov 2023 22:23:20 GMT\nExpires: never\n", 0),
    ("Expires: Tue, 14 Nov 2023 22:23:20 GMT\nCache-Control: max-age=5\n", 5),
    ("Last-Modified: Tue, 14 Nov 2023 21:13:20 GMT\n", 360),
    ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\n", 7 * 86400),
    ("Last-Modified: Tue, 14 Nov 2023 23:13:20 GMT\n", 0), ("Last-Modified: then\n", 0), ("", 0),
    ("Cache-Control: max-age=300\nVary: *\n", 0), ("Cache-Control: max-age=300\nVary: a\n", 300),
  ])
  func withoutMaximumAgeOtherFieldsDecide(_ block: String, _ lifetime: Int64) throws {
    #expect(try self.lifetime(Self.date + block) == lifetime)
  }

  @Test(arguments: [
    ("Age: 100\n", 200), ("Age: 100, 5\n", 200), ("Age: x\n", 300), ("Age: 500\n", 0),
    ("Age: -1\n", 300), ("Age: 99999999999999999999\n", 0),
    ("Date: Tue, 14 Nov 2023 22:12:20 GMT\n", 240),
    ("Date: Tue, 14 Nov 2023 22:12:20 GMT\nAge: 100\n", 200),
    ("Date: Tue, 14 Nov 2033 22:12:20 GMT\n", 300),
  ])
  func ageThatItHasIsTakenOff(_ block: String, _ lifetime: Int64) throws {
    #expect(try self.lifetime("Cache-Control: max-age=300\n" + block) == lifetime)
  }

  @Test func timeOnTheWayCountsAsAge() throws {
    let block = "Cache-Control: max-age=300\nAge: 100\n"
    #expect(try lifetime(block, requested: Self.now - 7) == 193)
    #expect(try lifetime(block, requested: Self.now + 7) == 200)
  }

  @Test func staleContentServesForThirtyDaysUnlessForbidden() throws {
    func staleTime(_ value: String) throws -> Int64 {
      let freshness = try freshness(Self.date + "Cache-Control: \(value)\n")
      return freshness.usableUntil - freshness.freshUntil
    }
    #expect(try staleTime("max-age=5") == Self.month)
    #expect(try staleTime("max-age=5, must-revalidate") == 0)
    #expect(try staleTime("no-cache") == 0)
  }

  @Test func redirectLimitsWhatItLeadsTo() throws {
    let short = try freshness(Self.date + "Cache-Control: max-age=5, must-revalidate\n")
    let long = try freshness(Self.date + "Cache-Control: max-age=500\n")
    #expect(long.limited(to: short).freshUntil == Self.now + 5)
    #expect(long.limited(to: short).usableUntil == Self.now + 5)
    #expect(short.limited(to: long) == long.limited(to: short))
    let kept = try freshness("Cache-Control: no-store\n")
    #expect(long.limited(to: kept).isStorable == false)
  }

  @Test func unreachableServersAreAskedEverMoreSeldom() {
    var failure: RememberedFailure?
    var hours: [Int64] = []
    for _ in 0..<8 {
      failure = RememberedFailure(.unreachable, after: failure, now: Self.now)
      hours.append(((failure?.retryAt ?? 0) - Self.now) / 3600)
    }
    #expect(hours == [1, 2, 4, 8, 16, 24, 24, 24])
    #expect(failure?.attempts == 8)
  }

  @Test func otherFailuresHaveTheirDelays() {
    let unreachable = RememberedFailure(.unreachable, now: 0)
    let gone = RememberedFailure(.gone, after: unreachable, now: 0)
    #expect((gone.attempts, gone.retryAt) == (1, 86400))
    #expect(RememberedFailure(.undecodable, after: gone, now: 0).retryAt == 7 * 86400)
    #expect(RememberedFailure(.unreachable, after: gone, now: 0).retryAt == 3600)
  }

  @Test(arguments: RememberedFailure.Kind.allCases)
  func clockThatWasSetBackEndsTheWait(_ kind: RememberedFailure.Kind) throws {
    let failure = RememberedFailure(kind, after: RememberedFailure(kind, now: 0), now: Self.now)
    #expect(failure.forbidsRetry(at: Self.now - 60))
    #expect(failure.forbidsRetry(at: failure.retryAt - 1))
    #expect(!failure.forbidsRetry(at: failure.retryAt))
    #expect(!failure.forbidsRetry(at: Self.now - 61))
    var head = CacheHead(
      url: try ResolvedURL("https://a.example/"), status: 404, failure: failure, stored: Self.now)
    #expect(head.state(at: Self.now) == .failed(failure))
    #expect(head.state(at: Self.now - 61) == .retry(failure))
    head = try Cached.entry("https://a.example/", lifetime: 600).head
    head.failure = RememberedFailure(kind, now: Cached.now)
    #expect(!head.mayAsk(at: Cached.now))
    #expect(head.mayAsk(at: Cached.now - 61))
  }
}
