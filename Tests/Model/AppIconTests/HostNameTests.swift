import AppIcon
import Testing

@Suite struct HostNameTests {
  @Test(arguments: [
    ("example.com", "example.com"), ("EXAMPLE.Com.", "example.com"), ("localhost", "localhost"),
    ("a_b.xn--bcher-kva.example", "a_b.xn--bcher-kva.example"),
    (String(repeating: "a.", count: 126) + "a", String(repeating: "a.", count: 126) + "a"),
  ])
  func nameIsInLowerCaseWithoutTheRoot(_ text: String, _ name: String) throws {
    #expect(try HostName(text).text == name)
  }

  @Test(arguments: [
    ("[::1]", HostName.Flaw.address), ("127.0.0.1", .address), ("2130706433", .address),
    ("0x7f.1", .address), ("a.0x", .address), ("a%2eb", .percentEncoded), ("", .malformed),
    (".", .malformed), ("a..b", .malformed), (".a", .malformed), ("a b", .malformed),
    ("bücher.example", .malformed), ("a.example:443", .malformed), ("*.example", .malformed),
    (String(repeating: "a", count: 64) + ".example", .malformed),
    (String(repeating: "a.", count: 128), .malformed),
  ])
  func flawOfWhatIsNoNameIsTold(_ text: String, _ flaw: HostName.Flaw) {
    #expect(throws: flaw) { try HostName(text) }
  }

  @Test func labelsAreTold() throws {
    #expect(try HostName("localhost").isSingleLabel)
    #expect(try !HostName("a.example").isSingleLabel)
    #expect(try HostName("a.Example.").topLevelDomain == "example")
    #expect(try HostName("localhost").topLevelDomain == "localhost")
  }
}
