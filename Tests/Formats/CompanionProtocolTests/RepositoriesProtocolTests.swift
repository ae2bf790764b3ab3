import CompanionProtocol
import ForeignFormats
import Testing

@Suite struct RepositoriesProtocolTests {
  private static let root = Array("/r".utf8)

  @Test(arguments: [
    RepositoryQuestion(root, .files([[0x61], [], Array("b/c".utf8)])),
    RepositoryQuestion(root, .entries([])),
    RepositoryQuestion(root, .trees([Array("d".utf8), []])),
  ])
  func questionIsReadAsItWasWritten(_ question: RepositoryQuestion) {
    #expect(RepositoriesProtocol.question(RepositoriesProtocol.message(question)) == question)
  }

  @Test(arguments: [
    CompanionMessage(), CompanionMessage("files"), CompanionMessage("files", "/r"),
    CompanionMessage("files", "r", "a"), CompanionMessage("files", "/r", "/a"),
    CompanionMessage("files", "/r", "a/"), CompanionMessage("files", "/r", "a\0"),
    CompanionMessage("files", "/r\0", "a"), CompanionMessage("entries", "/r", "a", "b"),
    CompanionMessage("other", "/r", "a"),
    CompanionMessage(["files", "/r"].map { Array($0.utf8) } + Array(repeating: [0x61], count: 65)),
  ])
  func otherMessagesAreNoQuestions(_ message: CompanionMessage) {
    #expect(RepositoriesProtocol.question(message) == nil)
  }

  @Test func answerIsReadAsItWasWritten() {
    let repository = RepositoryRecord.Repository(root: Self.root, remote: "https://h/x.git")
    let commit = RepositoryRecord.Commit(
      identifier: "0a", seconds: -5, author: "Ada", subject: "First")
    let records = [
      RepositoryRecord(repository, path: [0x61], commit: commit, state: .changed),
      RepositoryRecord(repository, path: [], commit: commit),
      RepositoryRecord(repository, path: [0xff], state: .untracked),
    ]
    for answer in [
      RepositoriesProtocol.Answer(repository, records: records, failures: ["no index"]),
      RepositoriesProtocol.Answer(RepositoryRecord.Repository(root: Self.root)),
      RepositoriesProtocol.Answer(nil, isMissing: true), RepositoriesProtocol.Answer(nil),
    ] {
      #expect(RepositoriesProtocol.answer(answer.bytes) == answer)
    }
  }

  @Test(arguments: [
    CompanionMessage("repository", "/r"), CompanionMessage("failed"),
    CompanionMessage("missing", ""),
    CompanionMessage("files", "", "", "", "", "a", "unchanged"), CompanionMessage(),
  ])
  func otherMessagesAreNoAnswer(_ message: CompanionMessage) {
    #expect(RepositoriesProtocol.answer(message.bytes) == nil)
  }

  @Test(arguments: [
    CompanionMessage("files", "", "", "", "", "a", "other"),
    CompanionMessage("files", "0a", "x", "", "", "a", "changed"),
    CompanionMessage("files", "", "", "", "", "a"), CompanionMessage("files", "", "", "", ""),
    CompanionMessage("repository", "/r", ""),
  ])
  func otherRecordsAreNoAnswer(_ message: CompanionMessage) {
    let start = CompanionMessage("repository", "/r", "").bytes
    #expect(RepositoriesProtocol.answer(start + message.bytes) == nil)
    #expect(RepositoriesProtocol.answer(Array(start.dropLast())) == nil)
  }
}
