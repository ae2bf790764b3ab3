import CompanionProtocol
import ForeignFormats
import Testing

@Suite struct PackagesProtocolTests {
  private static let file = PackagedFile(
    path: [0x2f, 0xff, 0x0a], isDirectory: true, isOfUser: true)

  @Test(arguments: [
    PackageQuestion(.files([file])),
    PackageQuestion(.files([PackagedFile(path: [0x2f]), file]), wantsChecksums: true),
    PackageQuestion(.entries([0x2f, 0x61])), PackageQuestion(.trees([[0x2f]])),
    PackageQuestion(.files(Array(repeating: file, count: 64))),
    PackageQuestion(.trees([[0x2f, 0xff], [0x2f]]), wantsChecksums: true),
  ])
  func questionsSurviveTheWay(_ question: PackageQuestion) {
    #expect(PackagesProtocol.question(PackagesProtocol.message(question)) == question)
  }

  @Test(arguments: [
    CompanionMessage(), CompanionMessage("packages files"), CompanionMessage("packages files", ""),
    CompanionMessage("packages files", "", "/a"), CompanionMessage("packages files", "", "a", ""),
    CompanionMessage("packages files", "more", "/a", ""),
    CompanionMessage("packages entries", "", "/a", "/b"),
    CompanionMessage("packages entries", "", "a"), CompanionMessage("packages trees", "", ""),
    CompanionMessage("packages trees", "", "/\0"), CompanionMessage("all", "", "/"),
    PackagesProtocol.message(PackageQuestion(.files(Array(repeating: file, count: 65)))),
  ])
  func otherMessagesAreNoQuestion(_ message: CompanionMessage) {
    #expect(PackagesProtocol.question(message) == nil)
  }

  private static func record(
    _ file: [UInt8], _ path: [UInt8], _ checksum: PackageRecord.Checksum? = nil
  ) -> PackageRecord {
    PackageRecord(
      manager: .dpkg, package: "a", version: "1", architecture: "all", database: [0x2f, 0xfe],
      file: file, path: path, checksum: checksum)
  }

  @Test func answersSurviveTheWay() {
    let answers: [PackagesProtocol.Answer] = [
      .package([
        Self.record([1], [1]),
        Self.record([2], [3], PackageRecord.Checksum(.md5, [UInt8](repeating: 7, count: 16))),
      ]),
      .package([
        PackageRecord(
          manager: .pip, package: "b", database: [], file: [4], path: [4], installed: -1.5)
      ]),
      .failed(database: [0x2f, 0xfd], "larger than 64 MiB"),
    ]
    #expect(PackagesProtocol.answers(answers.flatMap(\.bytes)) == answers)
    #expect(PackagesProtocol.answers([]) == [])
    #expect(PackagesProtocol.Answer.package([]).bytes == [])
  }

  @Test(arguments: [
    CompanionMessage(), CompanionMessage("a"), CompanionMessage("failed", "/"),
    CompanionMessage("package", "dpkg", "a", "", "", "", "/d"),
    CompanionMessage("package", "apt", "a", "", "", "", "/d", "/f", "", "", ""),
    CompanionMessage("package", "dpkg", "a", "", "", "", "/d", "/f", "", "crc", "1"),
    CompanionMessage("package", "dpkg", "a", "", "", "", "/d", "/f", "", "md5", "1"),
    CompanionMessage("package", "dpkg", "a", "", "", "", "/d", "/f", "", ""),
    CompanionMessage("package", "dpkg", "a", "", "", "then", "/d", "/f", "", "", ""),
  ])
  func otherMessagesAreNoAnswer(_ message: CompanionMessage) {
    #expect(PackagesProtocol.answers(message.bytes) == nil)
    #expect(PackagesProtocol.answers(Array(message.bytes.dropLast())) == nil)
  }
}
