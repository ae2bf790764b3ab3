import ForeignFormats
import Foundation
import Repositories
import TestSupport
import Testing

/// Files of which the index says enough, and those that libgit2 is asked for.
@Suite struct CommittedPathsTests {
  private let repository: GitRepository
  private var place: String { repository.root + "/.git/index" }

  init() throws {
    repository = try GitRepository()
    for path in ["a", "b", "d/e", "d/f/g", "run"] { try repository.write(path) }
    try repository.write("empty", "")
    symlink("a", repository.root + "/link")
    chmod(repository.root + "/run", 0o755)
    try repository.commit("First")
    // As a second later: what is as old as the index may have changed since.
    try setTime(of: place, Int(Date().timeIntervalSince1970) + 10)
  }

  private var index: [UInt8] {
    get throws { try [UInt8](Data(contentsOf: URL(filePath: place))) }
  }

  private func setTime(of path: String, _ seconds: Int) throws {
    #expect(try Execution.run(["touch", "-h", "-d", "@\(seconds)", path]).status == 0)
  }

  private func writeIndex(_ bytes: [UInt8], hasChecksum: Bool) throws {
    var bytes = bytes
    if hasChecksum {
      try Data(bytes.dropLast(20)).write(to: URL(filePath: repository.place.path("sum")))
      let digits = try Execution.run(["sha1sum", repository.place.path("sum")]).text.prefix(40)
      let sum = stride(from: 0, to: 40, by: 2).compactMap {
        UInt8(digits.dropFirst($0).prefix(2), radix: 16)
      }
      bytes.replaceSubrange((bytes.count - 20)..., with: sum)
    } else {
      bytes[bytes.count - 1] ^= 1
    }
    try Data(bytes).write(to: URL(filePath: place))
    try setTime(of: place, Int(Date().timeIntervalSince1970) + 10)
  }

  /// Whether an answer is found without libgit2's index, which looks at the checksum.
  private func isFoundAtOnce(_ paths: String...) throws -> Bool {
    let (index, time) = (try index, try FileManager.default.attributesOfItem(atPath: place))
    try writeIndex(index, hasChecksum: false)
    defer {
      try? Data(index).write(to: URL(filePath: place))
      try? FileManager.default.setAttributes(
        [.modificationDate: time[.modificationDate] as Any], ofItemAtPath: place)
    }
    let answer = repository.answer(.files(paths.map { Array($0.utf8) }))
    if answer.flaws.isEmpty { return true }
    #expect(answer.records == [])
    #expect(answer.flaws.count == 1)
    #expect(answer.flaws.allSatisfy { $0.reason.contains("checksum") })
    return false
  }

  private func state(_ path: String) -> RepositoryRecord.State? {
    let answer = repository.answer(path)
    #expect(answer.flaws == [])
    return answer.records.first?.state
  }

