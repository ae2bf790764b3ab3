import ForeignFormats
import Testing

@testable import CompanionProtocol

@Suite struct ContentProtocolTests {
  @Test(arguments: [
    ContentProtocol.Answer.none, .failed("late", isLasting: false),
    .failed("none", isLasting: true),
    .origin(EmbeddedOrigin(tag: "PDF:Creator", program: "A 1", device: nil)),
    .origin(
      EmbeddedOrigin(
        tag: "IFD0:Model", program: nil, device: "B",
        history: [
          EmbeddedOrigin.Step(program: "C", action: nil, time: "2020", isCredential: true),
          EmbeddedOrigin.Step(program: nil, action: "saved", time: nil, isCredential: false),
        ])),
  ])
  func answerIsTheSameAfterItsMessage(_ answer: ContentProtocol.Answer) {
    #expect(ContentProtocol.Answer(answer.message) == answer)
  }

  @Test func anythingElseIsNoAnswer() {
    for words in [
      [], ["none", ""], ["failed", "x"], ["origin", "a"], ["origin", "a", "b", "c", "d"],
    ] {
      #expect(ContentProtocol.Answer(CompanionMessage(words.map { Array($0.utf8) })) == nil)
    }
  }
}
