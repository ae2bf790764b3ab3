import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import Applications

@Suite struct KnownApplicationsTests {
  private static let workingCopy = "com.appliedphasor.working-copy"

  @Test func ofEachValueTheFirstOriginCounts() throws {
    let home = try Home()
    let list = try home.file(
      Home.list,
      """
      {"applications": [{"identifier": "\(Self.workingCopy)", "name": "Mine"},
        {"identifier": "org.example.Editor", "appInfoURL": "https://example.org/"}]}
      """)
    let entry = try home.entry("org.example.Editor", "Name=Editor", "Name[de]=Bearbeiter")
    let known = home.known("de_DE.UTF-8")
    let copy = try #require(known.application(Self.workingCopy))
    #expect(copy.name == "Mine")
    #expect(copy.nameSource?.origin == .user)
    #expect(
      copy.appInfoURL
        == "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json")
    #expect(copy.appInfoURLSource?.origin == .builtIn)
    #expect(copy.origin == .user)
    let editor = try #require(known.application("org.example.Editor"))
    #expect(editor.name == "Editor")
    #expect(editor.localizedName == "Bearbeiter")
    #expect(editor.sources.map(\.path) == [list, entry])
    #expect(known.all().map(\.identifier) == [Self.workingCopy, "org.example.Editor"])
    #expect(known.all(of: .builtIn).map(\.name) == ["Working Copy"])
    #expect(known.all(of: .installed).map(\.appInfoURL) == [nil])
    #expect(known.application("org.example.editor") == nil)
    #expect(known.application("") == nil)
    #expect(known.application("../x") == nil)
  }

  @Test func wordMeansAnIdentifierOrTheOnlyOneOfAName() throws {
    let home = try Home()
    try home.entry("org.example.Editor", "Name=Editor", "Name[de]=Bearbeiter")
    try home.entry("org.example.Other", "Name=Same")
    try home.entry("org.example.Third", "Name=same")
    let known = home.known("de")
    func match(_ word: String) -> [String] {
      switch known.match(word) {
      case .one(let one): [one.identifier]
      case .several(let several): several
      case .none: []
      }
    }
    #expect(match("org.example.Editor") == ["org.example.Editor"])
    #expect(match("ORG.example.editor") == ["org.example.Editor"])
    #expect(match("editor") == ["org.example.Editor"])
    #expect(match("bearbeiter") == ["org.example.Editor"])
    #expect(match("working copy") == [Self.workingCopy])
    #expect(match("Same") == ["org.example.Other", "org.example.Third"])
    #expect(match("nothing") == [])
  }

  @Test func helpersAreKnownButNotListedWithoutBeingAskedFor() throws {
    let home = try Home()
    try home.entry("org.example.Helper", "Name=Helper", "NoDisplay=true")
    let known = home.known()
    #expect(known.all(includingHelpers: false).map(\.identifier) == [Self.workingCopy])
    #expect(known.all().map(\.identifier) == [Self.workingCopy, "org.example.Helper"])
    #expect(known.application("org.example.Helper")?.name == "Helper")
  }
}