  @Test(arguments: [2, 4]) func unchangedFilesAndDirectoriesAreFoundAtOnce(_ version: Int) throws {
    try repository.git("update-index", "--index-version", "\(version)")
    try setTime(of: place, Int(Date().timeIntervalSince1970) + 10)
    for path in ["a", "b", "d/e", "d/f/g", "run", "empty", "link"] {
      #expect(try isFoundAtOnce(path), "\(path)")
      #expect(state(path) == .unchanged)
    }
    for path in ["", "d", "d/f"] {
      #expect(try isFoundAtOnce(path), "\(path)")
      #expect(state(path) == nil)
    }
    #expect(try isFoundAtOnce("a", "d", "d/e"))
    #expect(try isFoundAtOnce("a", "new") == false)
    #expect(
      repository.commits(.files([Array("d/e".utf8), Array("d".utf8)]))
        == [
          "d/e": try repository.git("rev-parse", "HEAD"),
          "d": try repository.git("rev-parse", "HEAD"),
        ])
  }

  @Test func whatDiffersIsFoundByLibgit2() throws {
    try repository.write("b", "CONTENT\n")
    chmod(repository.root + "/a", 0o755)
    chmod(repository.root + "/run", 0o644)
    try FileManager.default.removeItem(atPath: repository.root + "/d/e")
    unlink(repository.root + "/link")
    symlink("b", repository.root + "/link")
    for path in ["a", "b", "d/e", "link", "run"] {
      #expect(try !isFoundAtOnce(path), "\(path)")
      #expect(state(path) == .changed, "\(path)")
    }
    try repository.write("d/f/g", "other\n")
    try repository.git("add", "d/f/g")
    try repository.write("new")
    try repository.git("add", "new")
    for (path, expected) in [
      ("d/f/g", RepositoryRecord.State.staged), ("new", .staged), ("nowhere", .untracked),
    ] {
      #expect(try !isFoundAtOnce(path), "\(path)")
      #expect(state(path) == expected, "\(path)")
    }
  }

  @Test func fileThatOnlyTheModeIsStagedOfIsStaged() throws {
    chmod(repository.root + "/a", 0o755)
    try forge("a", mode: 0o100755)
    #expect(try !isFoundAtOnce("a"))
    #expect(state("a") == .staged)
    // Another file, whose object is the same.
    #expect(try isFoundAtOnce("b"))
  }

  @Test func removedFromTheIndexButCommittedIsNotTracked() throws {
    try repository.git("rm", "-q", "--cached", "a")
    #expect(try !isFoundAtOnce("a"))
    #expect(state("a") == .untracked)
  }

  @Test func entriesWithFlagsAreFoundByLibgit2() throws {
    try repository.git("update-index", "--assume-unchanged", "a")
    try repository.git("update-index", "--skip-worktree", "b")
    try repository.write("new")
    try repository.git("add", "-N", "new")
    try setTime(of: place, Int(Date().timeIntervalSince1970) + 10)
    for path in ["a", "b", "new"] { #expect(try !isFoundAtOnce(path), "\(path)") }
    #expect(state("a") == .unchanged)
    #expect(state("b") == .unchanged)
    #expect(state("new") == .changed)
    #expect(try isFoundAtOnce("d/e"))
  }

  /// Writes into the entry of a file the status that another content of the same length has.
  ///
  /// - Parameter place: the offset in the entry of a byte that is wrong.
  private func forge(
    _ path: String, mode: UInt32 = 0o100644, wrong offset: Int? = nil
  ) throws {
    var status = stat()
    #expect(lstat(repository.root + "/" + path, &status) == 0)
    var index = try index
    let name = Array(path.utf8) + [0]
    var found: Int?
    for start in stride(from: 12, to: index.count - 62, by: 8)
    where index[(start + 62)...].starts(with: name) {
      found = found ?? start
    }
    let start = try #require(found)
    let (ctime, mtime) = (status.st_ctim, status.st_mtim)
    let numbers: [UInt32] = [
      UInt32(ctime.tv_sec), UInt32(ctime.tv_nsec), UInt32(mtime.tv_sec), UInt32(mtime.tv_nsec), 0,
      UInt32(truncatingIfNeeded: status.st_ino), mode, status.st_uid, status.st_gid,
      UInt32(status.st_size),
    ]
    for (number, value) in numbers.enumerated() where number != 4 {
      for byte in 0..<4 {
        index[start + number * 4 + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte))
      }
    }
    if let offset { index[start + offset] ^= 1 }
    try writeIndex(index, hasChecksum: true)
  }

  /// As git and libgit2, which do not read the content of a file with the status of its entry.
  @Test func statusIsWhatIsCompared() throws {
    try repository.write("a", "CONTENT\n")
    #expect(state("a") == .changed)
    try forge("a")
    #expect(state("a") == .unchanged)
    #expect(try isFoundAtOnce("a"))
    #expect(try repository.git("status", "--porcelain", "a") == "")
  }

  /// The last bytes of both times, the parts of these below a second, inode, mode, user, group and size.
  @Test(arguments: [3, 7, 11, 15, 23, 27, 31, 35, 39])
  func anyOtherStatusHasTheContentRead(_ offset: Int) throws {
    try repository.write("a", "CONTENT\n")
    try forge("a", wrong: offset)
    #expect(try !isFoundAtOnce("a"))
    #expect(state("a") == .changed)
  }

  @Test func fileThatOnlyTheModeOfHasChangedIsChanged() throws {
    chmod(repository.root + "/a", 0o755)
    try forge("a")
    #expect(try !isFoundAtOnce("a"))
    #expect(state("a") == .changed)
  }

  /// A file that has changed in the moment in which the index was written may have the status of before.
  @Test func contentOfFilesAsNewAsTheIndexIsRead() throws {
    try repository.write("a", "CONTENT\n")
    try forge("a")
    #expect(Execution.isTouched(place, like: repository.root + "/a"))
    #expect(state("a") == .changed)
    #expect(Execution.isTouched(repository.root + "/b", like: place))
    try repository.git("add", "b")
    #expect(state("b") == .unchanged)
  }

  /// git notes that it has yet to compare the content by a size of 0.
  @Test func contentOfFilesThatSeemEmptyIsRead() throws {
    try repository.write("a", "")
    try forge("a")
    #expect(try !isFoundAtOnce("a"))
    #expect(try isFoundAtOnce("empty"))
  }

  @Test func wayOverALinkOrIntoARepositoryIsNotGone() throws {
    try FileManager.default.moveItem(
      atPath: repository.root + "/d/f", toPath: repository.root + "/d/h")
    symlink("h", repository.root + "/d/f")
    #expect(try !isFoundAtOnce("d/f/g"))
    #expect(state("d/f/g") == .changed)
    #expect(try isFoundAtOnce("d/e"))
    try repository.git("init", "-q", "d")
    #expect(try !isFoundAtOnce("d/e"))
  }

  @Test func caseIsNotIgnored() throws {
    try repository.git("config", "core.ignorecase", "true")
    #expect(try !isFoundAtOnce("a"))
    #expect(state("a") == .unchanged)
    #expect(state("A") == .unchanged)
    try repository.git("config", "core.ignorecase", "perhaps")
    #expect(try !isFoundAtOnce("a"))
    try repository.git("config", "core.ignorecase", "false")
    #expect(try isFoundAtOnce("a"))
  }

  /// One side of a merge, even with the status and the content of the file.
  @Test func conflictIsFoundByLibgit2() throws {
    let object = try repository.git("rev-parse", "HEAD:a")
    let removal = "0 \(String(repeating: "0", count: 40))\ta\n"
    try repository.git(
      ["update-index", "--add", "--index-info"],
      input: Array((removal + "100644 \(object) 2\ta\n").utf8))
    try forge("a")
    #expect(try !isFoundAtOnce("a"))
    #expect(state("a") == .changed)
  }

  @Test func indexThatIsNoFileIsLeftToLibgit2() throws {
    unlink(place)
    #expect(state("a") == .untracked)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    #expect(repository.answer("a").records == [])
    #expect(repository.answer("a").flaws.count == 1)
  }

  /// As the issue has it: a file and its repository are as git says, for 1,000 files.
  @Test func thousandFilesHaveTheStatesOfGitStatus() throws {
    var random = SplitMix(state: 7)
    let paths = (0..<1000).map { "t/d\($0 % 13)/e\($0 % 7)/f\($0)" }
    for path in paths { try repository.write(path, "one\n") }
    try repository.commit("Many")
    try setTime(of: place, Int(Date().timeIntervalSince1970) + 10)
    var expected: [String: RepositoryRecord.State] = [:]
    for path in paths {
      expected[path] = .unchanged
      switch Int.random(in: 0..<20, using: &random) {
      case 0: try repository.write(path, "three\n")
      case 1: try repository.write(path, "one\n")
      case 2: unlink(repository.root + "/" + path)
      default: break
      }
    }
    for line in try repository.git("--no-optional-locks", "status", "--porcelain").split(
      separator: "\n")
    {
      expected[String(line.drop { $0 == " " }.dropFirst(2))] = .changed
    }
    for start in stride(from: 0, to: paths.count, by: 40) {
      let some = paths[start..<start + 40]
      #expect(
        repository.states(.files(some.map { Array($0.utf8) }))
          == expected.filter { some.contains($0.key) })
    }
    for path in paths.shuffled(using: &random).prefix(100) {
      #expect(state(path) == expected[path], "\(path)")
    }
  }
}

extension Execution {
  /// Gives a file the time of another one.
  fileprivate static func isTouched(_ path: String, like other: String) -> Bool {
    (try? run(["touch", "-r", other, path]).status) == 0
  }
}
