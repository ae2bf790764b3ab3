import Foundation
import Glibc
import TestSupport
import Testing

/// Files that docsource replaces hold the old content or the new, whenever the power is cut.
@Suite struct PowerCutTests {
  /// A command that replaces a file, and the file.
  struct Replacement: CustomTestStringConvertible, Sendable {
    let command: [String]
    let file: String
    /// What is in the file before; `nil` if the command makes it.
    let old: String?

    var testDescription: String { command.joined(separator: " ") + (old == nil ? ", new" : "") }

    fileprivate static let all: [Replacement] = [
      .init(command: ["export", "-o", "out", "tree"], file: "out", old: "old"),
      .init(command: ["export", "-o", "out", "tree"], file: "out", old: nil),
      .init(command: ["plist", "encode", "-o", "out", "a.json"], file: "out", old: "old"),
      .init(command: ["plist", "encode", "-o", "out", "a.json"], file: "out", old: nil),
      .init(
        command: ["apps", "add", "org.example.app", "--app-name", "App"],
        file: "home/.config/docsource/apps.json", old: "{\"other\":1}"),
      .init(
        command: ["apps", "add", "org.example.app", "--app-name", "App"],
        file: "home/.config/docsource/apps.json", old: nil),
      .init(
        command: ["icon", "trust", "add", "icons.example.com"],
        file: "home/.config/docsource/trusted-hosts", old: "example.org\n"),
      .init(
        command: ["watch", "--enable"], file: "home/.config/docsource/watch.json",
        old: "{\"enabled\":false}"),
    ]

    /// Puts everything below a directory as it is before the command.
    fileprivate func prepare(_ root: String) throws {
      let script = """
        rm -rf home out && mkdir -p home tree && echo '{"a":1}' >a.json && echo a >tree/a &&
        "$0" tag -q -i org.example.app tree/a && mkdir -p "$(dirname "$1")" || exit
        if [ $# -gt 1 ]; then printf %s "$2" >"$1"; else rmdir -p --ignore-fail-on-non-empty \
          "$(dirname "$1")" 2>/dev/null; mkdir -p home; fi
        sync -f .
        """
      let run = try Execution.run(
        ["sh", "-c", script, Docsource.path, file] + (old.map { [$0] } ?? []), in: root)
      try #require(run.status == 0, "\(run.errors)")
    }

    fileprivate func environment(_ root: String) -> [String: String] {
      ["HOME": "\(root)/home", "XDG_CONFIG_HOME": ""]
    }

    fileprivate func content(_ root: String) -> String? {
      try? String(contentsOfFile: "\(root)/\(file)", encoding: .isoLatin1)
    }
  }

  /// Runs a command that has no setxattrat, which strace may not know.
  private static let withoutNewCalls =
    Fixture.root.appending(path: "Tests/Scripts/without-xattrat").path

  /// Runs a command that is killed before one of its system calls.
  ///
  /// - Parameter number: of the call among those of its name, from 1.
  private static func kill(
    _ command: [String], at call: String, _ number: Int, in directory: String,
    _ environment: [String: String] = [:]
  ) throws {
    let killed = try Execution.run(
      [
        "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)",
        "-e", "inject=\(call):signal=KILL:when=\(number)",
      ] + command, in: directory, environment: environment)
    try #require(killed.status == 128 + SIGKILL)
  }

  /// Every prefix of the system calls, in the weakest order that POSIX allows.
  @Test(arguments: Replacement.all)
  func noStateBetweenOldAndNewIsPossible(_ replacement: Replacement) throws {
    let directory = try TemporaryDirectory()
    let root = try #require(realpath(directory.root, nil).map { String(cString: $0) })
    try replacement.prepare(root)
    let log = try SystemCallLog(
      of: [Docsource.path] + replacement.command, in: root, watching: "\(root)/\(replacement.file)",
      environment: replacement.environment(root))
    let before: SystemCallLog.State = replacement.old == nil ? .absent : .old
    #expect(log.states.first == [before])
    #expect(log.states.last == [.new])
    #expect(Set(log.states.joined()) == [before, .new])
    #expect(log.changes.count > 3)
  }

