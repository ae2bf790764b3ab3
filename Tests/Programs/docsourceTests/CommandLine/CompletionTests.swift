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
    (["tag", "--app-n"], ["--app-name=", "compopt -o nospace"]),
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
    (["tag", "--app", "Edi"], ["com.example.editor"]),
    (["tag", "--app=ed"], ["--app=com.example.editor"]),
    (["tag", "--app", "x"], []),
    (["apps", "remove", ""], ["com.example.editor"]),
    (["apps", "remove", "o"], []),
    (["trace", "a.txt", "--raw", ""], ["user.creator", "user.xdg.origin.url"]),
    (["trace", "--no-recent", "a.txt", "--raw", "=", "user.x"], ["user.xdg.origin.url"]),
    (["trace", "--raw", ""], []),
    (["share", "a.txt", "--to", ""], ["copy", "org.example.draw"]),
    (["share", "-n", "a.txt", "--to", "=", "o"], ["org.example.draw"]),
    (["share", "a.txt", "--exclude=c"], ["--exclude=copy"]),
    (["share", "--to", "m"], ["mail", "map", "message"]),
    (["share", "--text", "x", "--to=re"], ["--to=reading-list"]),
    (["tag", "--app-name", ""], []),
    (["tag", "--root", ""], ["compopt -o dirnames"]),
    (["tag", "--root=dirt"], ["--root=dirtwo", "compopt -o filenames"]),
    (["show", "--field", "="], ["appInfoURL", "identifier", "name", "path"]),
    (["show", "-f", "na"], ["name"]),
    (["plist", ""], ["check", "encode", "show"]),
    (
      ["plist", "check", "-q", "--"],
      ["--canonical", "--files0-from=", "--help", "--trailing-nul"]
    ),
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

  @Test(arguments: ["source '\(script)'\n", bashCompletion])
  func keysOnATerminalCompleteAwkwardNames(_ loading: String) throws {
    let place = try CompletionPlace()
    let settings = try place.file("bashrc", "\(loading)PS1='READY>'\nbind 'set bell-style none'\n")
    let lines = [
      #"docsource sho\tmy\t\n"#, #"docsource show it\t\n"#, #"docsource show doll\t\n"#,
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
    mkdir -p ~/share/completions && cp '\(script)' ~/share/completions/docsource
    BASH_COMPLETION_USER_DIR=~/share
    source /usr/share/bash-completion/bash_completion

    """

  @Test(arguments: ["~/docsource", "$HOME/docsource", "ds"])
  func commandIsFoundAsItIsTyped(_ command: String) throws {
    let place = try CompletionPlace()
    let offered = try place.run(
      [CompletionPlace.script("complete-in-bash"), Self.script, command, "tag", "-i", ""])
    #expect(offered.errors == "")
    #expect(offered.text == "com.example.editor\norg.example.draw\n")
  }
}

/// Completions in a real fish.
@Suite struct FishCompletionTests {
  private static let files = [
    "-dash", "a.txt", "co:lon", "dir one/", "dirtwo/", "dollar$.txt", "eq=ual", "it's.txt",
    "my file.txt",
  ]

  private static let offers: [(line: String, candidates: [String])] = [
    ("ta", ["tag"]),
    ("-", ["--help", "--version", "-V", "-h"]),
    ("tag --app-n", ["--app-name"]),
    ("tag --re", ["--recursive", "--replace"]),
    ("tag -rq --re", ["--replace"]),
    ("tag -p --re --re", ["--recursive", "--replace"]),
    ("tag -- --re", []),
    ("tag -- -", ["-dash"]),
    ("tag -i ", ["com.example.editor", "org.example.draw"]),
    ("tag --identifier=c", ["--identifier=com.example.editor"]),
    ("tag --identifier o", ["org.example.draw"]),
    ("tag --app Edi", ["com.example.editor"]),
    ("apps remove ", ["com.example.editor"]),
    (
      "trace a.txt --raw ", ["a.txt:Zone.Identifier", "user.creator", "user.xdg.origin.url"]
    ),
    ("trace --raw ", []),
    ("share a.txt --to ", ["$(touch hurt)", "copy", "org.example.draw"]),
    ("share a.txt --exclude=c", ["--exclude=copy"]),
    ("share --to re", ["reading-list"]),
    ("tag --app-name ", []),
    ("tag --root ", ["dir one/", "dirtwo/"]),
    ("tag --root=dirt", ["--root=dirtwo/"]),
    ("tag 'my", ["my file.txt"]),
    ("show --field=", ["appInfoURL", "identifier", "name", "path"].map { "--field=\($0)" }),
    ("show -f na", ["name"]),
    ("show ", files),
    ("plist ", ["check", "encode", "show"]),
    ("plist check -q --", ["--canonical", "--files0-from", "--help", "--trailing-nul"]),
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
      source '\(CompletionPlace.scripts.path)/docsource.fish'
      for line in $argv
        echo "# $line"
        complete -C "docsource $line"
      end
      """
    let run = try place.run(["fish", "--no-config", "-c", script] + lines)
    #expect(run.errors == "")
    #expect(run.status == 0)
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
          "encode=convert JSON or XML to a binary property list",
          "show=print the contents of binary property lists",
        ], ["--output=write to FILE, or - for standard output"], ["com.example.editor=Editor"],
      ])
  }

  @Test func commandIsFoundAsItIsTyped() throws {
    let script = """
      source '\(CompletionPlace.scripts.path)/docsource.fish'
      complete -C '~/docsource tag -i '
      complete -C '$HOME/docsource tag -i '
      """
    let offered = try CompletionPlace().run(["fish", "--no-config", "-c", script])
    let candidates = "com.example.editor\tEditor\norg.example.draw\n"
    #expect(offered.errors == "")
    #expect(offered.text == candidates + candidates)
  }
}

