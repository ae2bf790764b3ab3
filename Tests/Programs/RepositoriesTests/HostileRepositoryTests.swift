import ForeignFormats
import Foundation
import Repositories
import TestSupport
import Testing

/// Repositories that somebody has made to be in the way of their readers.
@Suite struct HostileRepositoryTests {
  private let repository: GitRepository
  private let first: String

  init() throws {
    repository = try GitRepository()
    try repository.write("a")
    first = try repository.commit("First")
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path)))
  }

  private var reasons: [String] { repository.answer("a").flaws.map(\.reason) }

  /// All programs that git would start here make a file.
  @Test func nothingIsStartedOrWritten() throws {
    let mark = repository.place.path("started")
    let program = try repository.place.program("run", "#!/bin/sh\ntouch \(mark)\ncat\n")
    for name in ["post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman"] {
      try FileManager.default.createDirectory(
        atPath: repository.root + "/.git/hooks", withIntermediateDirectories: true)
      symlink(program, repository.root + "/.git/hooks/\(name)")
    }
    for setting in [
      "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass",
      "filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.external", "credential.helper",
      "core.alternateRefsCommand", "uploadpack.packObjectsHook",
    ] {
      try repository.git(
        "config", setting, setting == "credential.helper" ? "!\(program)" : program)
    }
    try repository.git("remote", "add", "origin", "ext::\(program) x")
    try repository.write(".gitattributes", "* filter=x diff=x\n")
    try repository.write("a", "other\n")
    let index = try bytes(repository.root + "/.git/index")
    let names = try FileManager.default.subpathsOfDirectory(atPath: repository.root).sorted()
    #expect(repository.states(.trees([[]])) == ["a": .changed, ".gitattributes": .untracked])
    #expect(repository.states(.files([[0x61]])) == ["a": .changed])
    #expect(try bytes(repository.root + "/.git/index") == index)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: repository.root).sorted() == names)
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func repositoryElsewhereIsReadOverLinksAndFilesOnly() throws {
    let other = repository.place.path("other.git")
    try FileManager.default.moveItem(atPath: repository.root + "/.git", toPath: other)
    #expect(repository.answer("a").isMissing)
    symlink(other, repository.root + "/.git")
    #expect(repository.commits(.files([[0x61]])) == ["a": first])
    unlink(repository.root + "/.git")
    try repository.write(".git", "gitdir: \(other)\n")
    #expect(repository.commits(.files([[0x61]])) == ["a": first])
    try repository.write(".git", "gitdir: /nowhere\n")
    #expect(repository.answer("a").repository == nil)
    try repository.write(".git", "gitdir: \(String(repeating: "x", count: 1 << 20))\n")
    #expect(repository.answer("a").repository == nil)
  }

  @Test func workTreeElsewhereAndNoneAreNotRead() throws {
    try repository.git("config", "core.worktree", "/")
    let elsewhere = repository.answer("a")
    #expect(elsewhere.repository == nil)
    #expect(!elsewhere.isMissing)
    #expect(elsewhere.flaws == [])
    try repository.git(["--git-dir=.git", "config", "--unset", "core.worktree"])
    #expect(repository.answer("a").repository != nil)
    try repository.git("config", "core.bare", "true")
    #expect(repository.answer("a").repository == nil)
    let bare = GitRepository(at: repository.place, root: repository.place.path("bare"))
    try repository.git(["init", "-q", "--bare", bare.root], in: repository.place.root)
    #expect(bare.answer("HEAD").repository == nil)
  }

  @Test func objectsOfAlternatesAreRead() throws {
    let copy = GitRepository(at: repository.place, root: repository.place.path("copy"))
    try repository.git("clone", "-q", "--shared", repository.root, copy.root)
    #expect(copy.commits(.files([[0x61]])) == ["a": first])
    try copy.write(".git/objects/info/alternates", copy.root + "/.git/objects\n")
    #expect(copy.answer("a").records.compactMap(\.commit) == [])
    #expect(copy.answer("a").flaws.count == 1)
  }

  @Test func damagedObjectsAreReported() throws {
    try repository.write("b")
    let second = try repository.commit("Second")
    let path = repository.root + "/.git/objects/\(first.prefix(2))/\(first.dropFirst(2))"
    let whole = try bytes(path)
    chmod(path, 0o644)
    for place in stride(from: 0, to: whole.count, by: 3) {
      var damaged = whole
      damaged[place] ^= 0x55
      try Data(damaged).write(to: URL(filePath: path))
      let answer = repository.answer("b", "a")
      // The first commit is read for both.
      #expect(answer.flaws.count == 1, "\(place)")
      #expect(answer.records.compactMap(\.commit).isEmpty)
      #expect(answer.records.map(\.state) == [.unchanged, .unchanged])
    }
    try Data().write(to: URL(filePath: path))
    #expect(repository.answer("a").flaws.count == 1)
    unlink(path)
    #expect(reasons.count == 1)
    #expect(reasons[0].hasPrefix("object not found - no match for id (\(first))"))
    try repository.git("update-ref", "--no-deref", "HEAD", second)
  }

  /// In such objects libgit2 1.5 itself writes beyond its memory.
  @Test(arguments: [0, 3, 60, 100_000, 9_000_000_000_000_000_000])
  func objectsOfOtherLengthsThanTheySayAreReported(_ length: Int) throws {
    let script = """
      import sys, zlib
      data = zlib.decompress(open(sys.argv[1], "rb").read())
      head, body = data.split(b"\\0", 1)
      changed = head.split()[0] + b" " + sys.argv[2].encode() + b"\\0" + body * 50
      open(sys.argv[1], "wb").write(zlib.compress(changed))
      """
    let tree = try repository.git("rev-parse", "HEAD:")
    for object in [tree, first] {
      let path = repository.root + "/.git/objects/\(object.prefix(2))/\(object.dropFirst(2))"
      chmod(path, 0o644)
      let run = try Execution.run(["python3", "-c", script, path, "\(length)"])
      #expect(run.status == 0, "\(run.errors)")
      #expect(!reasons.isEmpty)
      #expect(repository.answer("a").records.compactMap(\.commit) == [])
    }
  }

  /// Damage of other parts than those that an answer is made of is passed over, as git does it.
  @Test func damagedIndexAndHeadAreReported() throws {
    let index = try bytes(repository.root + "/.git/index")
    let records = repository.answer("a").records
    #expect(records.map(\.state) == [.unchanged])
    var passed = 0
    for place in index.indices {
      var damaged = index
      damaged[place] ^= 0x55
      try Data(damaged).write(to: URL(filePath: repository.root + "/.git/index"))
      let answer = repository.answer("a")
      if answer.flaws.isEmpty { passed += 1 }
      #expect(answer.flaws.count <= 1, "\(place)")
      #expect(answer.records == (answer.flaws.isEmpty ? records : []), "\(place)")
      #expect(repository.answer("nowhere").flaws.count == 1)
      #expect(repository.answer(.trees([[]])).flaws.count == 1)
      #expect(repository.answer(.entries([])).flaws.count == 1)
    }
    // The device, padding, an extension that only helps, and the checksum.
    #expect(passed < 60)
    try Data(index).write(to: URL(filePath: repository.root + "/.git/index"))
    try repository.write(".git/HEAD", "ref: refs/heads/loop\n")
    try repository.write(".git/refs/heads/loop", "ref: refs/heads/loop\n")
    #expect(reasons.count == 1)
    try repository.write(".git/refs/heads/loop", String(repeating: "1", count: 40) + "\n")
    #expect(reasons.count == 1)
  }

  @Test func longHistoryEndsAtTheDeadline() throws {
    let count = 20_000
    var stream = "feature done\n"
    for number in 0..<count {
      stream += "commit refs/heads/main\ncommitter A <a@b> \(number) +0000\ndata 0\n"
      if number == 0 { stream += "M 100644 inline a\ndata 0\n" }
      stream += "\n"
    }
    let long = try GitRepository()
    try long.git(["fast-import", "--quiet"], input: Array((stream + "done\n").utf8))
    try long.git("checkout", "-q", "main")
    let whole = long.answer("a")
    #expect(whole.flaws == [])
    #expect(whole.records.map(\.commit?.seconds) == [0])
    let late = long.answer(.files([[0x61]]), milliseconds: 5)
    #expect(late.flaws.map(\.reason) == ["reading took too long"])
    #expect(late.records.map(\.commit) == [nil])
  }

  @Test func textsAreShortAndAsTheyAre() throws {
    let subject = "\u{1b}[2J\"" + String(repeating: "x", count: 5000)
    try repository.write("b")
    try repository.git(
      ["add", "b"])
    try repository.git(
      ["commit", "-q", "-m", subject], environment: ["GIT_AUTHOR_NAME": "\u{202e}Eve\u{1b}x"])
    let commit = try #require(repository.answer("b").records.first?.commit)
    #expect(commit.subject == String(subject.prefix(1000)))
    #expect(commit.author == "\u{202e}Eve\u{1b}x")
  }
}