  /// Adopting removes a file; what it held must be on the disk by then.
  @Test func carrierGoesOnlyAfterItsAttributesAreOnTheDisk() throws {
    let directory = try TemporaryDirectory()
    try directory.file("doc")
    try directory.write(try Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._doc")
    let trace = directory.path("trace")
    let run = try Execution.run(
      [
        "strace", "-f", "-qq", "-y", "-o", trace, "-e",
        "trace=fsetxattr,setxattr,fsync,renameat2,unlinkat",
        Docsource.path, "adopt", "doc",
      ], in: directory.root)
    #expect(run.text == "doc: adopted: x-document-source, com.apple.quarantine (._doc)\n")
    let calls = try directory.text("trace").split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst().first?.split(separator: "(").first.map(String.init)
    }
    #expect(calls == ["setxattr", "setxattr", "fsync", "renameat2", "unlinkat"])
  }

  /// Of many files the disk is waited for at once, before any carrier goes.
  @Test func carriersGoTogetherAfterTheirAttributesAreOnTheDisk() throws {
    let directory = try TemporaryDirectory()
    for number in 0..<5 {
      try directory.file("tree/doc\(number)")
      try directory.write(
        try Fixture.bytes("AppleDouble/kernel.appledouble"), to: "tree/._doc\(number)")
    }
    let trace = directory.path("trace")
    let run = try Execution.run(
      [
        "strace", "-f", "-qq", "-o", trace, "-e", "signal=none", "-e",
        "trace=fsetxattr,setxattr,fsync,syncfs,renameat2,unlinkat", Self.withoutNewCalls, "ENOSYS",
        Docsource.path, "adopt", "-r", "-j1", "tree",
      ], in: directory.root)
    #expect(run.errors == "docsource: 5 changed, 1 unchanged, 0 failed\n")
    let calls = try directory.text("trace").split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst().first?.split(separator: "(").first.map(String.init)
    }
    .filter { !$0.hasPrefix("syscall") }
    let removals = [[String]](repeating: ["renameat2", "unlinkat"], count: 5).joined()
    #expect(calls == [String](repeating: "setxattr", count: 10) + ["syncfs"] + removals)
  }

  /// On real file systems: the program is killed before each of the calls that change something, and
  /// the power is cut at once; then once more after the program's end.
  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [FileSystem.Kind.xfs, .ext4], Replacement.all)
  func realFileSystemHasOldOrNew(_ kind: FileSystem.Kind, _ replacement: Replacement) throws {
    let system = try FileSystem(kind)
    let (root, environment) = (system.root, replacement.environment(system.root))
    try replacement.prepare(root)
    let command = [Docsource.path] + replacement.command
    let log = try SystemCallLog(
      of: command, in: root, watching: system.path(replacement.file), environment: environment)
    let new = try #require(replacement.content(root))
    for (call, number) in log.changes {
      try replacement.prepare(root)
      try Self.kill(command, at: call, number, in: root, environment)
      try system.cutPower()
      let content = replacement.content(root)
      #expect(
        content == replacement.old || content == new,
        "\(call) \(number) left \(content ?? "nothing")")
    }
    try replacement.prepare(root)
    #expect(try Execution.run(command, in: root, environment: environment).status == 0)
    try system.cutPower()
    #expect(replacement.content(root) == new)
  }

  /// Which files of a directory there are, with their content and attributes.
  private static func state(of root: String) throws -> String {
    let run = try Execution.run(
      ["sh", "-c", "ls -A; sha256sum -- * .[!.]*; getfattr -d -m - -e hex -- * | sort"], in: root)
    return run.text
  }

  /// Puts a directory as it is before a command that changes attributes.
  private static func prepare(_ script: String, in root: String) throws {
    let run = try Execution.run(
      ["sh", "-ec", "\(script)\nsync -f .", Docsource.path], in: root)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// The states that a cut before each of the calls that change something leaves, and one after the
  /// program's end; with them the state before and the one that the program leaves without a cut.
  private static func states(
    on system: FileSystem, preparedBy script: String, command: [String],
    // strace knows no setxattrat(2), but each file's status is asked for between two of them.
    calls: String = "setxattr,lsetxattr,fsetxattr,newfstatat,fsync,unlinkat,unlink"
  ) throws -> (before: String, after: String, cut: [String]) {
    let directory = system.path("work")
    try Self.prepare("mkdir work", in: system.root)
    try Self.prepare(script, in: directory)
    let before = try state(of: directory)
    let trace = system.path("trace")
    let run = try Execution.run(
      ["strace", "-f", "-qq", "-o", trace, "-e", "trace=\(calls)"] + command, in: directory)
    try #require(run.status == 0, "\(run.errors)")
    let after = try state(of: directory)
    let made = try String(contentsOfFile: trace, encoding: .utf8).matches(of: /(?m)^\d+ +(\w+)\(/)
      .map { String($0.1) }.filter { !$0.hasPrefix("syscall") }
    var cut: [String] = []
    for (index, call) in made.enumerated() {
      try prepare(script, in: directory)
      try kill(command, at: call, made[...index].count { $0 == call }, in: directory)
      try system.cutPower()
      cut.append(try state(of: directory))
    }
    try prepare(script, in: directory)
    try #require(try Execution.run(command, in: directory).status == 0)
    try system.cutPower()
    return (before, after, cut + [try state(of: directory)])
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [FileSystem.Kind.xfs, .ext4])
  func importedAttributesAreOldOrNew(_ kind: FileSystem.Kind) throws {
    let script = """
      rm -rf -- * && for name in a b c; do
        echo "$name" >$name && "$0" tag -q -i org.example.old $name
        printf '{"file":"%s","source":{"identifier":"org.example.new"}}\\n' $name >>list
      done
      """
    let (before, after, cut) = try Self.states(
      on: FileSystem(kind), preparedBy: script, command: [Docsource.path, "import", "list"])
    #expect(cut.count >= 4)
    let (old, new) = (before.split(separator: "\n"), after.split(separator: "\n"))
    #expect(Set(old).symmetricDifference(new).count == 2)
    for state in cut {
      let lines = state.split(separator: "\n")
      #expect(lines.count == old.count)
      #expect(Set(lines).isSubset(of: Set(old + new)))
    }
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [FileSystem.Kind.xfs, .ext4])
  func adoptedAttributesAreInTheCarrierOrOnTheFile(_ kind: FileSystem.Kind) throws {
    let system = try FileSystem(kind)
    try Data(Fixture.bytes("AppleDouble/kernel.appledouble"))
      .write(to: URL(filePath: system.path("carrier")))
    let (before, after, cut) = try Self.states(
      on: system, preparedBy: "rm -rf -- * .[!.]* && echo content >doc && cp ../carrier ._doc",
      command: [Docsource.path, "adopt", "doc"])
    #expect(cut.count >= 5)
    #expect(before.hasPrefix("._doc\ndoc\n"))
    #expect(after.hasPrefix("doc\n"))
    // The carrier stands there as it was, whatever the file has by then; or it is gone, and the
    // file has everything.
    let kept = before.split(separator: "\n").filter { $0.contains("_doc") || $0.hasSuffix(" doc") }
    #expect(kept.count == 3)
    for state in cut where state != after {
      #expect(Set(kept).isSubset(of: Set(state.split(separator: "\n"))))
    }
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [FileSystem.Kind.xfs, .ext4])
  func attributesAdoptedTogetherAreInTheCarrierOrOnTheFile(_ kind: FileSystem.Kind) throws {
    let system = try FileSystem(kind)
    try Data(Fixture.bytes("AppleDouble/kernel.appledouble"))
      .write(to: URL(filePath: system.path("carrier")))
    let names = (0..<5).map { "doc\($0)" }
    let (before, after, cut) = try Self.states(
      on: system,
      preparedBy: """
        rm -rf -- * .[!.]* && for name in \(names.joined(separator: " ")); do
          echo content >$name && cp ../carrier ._$name
        done
        """,
      command: [Self.withoutNewCalls, "ENOSYS", Docsource.path, "adopt", "-rq", "-j1", "."],
      calls: "setxattr,syncfs,renameat2,unlinkat")
    // Two attributes a file, one wait, two calls for each removal, and the end.
    #expect(cut.count == 22)
    #expect(before.hasPrefix("._doc0\n"))
    #expect(after.hasPrefix("doc0\n"))
    let gained = Set(after.split(separator: "\n")).subtracting(before.split(separator: "\n"))
    for state in cut {
      let lines = state.split(separator: "\n")
      let carriers = lines.filter { $0.hasPrefix("._doc") || $0.hasPrefix(".docsource-") }
      #expect(names.allSatisfy { name in lines.contains { $0 == name } }, "\(state)")
      #expect(carriers.count == 5 || gained.isSubset(of: lines), "\(state)")
    }
  }
}
