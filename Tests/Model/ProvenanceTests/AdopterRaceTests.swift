import Foundation
import Glibc
import LinuxSystem
import Provenance
import TestSupport
import Testing
import Xattr

/// A user exchanges the file for another one, all the time, while root adopts.
@Suite(.enabled(if: geteuid() == 0, "giving files away needs root"))
struct AdopterRaceTests {
  private static let user: uid_t = 12345
  private static let swapper = """
    import ctypes, os, sys
    os.chdir(sys.argv[1])
    rename = ctypes.CDLL(None).renameat2
    while os.path.exists("doc") or os.path.exists("other"):
        rename(-100, b"doc", -100, b"other", 2)
    """

  /// What stands in the place of the file half of the time.
  enum Other: CaseIterable { case file, link }

  @Test(arguments: Other.allCases)
  func marksOfAUserComeToTheUsersFilesOnly(_ other: Other) throws {
    let directory = try TemporaryDirectory()
    let victim = try directory.file("victim")
    mkdir(directory.path("there"), 0o755)
    let path = FilePath(try directory.file("there/doc"))
    let mine = try ExtendedAttributes(of: .held(FileReference.path(path).held()))
    let name = directory.path("there/other")
    #expect((other == .link ? symlink(victim, name) : link(victim, name)) == 0)
    let double = try directory.file("there/._doc")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "there/._doc")
    for path in [path.description, double, directory.path("there")] {
      chown(path, Self.user, Self.user)
    }
    let source = try #require(AttributeName("user.x-document-source"))
    let theirs = ExtendedAttributes(of: .path(FilePath(victim)))

    let arguments = ["python3", "-c", Self.swapper, directory.path("there")]
    let swapper = try RunningProcess(arguments.map { Array($0.utf8) })
    defer { _ = (swapper.kill(SIGKILL), swapper.wait()) }
    let adopter = Adopter(preference: .carrier, keepsCarriers: true)
    let end = Date() + 3
    var (adopted, left) = (0, 0)
    while Date() < end {
      let report = try adopter.adopt(.path(path))
      if report.hasSource { adopted += 1 } else { left += 1 }
      try mine.removeValue(of: source)
      try #require(try theirs.names() == [], "after \(adopted + left) runs")
    }
    print("AdopterRaceTests: \(adopted) adopted, \(left) left")
    // Otherwise the race was not run.
    #expect(adopted > 20)
    #expect(left > 20)
  }
}
