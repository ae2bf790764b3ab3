import Foundation
import TestSupport
import Testing

/// Completions in a real zsh.
@Suite struct ZshCompletionTests {
  private static let files = [
    "-dash", "a.txt", "co:lon", "dir\\ one", "dirtwo", "dollar\\$.txt", "eq=ual", "it\\'s.txt",
    "my\\ file.txt",
  ]

  private static let offers: [(line: String, candidates: [String])] = [
    ("ta", ["tag"]),
    ("-", ["--help", "--version", "-V", "-h"]),
    ("tag --na", ["--name"]),
    ("tag --re", ["--recursive", "--replace"]),
    ("tag -rq --re", ["--replace"]),
    ("tag -p --re --re", ["--recursive", "--replace"]),
    ("tag -- -", ["-dash"]),
    ("tag -i ", ["com.example.editor", "org.example.draw"]),
    ("tag -ri o", ["org.example.draw"]),
    ("tag --identifier=c", ["com.example.editor"]),
    ("tag -ic", ["com.example.editor"]),
    ("tag --name ", []),
    ("tag --root ", ["dir\\ one", "dirtwo"]),
    ("tag --root=dirt", ["dirtwo"]),
    ("tag 'my", ["my file.txt"]),
    ("show --field=", ["appInfoURL", "identifier", "name", "path"]),
    ("show -f na", ["name"]),
    ("show ", files),
    ("plist ", ["check", "encode", "show"]),
    ("plist check -q --", ["--canonical", "--help", "--trailing-nul"]),
    ("plist encode --from x", ["xml"]),
    ("plist encode -o m", ["my\\ file.txt"]),
    ("icon tr", ["trust"]),
    ("icon ", (files + ["com.example.editor", "org.example.draw", "trust"]).sorted()),
    ("icon trust ", ["add", "list", "remove"]),
    ("icon trust remove ", ["example.com", "icons.example.org"]),
    ("icon trust list ", ["--help", "-h"]),
    ("completions ", ["bash", "fish", "zsh"]),
    ("help --man icon ", ["trust"]),
    ("help icon trust l", ["list"]),
  ]

  @Test func offersWhatFits() throws {
    let place = try CompletionPlace()
    let verbs = try CompletionPlace.verbs()
    let expected = Self.offers + [("", verbs), ("help ", verbs)]
    let offered = try place.run(
      [CompletionPlace.script("complete-in-zsh"), CompletionPlace.scripts.path]
        + expected.map { "docsource \($0.line)" })
    #expect(offered.errors == "" && offered.status == 0)
    let found = offered.text.split(separator: "# docsource ", omittingEmptySubsequences: true)
      .map { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    try #require(found.count == expected.count)
    for (lines, (line, candidates)) in zip(found, expected) {
      #expect(lines[0] == line)
      #expect(lines.dropFirst().filter { !$0.isEmpty }.sorted() == candidates, "\(line)")
    }
  }

  /// Loaded by the completion system, and sourced as the help of `completions` says.
  @Test(arguments: [
    "fpath=(\(CompletionPlace.scripts.path) $fpath); autoload -Uz compinit; compinit -D -u\n",
    "autoload -Uz compinit; compinit -D -u; source \(CompletionPlace.scripts.path)/_docsource\n",
  ])
  func keysOnATerminalCompleteAwkwardNames(_ loading: String) throws {
    let place = try CompletionPlace()
    _ = try place.file(
      ".zshrc", "\(loading)PROMPT='READY>'\nunsetopt prompt_cr prompt_sp beep\n")
    let lines = [
      #"docsource sh\tmy\t\n"#, #"docsource show it\t\n"#, #"docsource show doll\t\n"#,
      #"docsource show "my\t\n"#, #"docsource tag --ro\tdir\\ \t\n"#,
      #"docsource tag -i org\tmy\t\n"#, #"docsource tag -- -d\t\n"#,
    ]
    #expect(
      try place.type(lines, shell: ["zsh", "-d", "-i"]) == [
        "<show><my file.txt>", "<show><it's.txt>", "<show><dollar$.txt>", "<show><my file.txt>",
        "<tag><--root=dir one>", "<tag><-i><org.example.draw><my file.txt>", "<tag><--><-dash>",
      ])
  }

  @Test func commandIsFoundAsItIsTyped() throws {
    let place = try CompletionPlace()
    let lines = ["~/docsource tag -i ", "$HOME/docsource tag -i "]
    let offered = try place.run(
      [CompletionPlace.script("complete-in-zsh"), CompletionPlace.scripts.path] + lines)
    #expect(
      offered.text.split(separator: "\n")
        == lines.flatMap { ["# \($0)", "com.example.editor", "org.example.draw"] })
  }
}
