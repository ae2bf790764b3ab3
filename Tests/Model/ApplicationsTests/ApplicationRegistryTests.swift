import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Applications

/// The user's list, well formed, damaged and hostile.
@Suite struct ApplicationRegistryTests {
  private static let path = FilePath("apps.json")

  private static func read(_ json: String) throws -> ApplicationRegistry {
    try ApplicationRegistry(json: Array(json.utf8), path: path)
  }

  private static func reason(_ json: [UInt8]) -> String? {
    do throws(UserFile.Failure) {
      _ = try ApplicationRegistry(json: json, path: path)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func applicationsAreReadInTheirOrder() throws {
    let registry = try Self.read(
      """
      \u{feff}{"version": 1, "applications": [
        {"identifier": "b.b", "name": "B", "appInfoURL": "https://b/", "colour": [1, 2]},
        {"identifier": "a.a"}, {"identifier": "c.c", "name": ""}]}
      """)
    #expect(registry.applications.map(\.identifier) == ["b.b", "a.a", "c.c"])
    #expect(registry.applications.map(\.name) == ["B", nil, nil])
    #expect(registry.applications.map(\.appInfoURL) == ["https://b/", nil, nil])
    #expect(registry.applications.allSatisfy { $0.origin == .user && $0.path == Self.path })
    #expect(registry.flaws == [])
    #expect(registry.failure == nil)
    #expect(try Self.read("{}").applications == [])
  }

  @Test func whatIsMalformedIsReportedWithItsPositionAndPassedOver() throws {
    let registry = try Self.read(
      """
      {"applications": [1, {"name": "x"}, {"identifier": 2}, {"identifier": ""},
        {"identifier": "a\\u0000b"}, {"identifier": "a.a", "name": null, "appInfoURL": true},
        {"identifier": "a.a", "name": "Second"}, null, [], {"identifier": "z.z", "name": "a\\u0000"}]}
      """)
    #expect(registry.applications.map(\.identifier) == ["a.a", "z.z"])
    #expect(registry.applications.allSatisfy { $0.name == nil && $0.appInfoURL == nil })
    #expect(
      registry.flaws.map { "\($0.position ?? 0): \($0.reason)" } == [
        "1: the entry is a number, not an object; ignored",
        "2: 'identifier' is missing; ignored",
        "3: 'identifier' is a number, not a string; ignored",
        "4: 'identifier' is missing; ignored",
        "5: 'identifier' contains a NUL character; ignored",
        "6: 'name' is null, not a string; ignored",
        "6: 'appInfoURL' is a boolean, not a string; ignored",
        "7: duplicate of 'a.a'; ignored",
        "8: the entry is null, not an object; ignored",
        "9: the entry is an array, not an object; ignored",
        "10: 'name' contains a NUL character; ignored",
      ])
  }

  @Test(arguments: [
    ("", "line 1, column 0: '[' or '{' expected near end of file"),
    ("[]", "the root is an array, not an object"),
    ("{\"applications\": {}}", "'applications' is an object, not an array"),
    ("{\n\"applications\": [}", "line 2, column 18: unexpected token near '}'"),
    ("{} x", "line 1, column 4: end of file expected near 'x'"),
    (
      "{\"a\": 99999999999999999999}",
      "line 1, column 26: too big integer near '99999999999999999999'"
    ),
  ])
  func whatIsNoListIsReportedWithItsPosition(_ json: String, _ reason: String) {
    #expect(Self.reason(Array(json.utf8)) == reason)
  }

  @Test func deepNestingAndOtherEncodingsAreRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(
      Self.reason(Array("{\"a\":\(deep)".utf8))
        == "line 1, column 2053: maximum parsing depth reached near '['")
    #expect(
      Self.reason(Array("{\"a\": \"".utf8) + [0xff] + Array("\"}".utf8))
        == "line 1, column 7: unable to decode byte 0xff near '\"'")
    #expect(Self.reason([0xff, 0xfe, 0x7b, 0]) != nil)
    #expect(Self.reason([0]) != nil)
  }

  @Test func fileThatIsTooLargeOrNoneIsAFailureOrNothing() throws {
    let home = try Home()
    #expect(ApplicationRegistry(places: home.places).failure == nil)
    let path = try home.file(Home.list, String(repeating: " ", count: (1 << 20) + 1))
    #expect(
      ApplicationRegistry(places: home.places).failure
        == UserFile.Failure(path: path, reason: "the file is larger than 1 MiB"))
    try home.file(Home.list, String(repeating: " ", count: (1 << 20) - 2) + "{}")
    #expect(ApplicationRegistry(places: home.places).failure == nil)
    let homeless = BaseDirectories { _ in nil }
    #expect(ApplicationRegistry(places: homeless).failure == nil)
    #expect(throws: UserFile.Failure.self) { try ApplicationRegistry.path(homeless) }
  }

  @Test func changingKeepsWhatIsNotKnown() throws {
    let home = try Home()
    let path = try home.file(
      Home.list,
      """
      {"z": 1.5, "applications": [7, {"x": {"y": []}, "identifier": "a.a", "name": "Old"},
      {"identifier": "a.a", "name": "Second"}, {"identifier": "b.b"}], "a": "\\u00e4\\u0000"}
      """)
    let set = try ApplicationRegistry.set(
      "a.a", to: .init(name: "New", appInfoURL: "https://a/"), home.places)
    #expect(set == .changed)
    #expect(
      try home.directory.text(Home.list) == """
        {
          "z": 1.5,
          "applications": [
            7,
            {
              "x": {
                "y": []
              },
              "identifier": "a.a",
              "name": "New",
              "appInfoURL": "https://a/"
            },
            {
              "identifier": "a.a",
              "name": "Second"
            },
            {
              "identifier": "b.b"
            }
          ],
          "a": "ä\\u0000"
        }

        """)
    #expect(try ApplicationRegistry.set("a.a", to: .init(name: "New"), home.places) == .unchanged)
    #expect(try ApplicationRegistry.set("a.a", to: .init(name: ""), home.places) == .changed)
    #expect(try ApplicationRegistry.set("c.c", to: .init(name: "C"), home.places) == .added)
    let registry = ApplicationRegistry(places: home.places)
    #expect(registry.applications.map(\.identifier) == ["a.a", "b.b", "c.c"])
    #expect(registry.applications.map(\.name) == [nil, nil, "C"])
    #expect(try ApplicationRegistry.remove(["a.a", "d.d", "c.c"], home.places) == ["a.a", "c.c"])
    #expect(ApplicationRegistry(places: home.places).applications.map(\.identifier) == ["b.b"])
    #expect(try home.directory.text(Home.list).contains("\"z\": 1.5"))
    #expect("\(path)".hasSuffix(Home.list))
  }

  @Test func keyThatIsThereTwiceIsReportedAndNeverRewritten() throws {
    let home = try Home()
    let json = "{\"applications\": [{\"identifier\": \"a.a\", \"name\": \"1\", \"name\": \"2\"}]}"
    let path = try home.file(Home.list, json)
    let registry = ApplicationRegistry(places: home.places)
    #expect(registry.applications.map(\.name) == ["2"])
    let reason = "line 1, column 59: duplicate object key near '\"name\"'"
    #expect(registry.flaws == [.init(position: nil, reason: "\(reason); the last one is used")])
    #expect(
      throws: UserFile.Failure(
        path: path,
        reason: "\(reason); rewriting the file would lose one of the two; remove one first")
    ) {
      try ApplicationRegistry.set("b.b", to: .init(name: "B"), home.places)
    }
    #expect(try home.directory.text(Home.list) == json)
  }

  @Test func listThatWouldBeTooLargeIsNotWritten() throws {
    let home = try Home()
    let json = "{\"a\": \"\(String(repeating: "x", count: (1 << 20) - 100))\"}"
    let path = try home.file(Home.list, json)
    let change = ApplicationRegistry.Change(name: String(repeating: "y", count: 200))
    #expect(throws: UserFile.Failure(path: path, reason: "the file is larger than 1 MiB")) {
      try ApplicationRegistry.set("b.b", to: change, home.places)
    }
    #expect(try home.directory.text(Home.list) == json)
  }

  @Test func linkToTheListIsKept() throws {
    let home = try Home()
    try home.file("dotfiles/apps.json", "{}")
    try FileManager.default.createDirectory(
      atPath: home.directory.path("home/.config/docsource"), withIntermediateDirectories: true)
    symlink("../../../dotfiles/apps.json", home.directory.path(Home.list))
    #expect(try ApplicationRegistry.set("b.b", to: .init(name: "B"), home.places) == .added)
    #expect(try home.directory.text("dotfiles/apps.json").contains("b.b"))
    let type = try FileManager.default.attributesOfItem(
      atPath: home.directory.path(Home.list))[.type]
    #expect(type as? FileAttributeType == .typeSymbolicLink)
  }

  @Test func linkToAListThatIsNotThereYetIsKept() throws {
    let home = try Home()
    for name in ["dotfiles", "home/.config/docsource"] {
      try FileManager.default.createDirectory(
        atPath: home.directory.path(name), withIntermediateDirectories: true)
    }
    symlink("again", home.directory.path(Home.list))
    symlink("../../../dotfiles/apps.json", home.directory.path("home/.config/docsource/again"))
    #expect(try ApplicationRegistry.set("b.b", to: .init(name: "B"), home.places) == .added)
    #expect(try home.directory.text("dotfiles/apps.json").contains("b.b"))
    #expect(ApplicationRegistry(places: home.places).applications.map(\.identifier) == ["b.b"])
  }

  @Test func onlyWhatWasLeftByAKillIsCleanedUp() throws {
    let home = try Home()
    let directory = "home/.config/docsource"
    let mine = [
      ".docsource-", ".docsource-1", ".docsource-1-2-3", ".docsource-notes", ".docsource-x-2",
      "docsource-1-2",
    ]
    for name in mine + [".docsource-1-2", ".docsource-77-c0ffee"] {
      try home.file("\(directory)/\(name)", "")
    }
    #expect(try ApplicationRegistry.set("b.b", to: .init(name: "B"), home.places) == .added)
    let left = try FileManager.default.contentsOfDirectory(atPath: home.directory.path(directory))
    #expect(left.sorted() == (mine + ["apps.json"]).sorted())
  }

  @Test func spellingsThatDifferInBytesAreTwo() throws {
    let home = try Home()
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    #expect(try ApplicationRegistry.set("b.b", to: .init(name: composed), home.places) == .added)
    #expect(
      try ApplicationRegistry.set("b.b", to: .init(name: decomposed), home.places) == .changed)
    let name = try #require(ApplicationRegistry(places: home.places).applications.first?.name)
    #expect(name.utf8.elementsEqual(decomposed.utf8))
    #expect(try ApplicationRegistry.set(composed, to: .init(name: "B"), home.places) == .added)
    #expect(try ApplicationRegistry.remove([decomposed], home.places) == [])
  }

  @Test func removingFromNoListMakesNone() throws {
    let home = try Home()
    #expect(try ApplicationRegistry.remove(["a.a"], home.places) == [])
    #expect(!FileManager.default.fileExists(atPath: home.directory.path("home/.config")))
  }

  @Test func failureNamesWhatWasTried() throws {
    let home = try Home()
    let path = try home.file("home/.config", "")
    let list = ApplicationRegistry(places: home.places)
    #expect(list.failure?.reason == "cannot read: not a directory")
    #expect(
      throws: UserFile.Failure(
        path: path.appending(FilePath("docsource/")),
        reason: "cannot create the directory: not a directory")
    ) { try ApplicationRegistry.set("a.a", to: .init(name: "A"), home.places) }
  }
}
