import Glibc
import LinuxSystem
import Testing

@testable import CompanionProtocol

@Suite struct CompanionMessageTests {
  private static let messages = [
    CompanionMessage([]), CompanionMessage([[]]), CompanionMessage("a", "", "b\0c"),
    CompanionMessage([[0xff, 0x00, 0x80], [UInt8](repeating: 7, count: 70_000)]),
  ]

  @Test func fieldsHaveTheirLengthsBeforeThem() {
    #expect(CompanionMessage([]).bytes == [0, 0, 0, 0])
    #expect(
      CompanionMessage("ab", "").bytes == [0, 0, 0, 10, 0, 0, 0, 2, 0x61, 0x62, 0, 0, 0, 0])
  }

  @Test func whatIsWrittenIsRead() throws {
    #expect(try CompanionMessage.all(in: Self.messages.flatMap(\.bytes)) == Self.messages)
    #expect(try CompanionMessage.all(in: []) == [])
  }

  @Test(arguments: [1, 3, 4, 5, 1000])
  func messagesAreTakenAsTheyCome(_ size: Int) throws {
    let bytes = Self.messages.flatMap(\.bytes)
    var decoder = MessageDecoder(limit: 1 << 20)
    var read: [CompanionMessage] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      decoder.append(Array(bytes[start..<min(start + size, bytes.count)]))
      while let message = try decoder.next() { read.append(message) }
    }
    #expect(read == Self.messages)
    #expect(decoder.isEmpty)
  }

  @Test func receiverLimitsLength() throws {
    let bytes = CompanionMessage("123456").bytes
    var decoder = MessageDecoder(limit: 10)
    decoder.append(bytes)
    #expect(try decoder.next() == CompanionMessage("123456"))
    decoder = MessageDecoder(limit: 9)
    // The head alone says so, and nothing is read after it.
    decoder.append(Array(bytes.prefix(4)))
    #expect(throws: CompanionMessage.Malformed.tooLong) { try decoder.next() }
    decoder.append([0, 0, 0, 0])
    #expect(throws: CompanionMessage.Malformed.tooLong) { try decoder.next() }
  }

  @Test(
    arguments: [
      [0, 0, 0, 1, 0], [0, 0, 0, 3, 0, 0, 0], [0, 0, 0, 4, 0, 0, 0, 1],
      [0, 0, 0, 5, 0xff, 0xff, 0xff, 0xff, 0], [0, 0, 0, 6, 0, 0, 0, 1, 9, 0],
    ] as [[UInt8]])
  func fieldThatEndsAfterItsMessageIsAnError(_ bytes: [UInt8]) {
    #expect(throws: CompanionMessage.Malformed.brokenField) {
      try CompanionMessage.all(in: bytes)
    }
  }

  @Test func everyBeginningIsIncomplete() {
    let bytes = CompanionMessage("ab", "c").bytes
    for count in 1..<bytes.count {
      #expect(throws: CompanionMessage.Malformed.incomplete) {
        try CompanionMessage.all(in: Array(bytes.prefix(count)))
      }
    }
  }

  @Test func oneMessageIsReceivedAtATime() throws {
    func received(_ bytes: [UInt8]) throws -> CompanionMessage? {
      var ends: [CInt] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { close(ends[0]) }
      try Descriptor.write(bytes, to: ends[1])
      close(ends[1])
      return try CompanionMessage.receive(from: ends[0], limit: 100)
    }
    let message = CompanionMessage("a", "b")
    #expect(try received(message.bytes) == message)
    #expect(try received([]) == nil)
    for (bytes, reason) in [
      (message.bytes + message.bytes, CompanionMessage.Malformed.surplus),
      (Array(message.bytes.dropLast()), .incomplete), ([0, 0, 0, 101], .tooLong),
    ] {
      #expect(throws: CompanionMessage.Failure.malformed(reason)) { try received(bytes) }
    }
  }

  /// Any bytes are messages, which are written as they were read, or an error.
  @Test func anyBytesAreMessagesOrAnError() {
    var state: UInt64 = 34
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<20_000 {
      // Mostly zeros and small numbers, as lengths are.
      let bytes = (0..<next(40)).map { _ in
        UInt8(next(4) > 0 ? 0 : next(8) > 0 ? next(9) : next(256))
      }
      if let messages = try? CompanionMessage.all(in: bytes) {
        #expect(messages.flatMap(\.bytes) == bytes)
      }
      _ = DesktopProtocol.records(bytes)
    }
  }
}

@Suite struct ProtocolValueTests {
  @Test(arguments: [
    TypeProtocol.Answer.type("text/html", nameType: "", [.plainText, .xml]), .failed("a\nb"),
  ])
  func typesAreReadAsWritten(_ answer: TypeProtocol.Answer) {
    #expect(TypeProtocol.Answer(answer.message) == answer)
  }

  @Test(arguments: [SecretProtocol.Answer.done([]), .done([0, 0xff]), .none, .failed("why")])
  func secretsAreReadAsWritten(_ answer: SecretProtocol.Answer) {
    #expect(SecretProtocol.Answer(answer.message) == answer)
  }

  @Test func recordsAreReadAsWritten() {
    let editor = DesktopProtocol.Application(identifier: "org.example.Editor", name: "Editor")
    let file = Array("/a\u{e4}".utf8) + [0xff]
    let records: [DesktopProtocol.Record] = [
      .outcome(.started(editor, targets: [file], isInTerminal: true, arguments: [[], file])),
      .outcome(.called(editor, targets: [file, []], uris: [])),
      .outcome(.portal(method: "OpenFile", target: file, answer: nil)),
      .outcome(.portal(method: "OpenURI", target: [], answer: .cancelled)),
      .outcome(.failed(targets: [], reason: "why")), .type(target: file, "a/b", .zip),
      .application(editor, .fallback, icon: ""), .handler(of: "mailto", editor), .words([file]),
    ]
    #expect(DesktopProtocol.records(records.flatMap(\.bytes)) == records)
  }

  @Test(arguments: [
    CompanionMessage([]), CompanionMessage("other"), CompanionMessage("type", "a"),
    CompanionMessage("type", "a", "b", "300"), CompanionMessage("done"),
    CompanionMessage("none", ""), CompanionMessage("started", "a", "b", "", "1"),
    CompanionMessage("application", "a", "b", "other role", ""),
  ])
  func messagesOfAnotherVersionAreNoValues(_ message: CompanionMessage) {
    #expect(TypeProtocol.Answer(message) == nil)
    #expect(SecretProtocol.Answer(message) == nil)
    #expect(DesktopProtocol.records(message.bytes) == nil)
  }
}