/// Completions in a real zsh.
@Suite struct ZshCompletionTests {
  private static let files = [
    "-dash", "a.txt", "co:lon", "dir\\ one", "dirtwo", "dollar\\$.txt", "eq=ual", "it\\'s.txt",
    "my\\ file.txt",
  ]

  private static let offers: [(line: String, candidates: [String])] = [
    ("ta", ["tag"]),
    ("-", ["--help", "--version", "-V", "-h"]),
    ("tag --app-n", ["--app-name"]),
    ("tag --re", ["--recursive", "--replace"]),
    ("tag -rq --re", ["--replace"]),
    ("tag -p --re --re", ["--recursive", "--replace"]),
    ("tag -- -", ["-dash"]),
    ("tag -i ", ["com.example.editor", "org.example.draw"]),
    ("tag -ri o", ["org.example.draw"]),
    ("tag --identifier=c", ["com.example.editor"]),
    ("tag -ic", ["com.example.editor"]),
    ("tag --app Edi", ["com.example.editor"]),
    ("tag --app=edi", ["com.example.editor"]),
    ("apps remove ", ["com.example.editor"]),
    (
      "trace a.txt --raw ", ["a.txt:Zone.Identifier", "user.creator", "user.xdg.origin.url"]
    ),
    ("trace a.txt --raw=user.x", ["user.xdg.origin.url"]),
    ("share a.txt --to ", ["\\$\\(touch\\ hurt\\)", "copy", "org.example.draw"]),
    ("share a.txt --exclude=c", ["copy"]),
    ("share --to re", ["reading-list"]),
    ("tag --app-name ", []),
    ("tag --root ", ["dir\\ one", "dirtwo"]),
    ("tag --root=dirt", ["dirtwo"]),
    ("tag 'my", ["my file.txt"]),
    ("show --field=", ["appInfoURL", "identifier", "name", "path"]),
    ("show -f na", ["name"]),
    ("show ", files),
    ("plist ", ["check", "encode", "show"]),
    ("plist check -q --", ["--canonical", "--files0-from", "--help", "--trailing-nul"]),
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
    #expect(offered.errors == "")
    #expect(offered.status == 0)
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
    "fpath=('\(CompletionPlace.scripts.path)' $fpath); autoload -Uz compinit; compinit -D -u\n",
    "autoload -Uz compinit; compinit -D -u; source '\(CompletionPlace.scripts.path)/_docsource'\n",
  ])
  func keysOnATerminalCompleteAwkwardNames(_ loading: String) throws {
    let place = try CompletionPlace()
    _ = try place.file(
      ".zshrc", "\(loading)PROMPT='READY>'\nunsetopt prompt_cr prompt_sp beep\n")
    let lines = [
      #"docsource sho\tmy\t\n"#, #"docsource show it\t\n"#, #"docsource show doll\t\n"#,
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

/// A directory with files of awkward names, and a tool that knows applications and hosts.
final class CompletionPlace {
  let directory: TemporaryDirectory
  private let tools: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    tools = try TemporaryDirectory()
    for name in ["a.txt", "my file.txt", "it's.txt", "dollar$.txt", "co:lon", "eq=ual", "-dash"] {
      try directory.file(name)
    }
    for name in ["dir one", "dirtwo"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(name), withIntermediateDirectories: false)
    }
    symlink(Self.script("answering-docsource"), tools.path("docsource"))
  }

  static let scripts = Fixture.root.appending(path: "Sources/Integrations/completions")

  /// The verbs of the tool.
  static func verbs() throws -> [String] {
    try Docsource.run("help", "--list").text.split(separator: "\n").map(String.init)
      .filter { !$0.contains(" ") }.sorted()
  }

  static func script(_ name: String) -> String { Fixture.root.path + "/Tests/Scripts/" + name }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Execution {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try Execution.run(
      arguments, in: directory.root,
      environment: [
        "PATH": tools.root + ":" + path, "LOG": tools.path("log"), "HOME": tools.root,
        "TERM": "dumb",
      ].merging(environment) { $1 })
  }

  /// Types lines into a shell on a terminal and returns the command lines that it ran.
  func type(_ lines: [String], shell: [String]) throws -> [String] {
    let typed = try run([Self.script("type-on-terminal"), "READY>"] + lines + ["--"] + shell)
    guard typed.status == 0 else { return [typed.errors] }
    return try tools.text("log").split(separator: "\n").map(String.init)
  }

  /// Puts a file beside the tool and returns its path.
  func file(_ name: String, _ content: String) throws -> String { try tools.file(name, content) }
}
