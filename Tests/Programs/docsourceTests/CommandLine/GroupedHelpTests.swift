import Foundation
import TestSupport
import Testing

@Suite struct GroupedHelpTests {
  @Test func everyVerbStandsBelowOneHeadingOfTheHelp() throws {
    let help = try Docsource.run("--help").text
    let verbs = try Docsource.run("help", "--list").text.split(separator: "\n")
      .filter { !$0.contains(" ") }
    #expect(verbs.count >= 19)
    for verb in verbs {
      let rows = help.split(separator: "\n").filter { $0.hasPrefix("  \(verb) ") }
      #expect(rows.count == 1, "\(verb)")
    }
    for heading in [
      "mark files", "look at marks", "move marks between machines and systems", "open and share",
      "keep marking new files", "work with formats", "get help",
    ] {
      #expect(help.contains("\n\n\(heading):\n  "), "\(heading)")
    }
  }
}
