import BinaryPropertyList
import TestSupport
import Testing

@testable import Handoff

@Suite struct IntentCatalogueTests {
  private static func application(_ json: String) throws -> IntentApplication {
    try #require(IntentCatalogue(try JSONList.read(json), name: "App").applications.first)
  }

  private static func failure(
    _ body: () throws -> some Any
  ) -> IntentFailure? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? IntentFailure
    }
  }

  @Test func missingArgumentIsNamed() {
    #expect(
      Self.failure { try IntentTemplate("x://{{one}}/{{{two}}}").url(["one": "1"]) }
        == .missingArgument("two"))
    #expect(Self.failure { try IntentTemplate("no scheme").url([:]) } == .noScheme)
    #expect(Self.failure { try IntentTemplate("{{a}}://b").url(["a": "http"]) } == .noScheme)
  }

  @Test(arguments: [
    "google.com/a b", "google.com/\n", "google.com/\u{7f}", "é.example", "a\"b", "a<b", "a{b}",
    "a@b@c/[", "", "/path", "a:b:c",
  ])
  func rawValueThatMakesNoURLIsRefused(_ value: String) {
    let failure = Self.failure { try IntentTemplate("http://{{{url}}}").url(["url": value]) }
    guard case .noURL? = failure else {
      Issue.record("\(value): \(String(describing: failure))")
      return
    }
  }

  @Test(arguments: ["a b", "1\n2", "é", "<", "`", "\u{0}", "{"])
  func rawValueWithoutHostIsCheckedToo(_ value: String) {
    #expect(
      Self.failure { try IntentTemplate("tel:{{{number}}}").url(["number": value]) }
        == .noURL("the URL contains a character that has to be percent-encoded"))
  }

  /// As CFURLCreateStringByAddingPercentEscapes was seen to do, for all of ASCII.
  @Test func onlyLettersDigitsAndFiveMarksStayAsTheyAre() throws {
    let kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~,"
    for byte in UInt8(1)..<128 {
      let character = String(Unicode.Scalar(byte))
      let digits = String(byte, radix: 16, uppercase: true)
      let escaped = "%" + (byte < 16 ? "0" : "") + digits
      #expect(
        try IntentTemplate("a:{{b}}").url(["b": character])
          == "a:" + (kept.contains(character) ? character : escaped))
    }
    #expect(try IntentTemplate("a:{{b}}").url(["b": "é"]) == "a:%C3%A9")
  }

  @Test(arguments: ["javascript:{{a}}", "FILE:///{{a}}", "data:text/html,{{a}}", "blob:{{a}}"])
  func schemesOfProgramsAndFilesAreNeverOpened(_ template: String) {
    let scheme = String(template.prefix { $0 != ":" })
    #expect(Self.failure { try IntentTemplate(template).url(["a": "1"]) } == .refusedScheme(scheme))
  }

  @Test func valueNeverBecomesAnOption() throws {
    let application = try Self.application(
      #"{"name":"A","exec":{"call:":["dial","--to={{{number}}}","{{{number}}}"]}}"#)
    guard case .program(let words)? = application.way(of: "call:") else {
      Issue.record("no program")
      return
    }
    #expect(
      try IntentApplication.words(words, ["number": "+49 1; rm -rf /"])
        == ["dial", "--to=+49 1; rm -rf /", "+49 1; rm -rf /"])
    #expect(
      Self.failure { try IntentApplication.words(words, ["number": "--exec=x"]) }
        == .option("--exec=x"))
    #expect(Self.failure { try IntentApplication.words(words, ["number": "-"]) } == .option("-"))
  }

  @Test func optionalPartsComeInTheirOrderAndTheFirstJoins() throws {
    let list = PropertyList.dictionary([
      "name": .string("A"),
      "actions": .dictionary(["sendMailTo:": .string("mailto:{{recipient}}")]),
      "optional": .dictionary([
        "subject": .string("&subject={{subject}}"), "messageBody": .string("&body={{messageBody}}"),
      ]),
    ])
    let application = try #require(IntentCatalogue(list, name: "A").applications.first)
    guard case .url(let template)? = application.way(of: "sendMailTo:") else { return }
    #expect(
      try application.url(template, ["recipient": "a", "messageBody": "&", "subject": "?"])
        == "mailto:a?subject=%3F&body=%26")
    #expect(
      try application.url(template, ["recipient": "a", "messageBody": "b"]) == "mailto:a?body=b")
    #expect(try application.url(template, ["recipient": "a"]) == "mailto:a")
  }

  @Test(arguments: [
    ("sendMailTo:", ["recipient": "a@b", "to": "b"], IntentFailure.unknownArgument("to")),
    (
      "sendMailTo:", ["recipient": "ann@example.org\r\nBcc: evil@example.org"],
      .badArgument(
        "recipient", #"'ann@example.org\r\nBcc: evil@example.org' is not a mail address"#)
    ),
    (
      "sendMailTo:", ["recipient": "a@b',attachment=c@d"],
      .badArgument("recipient", "'a@b'' is not a mail address")
    ),
    (
      "sendMailTo:", ["recipient": "a@b, c"],
      .badArgument("recipient", "'c' is not a mail address")
    ),
    (
      "sendMailTo:", ["recipient": "a@b,"], .badArgument("recipient", "'' is not a mail address")
    ),
    ("sendMailTo", [:], .missingArgument("recipient")),
    ("openURL:", ["url": "ftp://a"], .badArgument("url", "it is no http: or https: URL")),
    ("openURL", ["url": "nothing"], .badArgument("url", "it has no scheme")),
    (
      "directionsFrom:to:mode:", ["from": "a", "to": "b", "mode": "flying"],
      .badArgument("mode", "expected driving, transit or walking")
    ),
    (
      "searchForLocation:", ["query": "a", "center": "91,0"],
      .badArgument("center", "expected LATITUDE,LONGITUDE in degrees")
    ),
    (
      "searchForLocation:", ["query": "a", "zoom": "big"],
      .badArgument("zoom", "expected a whole number")
    ),
    ("call:", ["number": "1\u{0}"], .badArgument("number", "it has a NUL character")),
  ])
  func wrongArgumentsAreNamed(
    _ command: String, _ arguments: [String: String], _ expected: IntentFailure
  ) {
    #expect(Self.failure { try IntentRequest(command, arguments) } == expected)
  }

  @Test func argumentsAreWrittenAsIntentKitWritesThem() throws {
    let place = try IntentRequest(
      "searchForLocation", ["query": "a", "center": "-0.5,179.9999999", "zoom": "-1"])
    #expect(place?.arguments == ["query": "a", "center": "-0.500000,180.000000"])
    let way = try IntentRequest("directionsFrom:to:", ["from": "a", "to": "b"])
    #expect(way?.arguments["mode"] == "driving")
    #expect(try IntentRequest("showTimeline", [:])?.arguments == ["activeUser": ""])
    #expect(try IntentRequest("flyTo:", [:]) == nil)
  }

  @Test func unreadableListsArePassedOver() throws {
    func codes(_ json: String, _ name: String = "App") throws -> [IntentFinding.Code] {
      IntentCatalogue(try JSONList.read(json), name: name).findings.map(\.code)
    }
    #expect(try codes(#"["a"]"#) == [.notCatalogue])
    #expect(try codes("{}") == [.noName])
    #expect(try codes(#"{"name":"","actions":{"call:":"tel:{{number}}"}}"#) == [.noName])
    #expect(try codes(#"{"name":{"en":""},"actions":{"call:":"a:"}}"#) == [.noName])
    #expect(try codes(#"{"name":"A"}"#) == [.noActions])
    #expect(try codes(#"{"name":"A","actions":["call:"]}"#) == [.noActions])
    #expect(
      try codes(#"{"name":"A","exec":{"call:":["{{number}}"]}}"#) == [.badProgram, .noActions])
    #expect(try codes(#"{"name":"A","exec":{"call:":["a",["b"]]}}"#) == [.badProgram, .noActions])
    #expect(try codes(#"{"defaults":{"INKNothing":{}}}"#) == [.unknownHandler])
    #expect(try codes(#"{"default":"A"}"#, "INKMailHandler") == [])
    #expect(try codes(#"{"name":"A"}"#, "mail") == [.noActions])
  }

  @Test func ofApplicationsWithOneIdentityTheFirstCounts() throws {
    let twins = IntentCatalogue(
      try JSONList.read(
        #"{"apps":{"a":{"name":"A","actions":{"call:":"a:"}},"b":{"name":"A","actions":{"call:":"b:"}},"c":{"name":"C","internalName":"","className":"","actions":{"call:":"c:"}}}}"#
      ), name: "")
    var catalogue = IntentCatalogue()
    catalogue.add(twins)
    #expect(catalogue.applications.map(\.identity) == ["A", "C"])
    #expect(catalogue.applications[0].way(of: "call:") == .url(IntentTemplate("a:")))
    catalogue.add(twins)
    #expect(catalogue.applications.count == 2)
  }

  @Test func flawsOfTheOriginalCataloguesAreFound() throws {
    let findings = try #require(IntentCatalogue.iOS).lint().map { finding in
      [finding.code.rawValue, finding.subject, finding.part, finding.detail].compactMap(\.self)
        .joined(separator: " ")
    }
    #expect(
      findings.filter { !$0.hasPrefix("closed-service") }.sorted() == [
        "fallback-not-web INKGPlusHandler showGPlusEventWithId:",
        "ignored-argument Maps directionsFrom:to:mode: mode",
        "ignored-argument Tweetbot showListWithId: listId",
        "ignored-argument Waze directionsFrom:to:mode: from",
        "ignored-argument Waze directionsFrom:to:mode: mode",
        "single-braces Tweetbot showListWithId: listId",
        "trailing-question-mark INKTwitterHandler retweetTweetWithId:",
      ])
    #expect(findings.count { $0.hasPrefix("closed-service") } == 8)
    #expect(try #require(IntentCatalogue.linux).lint() == [])
  }

  @Test(arguments: [
    (#"{"name":"A","actions":{"fly:":"a:b"}}"#, "unknown-command A fly:"),
    (#"{"name":"A","actions":{"call:":"tel:{{number}}{{x}}"}}"#, "unknown-argument A call: x"),
    (#"{"name":"A","actions":{"call:":"dial {{number}}"}}"#, "no-scheme A call:"),
    (
      #"{"name":"A","actions":{"call:":"javascript:{{number}}"}}"#,
      "refused-scheme A call: javascript"
    ),
    (
      #"{"name":"A","actions":{"searchForLocation:":"geo:{{{query}}}"}}"#,
      "raw-value A searchForLocation: query"
    ),
    (
      #"{"name":"A","actions":{"call:":"tel:{{number}}"},"optional":{"x":"&x={{x}}"}}"#,
      "unknown-argument A x x"
    ),
    (
      #"{"name":"A","actions":{"sendMailTo:":"a:{{recipient}}"},"optional":{"subject":"s={{subject}}"}}"#,
      "optional-part A subject"
    ),
    (
      #"{"defaults":{"INKMailHandler":{"default":"Gone"}}}"#,
      "unknown-application INKMailHandler Gone"
    ),
    (
      #"{"defaults":{"INKMailHandler":{"fallbackUrls":{"call:":"https://a"}}}}"#,
      "unknown-command INKMailHandler call:"
    ),
  ])
  func flawIsFound(_ json: String, _ expected: String) throws {
    let findings = IntentCatalogue(try JSONList.read(json), name: "A").lint()
    #expect(
      findings.map { finding in
        [finding.code.rawValue, finding.subject, finding.part, finding.detail]
          .compactMap(\.self).joined(separator: " ")
      } == [expected])
  }
}

/// The steps of `intents.md`, section 4, as a table.
@Suite struct IntentChoiceTests {
  typealias Outcome = IntentChoice.Outcome

  private static func candidates(_ word: String) -> [IntentChoice.Candidate] {
    word.map { character in
      IntentChoice.Candidate(
        String(character), isFirstParty: character == "F", isInApp: character == "I")
    }
  }

  // Available; stored; the class's default; whether there is a fallback; flags: f no fallback,
  // a always ask, s system default, p show first party, i hide in-app, d no default.
  @Test(arguments: [
    ("", nil, nil, false, "", Outcome.nothing), ("", nil, nil, true, "", .fallback),
    ("", nil, nil, true, "f", .nothing), ("", nil, nil, true, "a", .fallback),
    ("", "A", nil, false, "", .nothing), ("A", nil, nil, true, "", .perform("A")),
    ("A", nil, nil, true, "a", .choose(["A"], remembers: true)),
    ("A", "B", nil, false, "", .perform("A")), ("A", "A", nil, false, "", .perform("A")),
    ("A", "A", nil, false, "a", .choose(["A"], remembers: false)),
    ("AB", nil, nil, true, "", .choose(["A", "B"], remembers: true)),
    ("AB", nil, nil, false, "d", .choose(["A", "B"], remembers: false)),
    ("AB", "B", nil, false, "", .perform("B")),
    ("AB", "B", nil, false, "a", .choose(["A", "B"], remembers: false)),
    ("AB", "C", nil, false, "", .choose(["A", "B"], remembers: false)),
    ("AB", nil, "A", false, "", .choose(["A", "B"], remembers: true)),
    ("AB", nil, "A", false, "s", .perform("A")), ("AB", "B", "A", false, "s", .perform("B")),
    ("AB", nil, "C", false, "s", .choose(["A", "B"], remembers: false)),
    ("AB", "C", "A", false, "s", .choose(["A", "B"], remembers: false)),
    ("F", nil, nil, true, "", .fallback), ("F", nil, nil, false, "", .nothing),
    ("F", nil, nil, false, "p", .perform("F")), ("FA", nil, nil, false, "", .perform("A")),
    ("FA", "F", nil, false, "", .perform("A")), ("FA", "F", nil, false, "p", .perform("F")),
    ("FAB", "F", nil, false, "", .choose(["A", "B"], remembers: false)),
    ("I", nil, nil, false, "", .perform("I")), ("I", nil, nil, true, "i", .fallback),
    ("IA", nil, nil, false, "", .choose(["I", "A"], remembers: true)),
    ("IA", nil, nil, false, "i", .perform("A")), ("IA", nil, "I", false, "s", .perform("I")),
  ])
  func outcomeIsThatOfTheTable(
    _ available: String, _ stored: String?, _ system: String?, _ hasFallback: Bool,
    _ flags: String, _ expected: Outcome
  ) {
    var choice = IntentChoice()
    choice.usesFallback = !flags.contains("f")
    choice.alwaysAsks = flags.contains("a")
    choice.usesSystemDefault = flags.contains("s")
    choice.showsFirstParty = flags.contains("p")
    choice.hidesInApp = flags.contains("i")
    choice.forbidsDefault = flags.contains("d")
    #expect(
      choice.outcome(
        Self.candidates(available), stored: stored, system: system, hasFallback: hasFallback)
        == expected)
  }

  /// The steps as `intents.md` counts them, for all that can be available, stored and asked for.
  @Test func everyCombinationFollowsTheSteps() {
    var count = 0
    for available in ["", "A", "AB", "F", "FA", "FAB", "I", "IA", "FI", "FIA"] {
      for stored in [nil, "A", "F", "Z"] as [String?] {
        for system in [nil, "B", "I", "Z"] as [String?] {
          for bits in 0..<128 {
            var choice = IntentChoice()
            let hasFallback = bits & 1 != 0
            choice.usesFallback = bits & 2 != 0
            choice.alwaysAsks = bits & 4 != 0
            choice.usesSystemDefault = bits & 8 != 0
            choice.showsFirstParty = bits & 16 != 0
            choice.hidesInApp = bits & 32 != 0
            choice.forbidsDefault = bits & 64 != 0
            // 1. Who is left.
            var left = available.map { String($0) }
            if !choice.showsFirstParty { left.removeAll { $0 == "F" } }
            if choice.hidesInApp { left.removeAll { $0 == "I" } }
            let standard = stored ?? (choice.usesSystemDefault ? system : nil)
            let remembers = standard == nil && !choice.forbidsDefault
            var expected = Outcome.choose(left, remembers: remembers)
            if left.isEmpty {
              // 2. Nobody is.
              expected = choice.usesFallback && hasFallback ? .fallback : .nothing
            } else if !choice.alwaysAsks {
              // 3. The only one, or the default.
              if let only = left.first, left.count == 1 {
                expected = .perform(only)
              } else if let standard, left.contains(standard) {
                expected = .perform(standard)
              }
            }
            count += 1
            #expect(
              choice.outcome(
                Self.candidates(available), stored: stored, system: system,
                hasFallback: hasFallback) == expected,
              "\(available) \(stored ?? "-") \(system ?? "-") \(bits)")
          }
        }
      }
    }
    #expect(count == 20_480)
  }
}
