import LinuxSystem
import TestSupport
import Testing

@testable import Applications

@Suite struct DefaultApplicationsTests {
  private static let mail = "x-scheme-handler/mailto"

  private static func edited(
    _ text: String, _ application: String?, key: String = mail
  ) -> String {
    String(
      decoding: DefaultApplications.edited(Array(text.utf8), key, application), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("", "a.desktop", "[Default Applications]\nx-scheme-handler/mailto=a.desktop\n"),
      (
        "# mine\n", "a.desktop",
        "# mine\n\n[Default Applications]\nx-scheme-handler/mailto=a.desktop\n"
      ),
      (
        "[Default Applications]\ntext/plain=b;c\n\n[Other]\nx=1\n", "a.desktop",
        "[Default Applications]\ntext/plain=b;c\nx-scheme-handler/mailto=a.desktop\n\n[Other]\nx=1\n"
      ),
      (
        "[Other]\nx-scheme-handler/mailto=keep\n[Default Applications]\n x-scheme-handler/mailto = b.desktop;c \nz=1",
        "a.desktop",
        "[Other]\nx-scheme-handler/mailto=keep\n[Default Applications]\nx-scheme-handler/mailto=a.desktop\nz=1"
      ),
      (
        "[Default Applications]\nx-scheme-handler/mailto=b\n#x\nx-scheme-handler/mailto=c\n",
        "a.desktop", "[Default Applications]\nx-scheme-handler/mailto=a.desktop\n#x\n"
      ),
      (
        "[Removed Associations]\nx-scheme-handler/mailto=b;a.desktop;\ny=a.desktop\n[Default Applications]\n",
        "a.desktop",
        "[Removed Associations]\nx-scheme-handler/mailto=b;\ny=a.desktop\n[Default Applications]\nx-scheme-handler/mailto=a.desktop\n"
      ),
      (
        "[Removed Associations]\nx-scheme-handler/mailto=a.desktop\n[Added Associations]\nx-scheme-handler/mailto=q;\n",
        "a.desktop",
        "[Removed Associations]\n[Added Associations]\nx-scheme-handler/mailto=q;\n\n[Default Applications]\nx-scheme-handler/mailto=a.desktop\n"
      ),
      (
        "[Default Applications]\r\nx=1\r\n", "a.desktop",
        "[Default Applications]\r\nx=1\r\nx-scheme-handler/mailto=a.desktop\r\n"
      ),
      (
        "[Default Applications]\nx=1", "a.desktop",
        "[Default Applications]\nx=1\nx-scheme-handler/mailto=a.desktop\n"
      ),
      (
        "[Default Applications]\nx-scheme-handler/mailto=a.desktop\nX\n[", nil,
        "[Default Applications]\nX\n["
      ),
      (
        "[Added Associations]\nx-scheme-handler/mailto=a\n", nil,
        "[Added Associations]\nx-scheme-handler/mailto=a\n"
      ),
    ] as [(String, String?, String)])
  func onlyTheEntryChanges(_ before: String, _ application: String?, _ after: String) {
    #expect(Self.edited(before, application) == after)
    #expect(Self.edited(after, application) == after)
  }

  @Test(arguments: [
    (" a ", #"\sa\s"#), (" ", #"\s"#), ("a b", "a b"), (#"a\nb"#, #"a\\nb"#),
    ("a\nb=c\t\r", #"a\nb=c\t\r"#), (#"\"#, #"\\"#),
  ])
  func valueIsReadAsItWasSet(_ application: String, _ written: String) {
    let before = "[Removed Associations]\n\(Self.mail)=\(written);b\n[Default Applications]\n"
    let after = Self.edited(before, application)
    #expect(
      after
        == "[Removed Associations]\n\(Self.mail)=b;\n[Default Applications]\n\(Self.mail)=\(written)\n"
    )
    #expect(
      DefaultApplications.application(for: Self.mail, in: Array(after.utf8)) == application)
    #expect(Self.edited(after, application) == after)
  }

  @Test func bytesThatAreNoTextStay() {
    let content = Array("[Default Applications]\n#".utf8) + [0xff, 0, 0x0a]
    let entry = Array("x-scheme-handler/mailto=a\n".utf8)
    #expect(DefaultApplications.edited(content, Self.mail, "a") == content + entry)
  }

  @Test(arguments: [
    ("text/plain", true), ("x-scheme-handler/mailto", true), ("a/b.c-d+e", true), ("text", false),
    ("a/b/c", false), ("/b", false), ("a/", false), ("a/b=c", false), ("a/b\nc", false),
    ("[a]/b", false), ("#a/b", false), ("a/#b", false), ("1/2", true),
  ])
  func typeIsDistinguishedFromOtherWords(_ word: String, _ isType: Bool) {
    #expect(DefaultApplications.isType(word) == isType)
  }

  @Test func listIsWrittenReadAndKeepsItsMode() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("mimeapps.list", "#\n")
    let places = BaseDirectories { $0 == "XDG_CONFIG_HOME" ? Array(directory.root.utf8) : nil }
    let list = try DefaultApplications.ofDesktop(places)
    #expect("\(list.path)" == path)
    #expect(try list.set([Self.mail, "a/b"], to: "m.desktop"))
    #expect(try !list.set([Self.mail], to: "m.desktop"))
    #expect(try list.application(for: "a/b") == "m.desktop")
    #expect(try list.set(["a/b"], to: nil))
    #expect(
      try directory.text("mimeapps.list")
        == "#\n\n[Default Applications]\nx-scheme-handler/mailto=m.desktop\n")
    #expect(try !DefaultApplications.own(places).set(["twitter"], to: nil))
  }
}
