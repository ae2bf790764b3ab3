import Foundation
import TestSupport
import Testing

/// Completions in a real fish.
@Suite struct FishCompletionTests {
  private static let files = [
    "-dash", "a.txt", "co:lon", "dir one/", "dirtwo/", "dollar$.txt", "eq=ual", "it's.txt",
    "my file.txt",
  ]

  private static let offers: [(line: String, candidates: [String])] = [
    ("ta", ["tag"]),
    ("-", ["--help", "--version", "-V", "-h"]),
    ("tag --na", ["--name"]),
    ("tag --re", ["--recursive", "--replace"]),
    ("tag -rq --re", ["--replace"]),
    ("tag -p --re --re", ["--recursive", "--replace"]),
    ("tag -- --re", []),
    ("tag -- -", ["-dash"]),
    ("tag -i ", ["com.example.editor", "org.example.draw"]),
    ("tag --identifier=c", ["--identifier=com.example.editor"]),
    ("tag --identifier o", ["org.example.draw"]),
    ("tag --name ", []),
    ("tag --root ", ["dir one/", "dirtwo/"]),
    ("tag --root=dirt", ["--root=dirtwo/"]),
    ("tag 'my", ["my file.txt"]),
    ("show --field=", ["appInfoURL", "identifier", "name", "path"].map { "--field=\($0)" }),
    ("show -f na", ["name"]),
    ("show ", files),
    ("plist ", ["check", "encode", "show"]),
    ("plist check -q --", ["--canonical", "--help", "--trailing-nul"]),
    ("plist encode --from x", ["xml"]),
    ("plist encode -o m", ["my file.txt"]),
    ("icon tr", ["trust"]),
    ("icon ", (files + ["com.example.editor", "org.example.draw", "trust"]).sorted()),
    ("icon trust ", ["add", "list", "remove"]),
    ("icon trust remove ", ["example.com", "icons.example.org"]),
    ("icon trust list ", []),
    ("completions ", ["bash", "fish", "zsh"]),
    ("help --man icon ", ["trust"]),
    ("help icon trust l", ["list"]),
  ]

  /// What fish offers for each line, with its descriptions.
  private static func offered(
    _ lines: [String], in place: CompletionPlace
  ) throws -> [[(candidate: String, description: String)]] {
    let script = """
      source \(CompletionPlace.scripts.path)/docsource.fish
      for line in $argv
        echo "# $line"
        complete -C "docsource $line"
      end
      """
    let run = try place.run(["fish", "--no-config", "-c", script] + lines)
    #expect(run.errors == "" && run.status == 0)
    return run.text.split(separator: "# ").map { block in
      block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        let columns = $0.split(separator: "\t", maxSplits: 1).map(String.init)
        return (columns[0], columns.count > 1 ? columns[1] : "")
      }
    }
  }

  @Test func offersWhatFits() throws {
    let place = try CompletionPlace()
    let verbs = try CompletionPlace.verbs()
    let expected = Self.offers + [("", verbs), ("help ", verbs)]
    let found = try Self.offered(expected.map(\.line), in: place)
    try #require(found.count == expected.count)
    for (offers, (line, candidates)) in zip(found, expected) {
      #expect(offers.map(\.candidate).sorted() == candidates, "\(line)")
    }
  }

  @Test func saysWhatEachIs() throws {
    let found = try Self.offered(
      ["plist ", "plist encode --o", "tag -i c"], in: CompletionPlace())
    #expect(
      found.map { $0.map { "\($0.candidate)=\($0.description)" }.sorted() } == [
        [
          "check=check that files are well-formed binary property lists",
          "encode=make a binary property list from JSON or XML",
          "show=print what is in binary property lists",
        ], ["--output=write to FILE, or - for standard output"], ["com.example.editor=Editor"],
      ])
  }

  @Test func commandIsFoundAsItIsTyped() throws {
    let script = """
      source \(CompletionPlace.scripts.path)/docsource.fish
      complete -C '~/docsource tag -i '
      complete -C '$HOME/docsource tag -i '
      """
    let offered = try CompletionPlace().run(["fish", "--no-config", "-c", script])
    let candidates = "com.example.editor\tEditor\norg.example.draw\n"
    #expect(offered.errors == "" && offered.text == candidates + candidates)
  }
}
