import CommandLineInterface
import Handoff
import TextFormats

/// Asks the user before something happens that a file has chosen.
enum Confirmation {
  static let option = OptionDeclaration("yes", short: "y", help: "answer yes to all questions")

  static func asking(
    _ arguments: Arguments, _ console: Console
  ) -> @Sendable (HandoffQuestion) -> HandoffAnswer {
    let isGiven = arguments.has(option)
    let isPossible = TerminalMenu.isPossible && !console.writesObjects
    return { question in
      if isGiven { return .yes }
      guard isPossible else { return .nobody }
      let answer = TerminalMenu.choose("\(EscapedText(question.text))?", among: ["No", "Yes"])
      return answer == 1 ? .yes : .no
    }
  }
}
