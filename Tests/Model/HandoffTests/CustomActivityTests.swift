import Applications
import Foundation
import Handoff
import LinuxSystem
import ShareItem
import TestSupport
import Testing

/// Activities of the user's own, and the menus of file managers.
@Suite struct CustomActivityTests {
  private static let none = MessageLocale { _ in nil }

  private func activity(_ keys: String, language: String? = nil) throws -> CustomActivity {
    try CustomActivity(
      Array("[Activity]\n\(keys)\n".utf8), identifier: "own", path: FilePath("/own.activity"),
      locale: MessageLocale { $0 == "LANG" ? language : nil })
  }

  private func thing(_ url: String) -> SharedThing {
    SharedThing(url.hasPrefix("/") ? .file(Array(url.utf8)) : .url(url))
  }

  private func file(_ path: String, _ mediaType: String?) -> SharedThing {
    var file = SharedThing(.file(Array(path.utf8)))
    file.mediaType = mediaType
    return file
  }

  /// The test of Mustachify, the example of the original's documentation.
  @Test func filterTakesURLsOfPicturesAndNothingElse() throws {
    let mustachify = try activity(
      "Title=Mustachify\nType-Id=com.nshipster.Mustachify\nCategory=action\nAccepts=url\n"
        + "Extensions=jpg;png\nExec=mustachify %u\nReturns=url")
    #expect(mustachify.type.rawValue == "com.nshipster.Mustachify")
    #expect(mustachify.category == .action && mustachify.returns == .url)
    let addresses = [
      "https://a.org/a.JPG", "/home/a.jpg", "https://a.org/b.png?size=1#x", "https://a.org/c.jpeg",
      "https://a.org/jpg", "https://a.org/.jpg", "https://a.org/?a.png", "https://a.org/d.png/e",
      "https://a.org/f.PnG",
    ]
    #expect(mustachify.taken(of: addresses.map(thing)) == [0, 2, 8])
    #expect(mustachify.taken(of: [SharedThing(.text("a"))]) == [])
    #expect(mustachify.taken(of: []) == [])
    #expect(
      mustachify.words(files: [], urls: [addresses[0], addresses[2]])
        == ["mustachify", "https://a.org/a.JPG"])
  }

  @Test func wordsStandWhereTheLineHasFields() throws {
    let own = try activity("Exec=\"a b\" --x=%u %F %% \"%f\" %U %i end")
    #expect(
      own.words(files: ["/a", "/b c"], urls: ["file:///a", "file:///b%20c"])
        == [
          "a b", "--x=file:///a", "/a", "/b c", "%", "%f", "file:///a", "file:///b%20c", "end",
        ])
    #expect(own.words(files: [], urls: []) == ["a b", "--x=", "%", "%f", "end"])
    #expect(own.title == "own" && own.returns == .nothing && own.icon == nil)
  }

  @Test func mediaTypesAndLanguagesCount() throws {
    let own = try activity(
      "Exec=a %F\nTitle=A\nTitle[de]=B\nMimeType=image/*;text/plain", language: "de_AT.UTF-8")
    #expect(own.title == "B")
    let things = ["image/png", "text/plain", "text/html", nil].map { file("/x", $0) }
    #expect(own.taken(of: things) == [0, 1])
  }

  @Test(arguments: [
    ("Title=x", "the group [Activity] has no key Exec with a program"),
    ("Exec=\"\"", "the group [Activity] has no key Exec with a program"),
    ("Exec=a\nCategory=x", "Category is neither action nor share"),
    ("Exec=a\nType-Id=*", "Type-Id is not the identifier of an activity"),
    ("Exec=a\nReturns=x", "Returns is none of nothing, text, url, file, item"),
    (
      "Exec=a\nAccepts=url;x",
      "Accepts: unknown kind 'x'; known are string, attributed, url, file-url, data, image, asset"
    ),
  ])
  func flawedDescriptionIsRefused(_ keys: String, _ reason: String) {
    let failure = #expect(throws: CustomActivity.Failure.self) { try activity(keys) }
    #expect(failure?.description == reason)
  }

  private func entries(
    _ files: [(String, String)], _ things: [SharedThing]
  ) throws -> [(String, String?)] {
    let directory = try TemporaryDirectory()
    for (path, content) in files {
      let url = URL(filePath: directory.path(path))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: url, atomically: false, encoding: .utf8)
    }
    let places = BaseDirectories { name in
      name == "XDG_DATA_HOME"
        ? Array(directory.path("home").utf8)
        : name == "XDG_DATA_DIRS" ? Array(directory.path("share").utf8) : nil
    }
    return try SendToEntry.all(in: places, locale: Self.none).map { try $0.get() }.map {
      (
        "\($0.menu.rawValue) \($0.identifier) \($0.name)",
        $0.refusal(of: things)?.replacing(directory.path("share"), with: "SHARE")
      )
    }
  }

  @Test func menusOfThunarAndNemoAreRead() throws {
    let picture = file("/a.PNG", "image/png")
    func entry(_ keys: String) -> String { "[Desktop Entry]\nType=Application\n\(keys)\n" }
    func action(_ keys: String) -> String { "[Nemo Action]\n\(keys)\n" }
    let found = try entries(
      [
        ("home/Thunar/sendto/a.desktop", entry("Name=Own\nExec=true %F")),
        ("share/Thunar/sendto/a.desktop", entry("Name=Hidden by the own\nExec=true %F")),
        ("share/Thunar/sendto/b.desktop", entry("Name=B\nExec=true %F\nMimeType=text/plain")),
        ("share/Thunar/sendto/c.desktop", entry("Name=C\nExec=true %F\nTryExec=no-such-x")),
        ("share/Thunar/sendto/d.desktop", entry("Name=D\nExec=true\nHidden=true")),
        ("share/Thunar/sendto/e.desktop", entry("Name=E\nExec=true")),
        ("share/nemo/actions/f.nemo_action", action("Name=_F\nExec=true %F\nExtensions=png;")),
        ("share/nemo/actions/g.nemo_action", action("Name=G\nExec=true %F\nExtensions=jpg;")),
        (
          "share/nemo/actions/h.nemo_action",
          action("Name=H\nExec=true %F\nSelection=m\nExtensions=any;")
        ),
        ("share/nemo/actions/i.nemo_action", action("Name=I\nExec=true %F\nActive=false")),
        (
          "share/nemo/actions/j.nemo_action",
          action("Name=J\nExec=true %F\nConditions=desktop;\nMimetypes=image/*;")
        ),
        (
          "share/nemo/actions/k.nemo_action",
          action("Name=K\nExec=true %F %P\nMimetypes=image/*;\nSelection=1")
        ),
        (
          "share/nemo/actions/l.nemo_action",
          action("Name=L\nExec=<run.sh %U>\nMimetypes=image/*;\nDependencies=no-such-y;")
        ),
        // Neither is started by GIO.
        ("share/Thunar/sendto/m.desktop", "[Desktop Entry]\nType=Link\nName=M\nExec=true %F\n"),
        ("share/Thunar/sendto/n.desktop", "[Desktop Entry]\nName=N\nExec=true %F\n"),
        ("share/nemo/actions/o.nemo_action", action("Name=O\nExec=sh <run.sh> %F")),
        ("share/nemo/actions/p.nemo_action", action("Name=P\nExec=<run.sh> %F")),
        ("share/nemo/actions/q.nemo_action", action("Name=Q\nExec=true %F\nSelection=>1")),
        ("share/nemo/actions/r.nemo_action", action("Name=R\nExec=no-such-z %F")),
        ("share/nemo/actions/s.nemo_action", action("Name=S\nExec=<none.sh %F>")),
      ], [picture])
    #expect(
      found.map(\.0) == [
        "Thunar a Own", "Thunar b B", "Thunar c C", "Thunar m M", "Thunar n N", "Nemo f F",
        "Nemo g G",
        "Nemo h H", "Nemo j J", "Nemo k K", "Nemo l L", "Nemo o O", "Nemo p P", "Nemo q Q",
        "Nemo r R",
        "Nemo s S",
      ])
    #expect(
      found.map(\.1) == [
        nil, "it takes other types of files", "no-such-x is not installed", "it is no application",
        "it is no application", nil, "it takes other types of files", "it takes several files",
        "its condition 'desktop' is for Nemo alone",
        "its command has fields that only Nemo fills in",
        "no-such-y is not installed", "its command has a form that only Nemo knows",
        "its command has a form that only Nemo knows", "its selection \">1\" is for Nemo alone",
        "no-such-z is not installed", "SHARE/nemo/actions/none.sh is not installed",
      ])
    let none = try entries([("home/Thunar/sendto/a.desktop", entry("Name=A\nExec=true %F"))], [])
    #expect(none.map(\.1) == ["it takes files only"])
  }
}

