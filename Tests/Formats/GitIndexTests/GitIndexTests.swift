import Foundation
import GitIndex
import TestSupport
import Testing

/// The index as git has written it.
@Suite struct GitIndexTests {
  private let place: TemporaryDirectory
  private var root: String { place.root + "/work" }

  init() throws {
    place = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: root, withIntermediateDirectories: true)
    try git("init", "-q", "-b", "main")
  }

  @discardableResult
  private func git(_ words: String..., input: String = "") throws -> [UInt8] {
    let run = try Execution.run(
      ["git"] + words, in: root,
      environment: [
        "HOME": place.root, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "a@b",
      ], input: Array(input.utf8))
    #expect(run.status == 0, "\(words): \(run.errors)")
    return run.output
  }

  private func write(_ path: String, _ content: String) throws {
    let full = root + "/" + path
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(content.utf8).write(to: URL(filePath: full))
  }

  private var index: [UInt8] {
    get throws { try [UInt8](Data(contentsOf: URL(filePath: root + "/.git/index"))) }
  }

  private func find(_ paths: String...) throws -> [GitIndex.Match] {
    try GitIndex.find(paths.map { Array($0.utf8) }, in: index)
  }

  /// What `git ls-files` says of the entries of all paths, in its words.
  private func listed() throws -> [[UInt8]: [String]] {
    var listed: [[UInt8]: [String]] = [:]
    var path: [UInt8] = []
    // A path ends with a 0, what follows with a line feed.
    for line in try git("ls-files", "--stage", "--debug", "-z").split(separator: 0x0a) {
      var line = line
      if let end = line.firstIndex(of: 0), let tab = line.firstIndex(of: 0x09) {
        path = Array(line[(tab + 1)..<end])
        listed[path, default: []].append(String(decoding: line[..<tab], as: UTF8.self))
        line = line[(end + 1)...]
      }
      let last = listed[path, default: [""]].count - 1
      listed[path]?[last] += String(decoding: line, as: UTF8.self)
    }
    return listed
  }

  /// An entry in the words of `git ls-files --stage --debug`, but for the device.
  private func words(_ entry: GitIndex.Entry) -> String {
    let object = entry.object.map { String(format: "%02x", $0) }.joined()
    let flags =
      (entry.isAssumedUnchanged ? 0x8000 : 0) | (entry.isNotInWorkTree ? 0x4000_0000 : 0)
      | (entry.isIntended ? 0x2000_0000 : 0) | entry.stage << 12
      | (entry.isNotInWorkTree || entry.isIntended ? 0x4000 : 0)
    return String(format: "%06o", entry.mode) + " \(object) \(entry.stage)"
      + "  ctime: \(entry.changed.seconds):\(entry.changed.nanoseconds)"
      + "  mtime: \(entry.modified.seconds):\(entry.modified.nanoseconds)"
      + "  dev: \tino: \(entry.inode)  uid: \(entry.user)\tgid: \(entry.group)"
      + "  size: \(entry.size)\tflags: " + String(flags, radix: 16)
  }

  /// Compares all entries with those that git lists.
  private func compare(count: Int) throws {
    let (listed, index) = (try listed(), try index)
    #expect(listed.count == count)
    for start in stride(from: 0, to: listed.count, by: 64) {
      let paths = Array(listed.keys.sorted { $0.lexicographicallyPrecedes($1) }.dropFirst(start))
        .prefix(64)
      let matches = try GitIndex.find(Array(paths), in: index)
      for (path, match) in zip(paths, matches) {
        let expected = listed[path]?.map {
          $0.replacing(#/dev: \d+/#) { _ in "dev: " }
        }
        #expect(match.entries.map(words) == expected)
        #expect(!match.hasEntriesBelow)
      }
    }
  }

  @Test(arguments: [2, 4]) func thousandFilesAreThoseOfGit(_ version: Int) throws {
    var random = SplitMix(state: 41)
    var paths: Set<String> = []
    while paths.count < 1000 {
      let depth = Int.random(in: 0..<5, using: &random)
      let folders = (0..<depth).map { _ in "d\(Int.random(in: 0..<4, using: &random))-é" }
      let name = String(repeating: "n", count: Int.random(in: 1..<40, using: &random))
      paths.insert(
        (folders + [name + "\(Int.random(in: 0..<1000, using: &random)).txt"]).joined(
          separator: "/"))
    }
    for (number, path) in paths.sorted().enumerated() {
      try write(path, "\(number)")
      if number % 7 == 0 { chmod(root + "/" + path, 0o755) }
    }
    symlink("nowhere", root + "/link")
    try git("add", "-A")
    try git("update-index", "--index-version", "\(version)")
    #expect(try index[7] == UInt8(version))
    try compare(count: 1001)
    for (number, path) in paths.sorted().enumerated() where number % 3 > 0 {
      try git("update-index", number % 3 == 1 ? "--skip-worktree" : "--assume-unchanged", path)
      if number > 60 { break }
    }
    #expect(try index[7] == (version == 2 ? 3 : 4))
    try compare(count: 1001)
  }

  @Test(arguments: [2, 4]) func flagsAndStagesAreThoseOfGit(_ version: Int) throws {
    for path in ["a", "b", "c", "d/e"] { try write(path, path) }
    try git("add", "-A")
    try git("commit", "-q", "-m", "1")
    try git("checkout", "-q", "-b", "other")
    for path in ["a", "d/e"] { try write(path, "other") }
    try git("commit", "-q", "-a", "-m", "2")
    try git("checkout", "-q", "main")
    for path in ["a", "d/e"] { try write(path, "here") }
    try git("commit", "-q", "-a", "-m", "3")
    try git("checkout", "-q", "main")
    // With a conflict, which is no failure here.
    _ = try Execution.run(
      ["git", "-c", "user.name=A", "-c", "user.email=b", "merge", "other"], in: root)
    try write("new", "new")
    try git("add", "-N", "new")
    try git("update-index", "--skip-worktree", "b")
    try git("update-index", "--assume-unchanged", "c")
    try git("update-index", "--index-version", "\(version)")
    #expect(try index[7] == (version == 2 ? 3 : 4))
    try compare(count: 5)
    let matches = try find("a", "b", "c", "new")
    #expect(matches[0].entries.map(\.stage) == [1, 2, 3])
    #expect(matches[1].entries.map(\.isNotInWorkTree) == [true])
    #expect(matches[2].entries.map(\.isAssumedUnchanged) == [true])
    #expect(matches[3].entries.map(\.isIntended) == [true])
  }

  @Test(arguments: [2, 4]) func directoriesHaveEntriesBelow(_ version: Int) throws {
    for path in ["a-b", "a/b", "a.c", "ab/c/d", "b"] { try write(path, "") }
    try git("add", "-A")
    try git("update-index", "--index-version", "\(version)")
    #expect(
      try find("", "a", "ab", "ab/c", "ab/c/d", "b", "c", "a-", "ab/c/d/e").map(\.hasEntriesBelow)
        == [true, true, true, true, false, false, false, false, false])
    #expect(
      try find("", "a", "ab/c/d", "b", "b/c").map(\.entries.count) == [0, 0, 1, 1, 0])
  }

  /// Longer than the 12 bits of a length.
  @Test(arguments: [2, 4], [4094, 4095, 4096, 5000])
  func longNamesAreRead(_ version: Int, _ length: Int) throws {
    let name = String(repeating: "x", count: length - 2)
    let empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    try git(
      "update-index", "--add", "--index-info",
      input: "100644 \(empty)\ta/\(name)\n100644 \(empty)\ta/\(name)y\n100644 \(empty)\tb\n")
    try git("update-index", "--index-version", "\(version)")
    #expect(
      try find("a/" + name, "a/" + name + "y", "a/" + name + "z", "b").map(\.entries.count)
        == [1, 1, 0, 1])
  }

  @Test func extensionsThatOnlyHelpArePassedOver() throws {
    for path in ["a", "b/c"] { try write(path, path) }
    try git("add", "-A")
    try git("commit", "-q", "-m", "1")
    try git("config", "index.threads", "2")
    try git("update-index", "--force-untracked-cache", "--force-write-index")
    try git("config", "core.fsmonitor", "true")
    try git("-c", "core.fsmonitor=/bin/true", "update-index", "--fsmonitor", "--force-write-index")
    let bytes = try index
    for name in ["TREE", "UNTR", "FSMN"] {
      #expect(
        bytes.indices.dropLast(4).contains { bytes[$0...].starts(with: name.utf8) }, "\(name)")
    }
    try git("config", "--unset", "core.fsmonitor")
    try compare(count: 2)
  }

  @Test func splitAndSparseIndexesAreRefused() throws {
    try git("update-index", "--split-index")
    try refuses(.unknownExtension(Array("link".utf8)))
    for path in ["a", "b/c", "d/e"] { try write(path, path) }
    try git("add", "-A")
    try git("commit", "-q", "-m", "1")
    try refuses(.unknownExtension(Array("link".utf8)))
    try git("update-index", "--no-split-index")
    #expect(try find("d/e").map(\.entries.count) == [1])
    try git("sparse-checkout", "set", "--cone", "--sparse-index", "b")
    try refuses(.unknownExtension(Array("sdir".utf8)))
  }

  private func refuses(_ reason: GitIndexFailure.Reason) throws {
    do throws(GitIndexFailure) {
      let index = (try? index) ?? []
      _ = try GitIndex.find([[0x61]], in: index)
      Issue.record("\(reason) is read")
    } catch {
      #expect(error.reason == reason)
    }
  }

  /// Where this expects flags, it has bytes of the longer names of objects.
  @Test func indexWithOtherNamesOfObjectsIsRefused() throws {
    try git("init", "-q", "--object-format=sha256", "other")
    let (here, path) = (root + "/other", root + "/other/.git/index")
    try Data("one".utf8).write(to: URL(filePath: here + "/a"))
    #expect(try Execution.run(["git", "add", "a"], in: here).status == 0)
    let index = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(throws: GitIndexFailure(.brokenName, offset: 12)) {
      try GitIndex.find([[0x61]], in: index)
    }
    #expect(try Execution.run(["git", "read-tree", "--empty"], in: here).status == 0)
    let empty = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(throws: GitIndexFailure.self) { try GitIndex.find([[0x61]], in: empty) }
  }

  @Test func emptyIndexHasNoPath() throws {
    try git("read-tree", "--empty")
    #expect(try find("", "a") == [GitIndex.Match(), GitIndex.Match()])
  }
}

extension GitIndex {
  static func find(
    _ paths: [[UInt8]], in index: [UInt8]
  ) throws(GitIndexFailure) -> [Match] { try find(paths, in: index.span) }
}
