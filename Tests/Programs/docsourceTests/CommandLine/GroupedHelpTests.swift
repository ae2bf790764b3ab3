import Foundation
import TestSupport
import Testing

@Suite struct GroupedHelpTests {
  @Test func everyVerbStandsBelowOneHeadingOfTheHelp() throws {
    let help = try Docsource.run("help", "--all").text
    #expect(try Docsource.run("--help", "--all").text == help)
    #expect(try Docsource.run("help", "-a").text == help)
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

  /// A screen for somebody who has never seen the tool.
  @Test func helpListsTwelveVerbsOfEveryDay() throws {
    let help = try Docsource.run("--help").text
    #expect(
      help == """
        docsource: record which application a file came from, show it, and share files

        Usage: docsource VERB [OPTIONS] FILE...

        mark files with a document source:
          tag     record which application a file came from
          remove  remove the document source that tag or watch recorded
          copy    copy the document source of a file to other existing files
          watch   tag new documents with the application that wrote them

        look at marks:
          show    show which application a file came from
          find    find files below directories by the application they came from
          trace   show all marks that say where a file came from
          apps    list known applications and manage your own list

        receive and share files:
          adopt   convert marks of macOS, Windows and Samba to Linux attributes
          strip   remove marks of origin before sharing files
          open    open files, also in the application they came from
          share   hand files over to applications, people and services

        Options:
          -h, --help     show this help; after a verb, the help of that verb
          -V, --version  show the version

        More help:
          docsource help VERB    show the help of a verb
          docsource help --all   list all verbs
          docsource help topics  list texts about marks, sharing, file managers and more

        Exit status: 0 success; 1 no document source or no icon; 2 failure;
        64 usage error.

        Examples:
          docsource tag --app gimp drawing.png
          docsource trace ~/Downloads/report.pdf

        """)
    #expect(
      help.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.count <= 80 })
  }
}
