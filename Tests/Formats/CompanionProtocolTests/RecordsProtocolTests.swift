import CompanionProtocol
import ForeignFormats
import Testing

@Suite struct RecordsProtocolTests {
  @Test func questionsSurviveTheWay() throws {
    let file = DownloadedFile(
      path: [0x2f, 0xff, 0x0a], size: 1 << 40, modified: 1_795_814_016.123456)
    for question in [nil, [], [file], Array(repeating: file, count: 64)] {
      let messages = try CompanionMessage.all(in: RecordsProtocol.question(question).bytes)
      #expect(messages.count == 1)
      #expect(RecordsProtocol.files(messages[0]) == .some(question))
    }
    let many = RecordsProtocol.question(Array(repeating: file, count: 65))
    #expect(RecordsProtocol.files(many) == nil)
  }

  @Test(arguments: [
    CompanionMessage(), CompanionMessage("all", "x"), CompanionMessage("other"),
    CompanionMessage("files", "/a"), CompanionMessage("files", "/a", "4", "now"),
    CompanionMessage("files", "/a", "", "1"), CompanionMessage("files", "/a", "4", "inf"),
    CompanionMessage("files", "/a", "4", "1", "2"),
  ])
  func otherMessagesAreNoQuestion(_ message: CompanionMessage) {
    #expect(RecordsProtocol.files(message) == nil)
  }

  @Test func answersSurviveTheWay() {
    let answers: [RecordsProtocol.Answer] = [
      .download(
        DownloadRecord(
          browser: "Firefox", database: [0x2f, 0xfe], path: [0x2f, 0xff],
          firstURL: "https://a.example",
          url: "https://b.example", page: "https://c.example", end: 1.25, size: 7)),
      .download(DownloadRecord(browser: "Opera", database: [1], path: [2])),
      .failed(database: [0x2f, 0xfd], "file is not a database", isMomentary: false),
      .failed(database: [0x2f], "the browser is writing", isMomentary: true),
    ]
    #expect(RecordsProtocol.answers(answers.flatMap { $0.message.bytes }) == answers)
    #expect(RecordsProtocol.answers([]) == [])
  }

  @Test(arguments: [
    CompanionMessage(), CompanionMessage("a"), CompanionMessage("a", "b"),
    CompanionMessage("/d", "/p", "Firefox", "", "", "", "soon", ""),
    CompanionMessage("/d", "/p", "Firefox", "", "", "", "", "big"),
  ])
  func otherMessagesAreNoAnswer(_ message: CompanionMessage) {
    #expect(RecordsProtocol.answers(message.bytes) == nil)
    #expect(RecordsProtocol.answers(Array(message.bytes.dropLast())) == nil)
  }
}
