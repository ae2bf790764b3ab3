import Glibc
import TestSupport
import Testing

@testable import Watching

/// Whoever makes a file system can give it the number of another one.
@Suite(.enabled(if: FileSystem.mayMount)) struct JournaledSystemsTests {
  private static let number = "5a1ba0c6-2b2c-4bd5-8f8a-6a6b5a1f3b11"

  private let first: CInt
  private let second: CInt
  private let other: CInt

  /// They are mounted where nobody else sees them: a witness that sees two of one number forgets all that it
  /// knows.
  init() throws {
    let directory = try TemporaryDirectory()
    let script = """
      set -e
      cd '\(directory.root)'
      for place in first second other; do
        truncate -s 16M $place.image; mkdir $place
        [ $place = other ] || options='-U \(Self.number)'
        mkfs.ext4 -q $options $place.image; options=
        mount -o loop $place.image $place
      done
      touch ready
      exec sleep 60
      """
    let process = try RunningProcess(
      ["unshare", "-m", "--propagation", "private", "sh", "-c", script].map { Array($0.utf8) })
    defer {
      process.kill(SIGKILL)
      _ = process.wait()
    }
    try Patience.wait { access(directory.path("ready"), F_OK) == 0 }
    let files = ["first", "second", "other"].map { name in
      open("/proc/\(process.identifier)/root\(directory.path(name))", O_RDONLY | O_CLOEXEC)
    }
    try #require(files.allSatisfy { $0 >= 0 })
    (first, second, other) = (files[0], files[1], files[2])
  }

  private func close() { for file in [first, second, other] { Glibc.close(file) } }

  @Test func ofTwoWithOneNumberNothingIsKnown() throws {
    defer { close() }
    let systems = JournaledSystems()
    #expect(systems.key(of: first) == nil)
    #expect(systems.include(first) && systems.include(other) && systems.include(first))
    #expect(systems.key(of: first) != nil && systems.key(of: other) != nil)
    #expect(!systems.takeChange())
    #expect(!systems.include(second))
    #expect(systems.key(of: first) == nil && systems.key(of: second) == nil)
    #expect(systems.key(of: other) != nil)
    #expect(!systems.include(first))
    #expect(systems.takeChange())
    #expect(!systems.takeChange())
    // One of them is unmounted: what its number was known for is not the other's.
    systems.mountsChanged()
    #expect(systems.key(of: other) == nil)
    #expect(systems.include(other))
    #expect(!systems.takeChange())
    #expect(systems.include(second))
    #expect(systems.takeChange())
    #expect(systems.key(of: second) != nil)
  }

  @Test func numberThatGetsAnotherDeviceIsAnotherFileSystem() throws {
    defer { close() }
    let systems = JournaledSystems()
    #expect(systems.include(first))
    systems.mountsChanged()
    #expect(systems.include(first))
    #expect(!systems.takeChange())
    systems.mountsChanged()
    systems.mountsChanged()
    #expect(systems.include(second))
    #expect(systems.takeChange())
  }
}
