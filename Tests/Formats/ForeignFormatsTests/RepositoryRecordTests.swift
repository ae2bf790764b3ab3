import ForeignFormats
import Testing

@Suite struct RepositoryRecordTests {
  @Test(arguments: [
    ("https://host/x.git", "https://host/x.git"),
    ("https://me:pw@host:8443/x.git?token=1#f", "https://host:8443/x.git"),
    ("https://token@host/x@y", "https://host/x@y"),
    ("https://a@b@host/x", "https://host/x"),
    ("ssh://git:pw@host:22/x", "ssh://git@host:22/x"),
    ("git+ssh://git@host/x", "git+ssh://git@host/x"),
    ("SSH://:pw@host/x", "SSH://host/x"),
    ("git@host:x.git", "git@host:x.git"),
    ("/srv/x.git", "/srv/x.git"),
    ("file:///srv/x?y", "file:///srv/x"),
    ("https://me@host?x", "https://host"),
    ("", ""),
  ])
  func credentialsAreTakenOff(_ address: String, _ expected: String) {
    #expect(RepositoryRecord.Repository.withoutCredentials(Array(address.utf8)) == expected)
  }

  @Test(arguments: [
    ("https://host/x.git", "x"), ("git@host:y.git", "y"), ("git@host:a/z/", "z"),
    ("https://host/.git", "work"), ("/", "work"), (nil, "work"),
  ])
  func nameIsThatOfTheAddressOrTheWorkTree(_ remote: String?, _ name: String) {
    let root = Array("/home/me/work".utf8)
    #expect(RepositoryRecord.Repository(root: root, remote: remote).name == name)
  }

  @Test func onlyTrackedStatesAreTracked() {
    #expect(
      RepositoryRecord.State.allCases.filter { !$0.isTracked } == [.untracked, .ignored])
    #expect(RepositoryRecord.Repository(root: [0x2f]).name == "/")
  }
}
