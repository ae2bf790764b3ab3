import ForeignFormats
import TestSupport
import Testing

/// The text of `com.apple.quarantine`.
@Suite struct QuarantineTests {
  private static func fixture(_ name: String) throws -> Quarantine {
    try Quarantine(Fixture.bytes("Quarantine/\(name)"))
  }

  private static func check(
    _ quarantine: Quarantine, _ flags: UInt32, _ seconds: Int64?, _ agent: String?,
    _ identifier: String?
  ) {
    #expect(quarantine.flags.rawValue == flags)
    #expect(quarantine.seconds == seconds)
    #expect(quarantine.agent == agent)
    #expect(quarantine.identifier == identifier)
  }

  @Test func fieldsAreRead() throws {
    Self.check(
      try Self.fixture("safari"), 0x83, 1_605_184_046, "Safari",
      "B59FB9ED-5A29-4E5B-856C-7ED0EFEA70AC")
    #expect(try Self.fixture("safari").flags.contains([.download, .sandbox]))
  }

  @Test func escapedSpaceIsASpace() throws {
    Self.check(
      try Self.fixture("chrome-escaped"), 1, 1_443_711_547, "Google Chrome",
      "6A872D26-B56D-4D1F-A1AC-0315BF0D29D9")
  }

  @Test func identifierMayBeMissingOrEmpty() throws {
    Self.check(try Self.fixture("three-fields"), 2, 1_659_516_925, "TextEdit", nil)
    Self.check(try Self.fixture("approved"), 0xc1, 1_659_516_925, "Firefox", nil)
    #expect(try Self.fixture("approved").flags.contains(.approved))
  }

  @Test(
    arguments: [
      ("0081;50a2b5a8;Firefox;|org.mozilla.firefox", nil, "org.mozilla.firefox"),
      ("0001;50a2b5a8;Firefox;9E1C5C20|org.mozilla.firefox", "9E1C5C20", "org.mozilla.firefox"),
      ("0001;50a2b5a8;Firefox;9E1C5C20|", "9E1C5C20", nil),
      ("0001;50a2b5a8;Firefox;|a|b", nil, "a|b"),
    ] as [(String, String?, String?)])
  func identifierOfTheProgramFollowsABar(
    _ text: String, _ identifier: String?, _ agent: String?
  ) throws {
    let quarantine = try Quarantine(Array(text.utf8))
    #expect(quarantine.identifier == identifier)
    #expect(quarantine.agentIdentifier == agent)
    #expect(quarantine.agent == "Firefox")
  }

  @Test func kernelsFormHasNeitherTimeNorAgent() throws {
    Self.check(try Self.fixture("kernel-empty"), 0x83, nil, nil, nil)
  }

  @Test func sambasNULIsPassedOver() throws {
    let stored = try Fixture.bytes("Samba/DosStream.com.apple.quarantine.value.bin")
    #expect(try Quarantine(stored) == Self.fixture("safari"))
  }

  @Test(
    arguments: [
      ("", .empty, 0),
      ("\0", .empty, 0),
      ("0083", .fieldCount, 4),
      ("0083;5fad2a2e", .fieldCount, 13),
      ("0083;5fad2a2e;a;b;c", .fieldCount, 17),
      (";5fad2a2e;a;", .flags, 0),
      ("008g;5fad2a2e;a;", .flags, 0),
      ("q/-083;5fad2a2e;a;", .flags, 2),
      ("000000083;5fad2a2e;a;", .flags, 0),
      ("0083;;a;", .time, 5),
      ("0083;+fad2a2e;a;", .time, 5),
      ("0083;8000000000000000;a;", .time, 5),
      ("0083;00000000000000001;a;", .time, 5),
      ("0083;5fad2a2e;a\\x2;b", .escape, 15),
      ("0083;5fad2a2e;\\x00;b", .nul, 14),
      ("0083;5fad2a2e;\\xff;b", .notUTF8, 14),
      ("0083;5fad2a2e;a\0b;c", .nul, 15),
    ] as [(String, MarkFailure.Reason, Int)])
  func rejectionTellsReasonAndOffset(
    _ text: String, _ reason: MarkFailure.Reason, _ offset: Int
  ) {
    #expect(throws: MarkFailure(reason, at: offset)) { try Quarantine(Array(text.utf8)) }
  }

  @Test func longValueIsRejected() throws {
    let value = Array("0083;5fad2a2e;".utf8)
    let name = { [UInt8](repeating: 0x61, count: Quarantine.limit - value.count + $0) }
    #expect(try Quarantine(value + name(0)).seconds == 0x5fad_2a2e)
    #expect(throws: MarkFailure(.tooLong, at: Quarantine.limit)) {
      try Quarantine(value + name(1))
    }
  }

  @Test func bytesThatAreNoTextAreRejectedWhereTheyStand() {
    let bytes = Array("0083;5fad2a2e;aé".utf8) + [0xff] + Array(";b".utf8)
    #expect(throws: MarkFailure(.notUTF8, at: 17)) { try Quarantine(bytes) }
    let long = [UInt8](repeating: UInt8(ascii: "0"), count: Quarantine.limit + 1)
    #expect(throws: MarkFailure(.tooLong, at: Quarantine.limit)) { try Quarantine(long) }
  }
}
