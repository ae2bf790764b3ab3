import Foundation
import TestSupport
import Testing

@testable import FileTree

@Suite(.serialized) struct LargeTreeTests {
  /// Where many files are made and removed soon.
  private static func directory() throws -> TemporaryDirectory {
    try access("/dev/shm", W_OK) == 0 ? TemporaryDirectory(in: "/dev/shm") : TemporaryDirectory()
  }

  /// A directory, two files and an empty directory on each of 10,000 levels.
  @Test func treeOfTenThousandLevelsNeedsFewDescriptorsAndLittleMemory() throws {
    let tree = try Self.directory()
    let script = """
      import os, sys
      os.chdir(sys.argv[1])
      for _ in range(10000):
          open('a', 'w').close(); os.mkdir('d'); os.mkdir('e'); open('z', 'w').close()
          os.chdir('d')
      """
    #expect(try Execution.run(["python3", "-c", script, tree.root]).status == 0)
    for options in [["--sequential"], ["--workers", "2"], ["--workers", "4"]] {
      let walked = try Visited(
        tree.root, options[0], options.last ?? "", "--descriptors",
        by: ["prlimit", "--nofile=64"])
      #expect(walked.count == 40_000)
      #expect(walked.failureCount == 0)
      #expect(walked.descriptors < 48)
      #expect(walked.peak < 48 << 10)
    }
    #expect(try Execution.run(["rm", "-rf", tree.path("d")]).status == 0)
  }

  @Test func wideDirectoryIsVisitedWhole() throws {
    let tree = try Self.directory()
    let script = """
      import os, sys
      os.chdir(sys.argv[1])
      for number in range(200000): os.mknod('n%d' % number)
      """
    #expect(try Execution.run(["python3", "-c", script, tree.root]).status == 0)
    let names = Set((0..<200_000).map { Array("f \(tree.root)/n\($0)".utf8) })
    for workers in ["1", "2"] {
      let walked = try Visited(tree.root, "--workers", workers, "--list")
      #expect(walked.bytes.count == 200_000)
      #expect(Set(walked.bytes) == names)
    }
    #expect(try Execution.run(["rm", "-rf", tree.root]).status == 0)
  }

  /// Names of one file, since a million files would need a gigabyte themselves.
  @Test(.enabled(if: Visited.mayMount))
  func memoryDoesNotGrowWithTheNumberOfEntries() throws {
    let tree = try TemporaryDirectory()
    for name in ["files", "directories"] {
      let script = """
        mount -t tmpfs -o nr_inodes=0,size=90% none "$1"
        python3 -c '
        import os, sys
        os.chdir(sys.argv[1])
        os.mknod("f")
        for count in (10000, 1000000):
            os.mkdir(str(count))
            for number in range(count if sys.argv[2] == "files" else count // 10):
                name = "%d/n%d" % (count, number)
                os.link("f", name) if sys.argv[2] == "files" else os.mkdir(name)
        ' "$1" \(name)
        "$2" --workers 2 "$1/10000"
        "$2" --workers 2 "$1/1000000"
        """
      let execution = try Visited.inNamespace(script, tree.root)
      let numbers = execution.errors.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      try #require(numbers.count == 8, "\(execution.errors)")
      let factor = name == "files" ? 1 : 10
      #expect(numbers[0] == 10_000 / factor)
      #expect(numbers[4] == 1_000_000 / factor)
      #expect(numbers[6] - numbers[2] < 2 << 10, "\(name): \(numbers[2]) and \(numbers[6]) KiB")
    }
  }
}
