import CompanionProtocol
import ForeignFormats
import Testing

@Suite struct RecordsProtocolTests {
  @Test func questionsSurviveTheWay() throws {
    let file = DownloadedFile(
      path: [0x2f, 0xff, 0x0a], size: 1 << 40, modified: 1_795_814_016.123456)
    for (question, wantsDesktop) in [
      (nil, false), (nil, true), ([], false), ([file], true),
      (Array(repeating: file, count: 64), false),
    ] {
      let message = RecordsProtocol.question(question, wantsDesktop: wantsDesktop)
      let messages = try CompanionMessage.all(in: message.bytes)
      #expect(messages.count == 1)
      let wanted = try #require(RecordsProtocol.wanted(messages[0]))
      #expect(wanted.files == question)
      #expect(wanted.desktop == wantsDesktop)
    }
    let many = RecordsProtocol.question(Array(repeating: file, count: 65))
    #expect(RecordsProtocol.wanted(many) == nil)
  }

  @Test(arguments: [
    CompanionMessage(), CompanionMessage("all"), CompanionMessage("all", "x"),
    CompanionMessage("all", "", "x"), CompanionMessage("other", ""),
    CompanionMessage("files", "", "/a"), CompanionMessage("files", "", "/a", "4", "now"),
    CompanionMessage("files", "", "/a", "", "1"), CompanionMessage("files", "", "/a", "4", "inf"),
    CompanionMessage("files", "", "/a", "4", "1", "2"),
    CompanionMessage("files", "x", "/a", "4", "1"),
  ])
  func otherMessagesAreNoQuestion(_ message: CompanionMessage) {
    #expect(RecordsProtocol.wanted(message) == nil)
  }

  @Test func answersSurviveTheWay() {
    let answers: [RecordsProtocol.Answer] = [
      .download(
        DownloadRecord(
          browser: "Firefox", database: [0x2f, 0xfe], path: [0x2f, 0xff],
          firstURL: "https://a.example",
          url: "https://b.example", page: "https://c.example", end: 1.25, size: 7)),
      .download(DownloadRecord(browser: "Opera", database: [1], path: [2])),
      .desktop(
        DesktopRecord(
          database: [0x2f, 0xfc], path: [0x2f, 0xfb],
          content: .use(RecentUse(application: "org.kde.kate", seconds: 2.5, first: 1, count: 3)))),
      .desktop(
        DesktopRecord(database: [1], path: [2], content: .use(RecentUse(application: "")))),
      .desktop(
        DesktopRecord(
          database: [1], path: [2],
          content: .grant(application: "org.gimp.GIMP", permissions: ["read", "write"]))),
      .desktop(
        DesktopRecord(
          database: [1], path: [2],
          content: .indexed(program: "LibreOffice", device: nil, modified: -7))),
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
    CompanionMessage("/d", "/p", "use", "a", "", "", "many"),
    CompanionMessage("/d", "/p", "use", "a", "soon", "", ""),
    CompanionMessage("/d", "/p", "grant", "a", "read", ""),
    CompanionMessage("/d", "/p", "indexed", "a", "", "now"),
    CompanionMessage("/d", "/p", "grant", "a"),
  ])
  func otherMessagesAreNoAnswer(_ message: CompanionMessage) {
    #expect(RecordsProtocol.answers(message.bytes) == nil)
    #expect(RecordsProtocol.answers(Array(message.bytes.dropLast())) == nil)
  }
}
