import Foundation
import TestSupport
import Testing

/// Completions in a real bash.
@Suite struct BashCompletionTests {
  private static let script = CompletionPlace.scripts.appending(path: "docsource.bash").path

  /// Words as readline breaks them, and what is offered; a line that begins with `compopt` is what
  /// is asked of readline.
  @Test(arguments: [
    (["ta"], ["tag"]),
    (["-"], ["--help", "--version"]),
    (["tag", "--na"], ["--name=", "compopt -o nospace"]),
    (["tag", "--re"], ["--recursive", "--replace"]),
    (["tag", "-rq", "--re"], ["--replace"]),
    (["tag", "-p", "--re", "--re"], ["--recursive", "--replace"]),
    (["tag", "-pr", "--re"], ["--recursive", "--replace"]),
    (["tag", "--", "--re"], ["compopt -o default"]),
    (["tag", "-i", ""], ["com.example.editor", "org.example.draw"]),
    (["tag", "-ri", "o"], ["org.example.draw"]),
    (["tag", "--identifier", "=", "c"], ["com.example.editor"]),
    (["tag", "--identifier", "="], ["com.example.editor", "org.example.draw"]),
    (["tag", "--identifier=c"], ["--identifier=com.example.editor"]),
    (["tag", "-ix", ""], ["compopt -o default"]),
    (["tag", "--name", ""], []),
    (["tag", "--root", ""], ["compopt -o dirnames"]),
    (["tag", "--root=dirt"], ["--root=dirtwo", "compopt -o filenames"]),
    (["show", "--field", "="], ["appInfoURL", "identifier", "name", "path"]),
    (["show", "-f", "na"], ["name"]),
    (["plist", ""], ["check", "encode", "show"]),
    (["plist", "check", "-q", "--"], ["--canonical", "--help", "--trailing-nul"]),
    (["plist", "check", ""], ["compopt -o default"]),
    (["plist", "encode", "--from", "x"], ["xml"]),
    (["plist", "encode", "-"], ["--canonical", "--from=", "--help", "--output="]),
    (["plist", "encode", "-o"], ["-o"]),
    (["icon", "tr"], ["compopt -o filenames", "trust"]),
    (["icon", "a"], ["compopt -o default"]),
    (["icon", "o"], ["compopt -o filenames", "org.example.draw"]),
    (["icon", "trust", ""], ["add", "list", "remove"]),
    (["icon", "trust", "remove", ""], ["example.com", "icons.example.org"]),
    (["icon", "trust", "add", ""], []),
    (["icon", "trust", "list", ""], []),
    (["completions", ""], ["bash", "fish", "zsh"]),
    (["help", "--man", "icon", ""], ["trust"]),
    (["help", "icon", "trust", "l"], ["list"]),
  ])
  func offersWhatFits(_ words: [String], _ candidates: [String]) throws {
    let place = try CompletionPlace()
    let offered = try place.run(
      [CompletionPlace.script("complete-in-bash"), Self.script, "docsource"] + words)
    #expect(offered.errors == "")
    #expect(offered.text.split(separator: "\n").map(String.init).sorted() == candidates)
  }

  @Test func offersAllVerbs() throws {
    let place = try CompletionPlace()
    for words in [[""], ["help", ""]] {
      let offered = try place.run(
        [CompletionPlace.script("complete-in-bash"), Self.script, "docsource"] + words)
      #expect(
        try offered.text.split(separator: "\n").map(String.init).sorted()
          == CompletionPlace.verbs())
    }
  }

  @Test(arguments: ["source \(script)\n", bashCompletion])
  func keysOnATerminalCompleteAwkwardNames(_ loading: String) throws {
    let place = try CompletionPlace()
    let settings = try place.file("bashrc", "\(loading)PS1='READY>'\nbind 'set bell-style none'\n")
    let lines = [
      #"docsource sh\tmy\t\n"#, #"docsource show it\t\n"#, #"docsource show doll\t\n"#,
      #"docsource show co\t\n"#, #"docsource show eq\t\n"#, #"docsource show "my\t\n"#,
      #"docsource tag --ro\tdir\\ \t\n"#, #"docsource tag --root dirt\t-r\n"#,
      #"docsource tag --root "dir o\t\n"#, #"docsource tag -- -d\t\n"#,
      #"docsource tag -i org\t my\t\n"#, #"docsource show --fie\tapp\ta.\t\n"#,
      #"docsource icon my\t\n"#, #"docsource icon trust rem\ti\t\n"#,
    ]
    let shell = ["bash", "--noprofile", "--rcfile", settings, "-i"]
    #expect(
      try place.type(lines, shell: shell) == [
        "<show><my file.txt>", "<show><it's.txt>", "<show><dollar$.txt>", "<show><co:lon>",
        "<show><eq=ual>", "<show><my file.txt>", "<tag><--root=dir one/>",
        "<tag><--root><dirtwo/-r>", "<tag><--root><dir one/>", "<tag><--><-dash>",
        "<tag><-i><org.example.draw><my file.txt>", "<show><--field=appInfoURL><a.txt>",
        "<icon><my file.txt>", "<icon><trust><remove><icons.example.org>",
      ])
  }

  /// As Debian's package loads it, when docsource is first completed.
  private static let bashCompletion = """
    mkdir -p ~/share/completions && cp \(script) ~/share/completions/docsource
    BASH_COMPLETION_USER_DIR=~/share
    source /usr/share/bash-completion/bash_completion

    """

  @Test(arguments: ["~/docsource", "$HOME/docsource", "ds"])
  func commandIsFoundAsItIsTyped(_ command: String) throws {
    let place = try CompletionPlace()
    let offered = try place.run(
      [CompletionPlace.script("complete-in-bash"), Self.script, command, "tag", "-i", ""])
    #expect(offered.errors == "" && offered.text == "com.example.editor\norg.example.draw\n")
  }
}