/// The picture of a contact.
@Suite struct ContactCardTests {
  private func card(_ text: String, photo: [UInt8] = [1, 2, 3]) throws -> String {
    String(
      decoding: try ContactCard.card(Array(text.utf8), photo: photo, mediaType: "image/png"),
      as: UTF8.self)
  }

  @Test func pictureIsAddedAndReplaced() throws {
    let bare = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nNOTE:a\r\n  b\r\nEND:VCARD\r\n"
    let whole =
      "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nNOTE:a\r\n  b\r\n"
      + "PHOTO:data:image/png;base64,AQID\r\nEND:VCARD\r\n"
    #expect(try card(bare) == whole)
    #expect(try card(whole, photo: [1, 2, 3]) == whole)
    let old =
      "begin:vcard\nversion:4.0\nitem1.PHOTO;PREF=1:https://\n e.org/\nphoto:x\nFN:A\nend:vcard"
    #expect(
      try card(old)
        == "begin:vcard\nversion:4.0\nPHOTO:data:image/png;base64,AQID\nFN:A\nend:vcard")
  }

  @Test func mediaTypeIsOneInItsLine() throws {
    let bare = Array("BEGIN:VCARD\nVERSION:4.0\nEND:VCARD\n".utf8)
    let changed = try ContactCard.card(
      bare, photo: [1, 2, 3], mediaType: "image/svg+xml; charset=utf-8")
    #expect(
      String(decoding: changed, as: UTF8.self)
        == "BEGIN:VCARD\nVERSION:4.0\nPHOTO:data:image/svg+xml;base64,AQID\nEND:VCARD\n")
    #expect {
      try ContactCard.card(bare, photo: [], mediaType: "image/png\r\nEMAIL:evil@example.org")
    } throws: { error in
      "\(error)" == #"'image/png\r\nEMAIL:evil@example.org' is not a media type"#
    }
  }

  @Test func longLinesAreFoldedAtSeventyFiveBytes() throws {
    let text = try card(
      "BEGIN:VCARD\nVERSION:4.0\nEND:VCARD\n", photo: Array(repeating: 0, count: 200))
    let lines = text.split(separator: "\n").dropFirst(2).dropLast()
    #expect(lines.map(\.utf8.count) == [75, 75, 75, 74])
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
    let joined = lines.map { $0.hasPrefix(" ") ? String($0.dropFirst()) : String($0) }.joined()
    #expect(
      joined == "PHOTO:data:image/png;base64," + String(repeating: "A", count: 267) + "=")
  }

  @Test(arguments: [
    ("", "it must have one contact, from BEGIN:VCARD to END:VCARD"),
    ("BEGIN:VCARD\nVERSION:4.0\n", "it must have one contact, from BEGIN:VCARD to END:VCARD"),
    (
      "BEGIN:VCARD\nVERSION:4.0\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nEND:VCARD\n",
      "it must have one contact, from BEGIN:VCARD to END:VCARD"
    ),
    ("BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n", "it is not a vCard of version 4.0"),
  ])
  func whatIsNoContactIsRefused(_ text: String, _ reason: String) {
    let failure = #expect(throws: ContactCard.Failure.self) { try card(text) }
    #expect(failure?.description == reason)
  }

  @Test func linesThatGoOnAreOne() throws {
    let photo = "PHOTO:data:image/png;base64,AQID\n"
    #expect(
      try card(" a\n\tb\n\nBEGIN:VCARD\nVERSION:4.0\nphoto:x\n\ty\n z\nFN:A\nEND:VCARD \n\n")
        == " a\n\tb\n\nBEGIN:VCARD\nVERSION:4.0\n\(photo)FN:A\nEND:VCARD \n\n")
    #expect(
      try card("BEGIN:VCARD\nVERSION:4.0\nFN:A\n END:VCARD\nEND:VCARD")
        == "BEGIN:VCARD\nVERSION:4.0\nFN:A\n END:VCARD\n\(photo)END:VCARD")
  }
}
