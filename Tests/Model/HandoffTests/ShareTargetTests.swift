import Handoff
import LinuxSystem
import ShareItem
import TestSupport
import Testing

struct ShareTargetTests {
  private static func target(_ text: String, identifier: String = "reader") throws -> ShareTarget {
    try ShareTarget(
      Array(text.utf8), identifier: identifier, path: FilePath("/targets/reader.target"))
  }

  @Test func everyKeyIsRead() throws {
    let target = try ShareTarget(
      Fixture.bytes("Sharing/Targets/reader.target"), identifier: "reader",
      path: FilePath("/targets/reader.target"))
    #expect(target.name == "Send to the reader")
    #expect(target.command == ["reader-share", "two words", "--quiet"])
    #expect(target.validation == ["reader-share", "--check"])
    #expect(target.kinds == [.url, .text, .image])
    #expect(
      target.rule
        == .predicate("SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count == 1"))
    #expect(target.options.map(\.name) == ["folder", "visibility"])
    #expect(target.options.map(\.standard) == [nil, "public"])
    #expect(target.attachmentForm == .descriptors)
    #expect(target.activity.rawValue == "com.example.Reader.Share")
    let german = try ShareTarget(
      Fixture.bytes("Sharing/Targets/reader.target"), identifier: "reader", path: FilePath("x"),
      locale: ["de_AT", "de"])
    #expect(german.name == "An den Leser schicken")
  }

  @Test func leastDescriptionTakesEverything() throws {
    let target = try ShareTarget(
      Fixture.bytes("Sharing/Targets/least.target"), identifier: "a.b.Share",
      path: FilePath("/t/a.b.Share.target"))
    #expect(target.name == "a.b.Share")
    #expect(target.command == ["cat"] && target.validation == nil && target.rule == nil)
    #expect(target.attachmentForm == .paths && target.options.isEmpty)
    #expect(target.activity.rawValue == "a.b.Share")
    #expect(target.accepts([.text("a"), .url("b:c")]) { _, _ in false })
  }

  @Test func ruleFileStandsBesideTheDescription() throws {
    let beside = try Self.target("[Share Target]\nExec=a\nRuleFile=Info.plist")
    #expect(beside.rule == .file(FilePath("/targets/Info.plist")))
    let absolute = try Self.target("[Share Target]\nExec=a\nRuleFile=/x/Info.plist")
    #expect(absolute.rule == .file(FilePath("/x/Info.plist")))
  }

  @Test(arguments: [
    ("", "the group [Share Target] has no key Exec"),
    ("[Desktop Entry]\nExec=a", "the group [Share Target] has no key Exec"),
    ("[Share Target]\nExec=\"\"", "Exec names no program"),
    ("[Share Target]\nExec=a\nValidate=\"\" b", "Validate names no program"),
    ("[Share Target]\nExec=a\nValidate= ", "Validate names no program"),
    (
      "[Share Target]\nExec=a\nAccepts=url;sound",
      "Accepts: unknown kind 'sound'; known are text, url, file, image, movie, web-page"
    ),
    ("[Share Target]\nExec=a\nAttachments=pipes", "Attachments is neither paths nor descriptors"),
    ("[Share Target]\nExec=a\nRule=x\nRuleFile=y", "Rule and RuleFile cannot be combined"),
    ("[Share Target]\nExec=a\nOptions=a;a=1", "Options: a name is missing or given twice"),
    ("[Share Target]\nExec=a\nOptions==1", "Options: a name is missing or given twice"),
    ("[Share Target]\nExec=a\nActivity=*", "Activity is not the identifier of an activity"),
  ])
  func flawsAreReported(text: String, reason: String) {
    #expect {
      try Self.target(text)
    } throws: { error in
      (error as? ShareTarget.Failure)?.description == reason
    }
  }

  @Test func optionsAreDeclared() throws {
    let target = try Self.target("[Share Target]\nExec=a\nOptions=folder;visibility=public")
    #expect(try target.arguments([]) == ["visibility=public"])
    #expect(
      try target.arguments([("visibility", "private"), ("folder", "a=b"), ("visibility", "me")])
        == ["folder=a=b", "visibility=me"])
    #expect {
      try target.arguments([("other", "x")])
    } throws: { error in
      (error as? ShareTarget.Failure)?.description
        == "'other' is not an option of the target; it has folder, visibility"
    }
  }

  @Test func unknownKeysAndGroupsAreNamed() throws {
    let target = try Self.target(
      """
      [Share Target]
      Name[de]=A
      Exec=a
      Colour=red
      X-Own=1
      # Comment=x
      Options=o

      [Option o]
      Name[de]=O
      Values=v
      Default=v

      [Option o=v]
      Icon=i

      [Option p]
      [X-Group]
      y=1
      """)
    #expect(
      target.warnings == [
        "unknown key 'Default' in [Option o]", "unknown group [Option p]",
        "unknown key 'Colour' in [Share Target]",
      ])
    #expect(try Self.target("[Share Target]\nExec=a\nActivity=b\nThumbnailSize=1x1").warnings == [])
  }

  @Test func kindsDecideByTypes() throws {
    let tree = ["public.png": "public.image", "public.file-url": "public.url"]
    func conforms(_ type: String, _ other: String) -> Bool { type == other || tree[type] == other }
    func takes(_ kinds: String, _ attachments: ShareItem.Attachment...) throws -> Bool {
      try Self.target("[Share Target]\nExec=a\nAccepts=\(kinds)")
        .accepts(attachments, conforms: conforms)
    }
    let picture = ShareItem.Attachment.file("a.png", type: "public.png")
    #expect(try takes("image", picture))
    #expect(try takes("file", picture))
    #expect(try !takes("url", picture))
    #expect(try takes("url", .url("https://example.com")))
    #expect(try !takes("url", .url("https://example.com"), picture))
    #expect(try takes("url;image", .url("https://example.com"), picture))
    #expect(try takes("url"))
  }

  @Test func targetsOfTheUserComeFirst() throws {
    let directory = try TemporaryDirectory()
    for (name, text) in [
      ("data/docsource/targets/a.target", "[Share Target]\nExec=own\n"),
      ("data/docsource/targets/c.target", "nothing"), ("data/docsource/targets/x.txt", ""),
      ("share/docsource/targets/a.target", "[Share Target]\nExec=system\n"),
      ("share/docsource/targets/b.target", "[Share Target]\nExec=system\n"),
    ] {
      let path = FilePath(directory.path(name))
      try ReplacedFile(path: path).makeDirectories()
      try ReplacedFile(path: path).replace(with: Array(text.utf8))
    }
    let places = BaseDirectories { name in
      switch name {
      case "XDG_DATA_HOME": Array(directory.path("data").utf8)
      case "XDG_DATA_DIRS": Array(directory.path("share").utf8)
      default: nil
      }
    }
    let targets = ShareTargets(in: places)
    let all = targets.all().map { entry -> String in
      switch entry {
      case .success(let target): "\(target.identifier) \(target.command[0])"
      case .failure(let flaw): "\(flaw.path.lastComponent.count) \(flaw.reason)"
      }
    }
    #expect(
      all == ["a own", "b system", "8 the group [Share Target] has no key Exec"])
    #expect((try targets.target("a")?.get())?.command == ["own"])
    #expect(targets.target("d") == nil)
    #expect(targets.target("../a") == nil)
    let byPath = ShareTargets.read(FilePath(directory.path("share/docsource/targets/b.target")))
    #expect(try byPath.get().identifier == "b")
  }
}
