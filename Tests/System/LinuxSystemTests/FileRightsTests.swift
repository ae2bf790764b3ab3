import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct FileRightsTests {
  private static func mayRead(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file >= 0 { close(file) }
    return file >= 0
  }

  @Test func rightsOfAUserLastAsLongAsTheyWereTaken() throws {
    let directory = try TemporaryDirectory()
    chmod(directory.root, 0o755)
    let (own, secret) = (try directory.file("own"), try directory.file("secret"))
    chown(own, 2001, 2001)
    chmod(own, 0o600)
    chmod(secret, 0o600)
    func rights() -> [Bool] { [own, secret].map(Self.mayRead) }
    #expect(rights() == [true, true])
    FileRights.ofUser(2001, group: 2001) {
      #expect(rights() == [true, false])
      FileRights.ofUser(2001, group: 2001) { #expect(rights() == [true, false]) }
      // The inner ones give back what the outer ones have, and not root's.
      #expect(rights() == [true, false])
      FileRights.ofUser(2002, group: 2002) { #expect(rights() == [false, false]) }
      #expect(rights() == [true, false])
    }
    #expect(rights() == [true, true])
  }
}
