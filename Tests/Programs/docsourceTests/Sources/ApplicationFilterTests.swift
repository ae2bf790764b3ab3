import Foundation
import TestSupport
import Testing

/// `--app` of the verbs that choose files by their source: what `--app` of `tag` means by a word.
@Suite struct ApplicationFilterTests {
  /// A user with an editor installed, and files of three applications, two of them unknown here.
  private static func home() throws -> IconHome {
    let home = try IconHome()
    try home.file(
      "share/applications/org.example.Editor.desktop",
      Array("[Desktop Entry]\nType=Application\nName=Text Editor\nName[de]=Bearbeiter\n".utf8))
    for (name, options) in [
      ("known", ["--app", "org.example.Editor"]),
      ("renamed", ["-i", "org.example.Editor", "--app-name", "Old Name"]),
      ("named", ["--app-name", "text editor"]),
      ("foreign", ["-i", "com.example.Paint", "--app-name", "Paint"]),
      ("longer", ["-i", "org.example.Editor.beta", "--app-name", "Text Editor 2"]),
      ("plain", []),
    ] {
      try home.directory.file("files/\(name)")
      if options.isEmpty { continue }
      let tagged = try home.run(["tag", "-q"] + options + ["files/\(name)"])
      try #require(tagged.status == 0, "\(tagged.errors)")
    }
    return home
  }

  @Test(arguments: [
    (["org.example.Editor"], ["known", "renamed"]),
    (["ORG.example.editor"], ["known", "renamed"]),
    (["text EDITOR"], ["known", "named", "renamed"]),
    (["PAINT"], ["foreign"]),
    (["com.example.paint"], ["foreign"]),
    (["Paint", "org.example.Editor"], ["foreign", "known", "renamed"]),
    (["Old name"], ["renamed"]),
  ])
  func wordIsAnIdentifierOrANameInAnyCase(_ words: [String], _ names: [String]) throws {
    let home = try Self.home()
    let found = try home.run(
      ["find", "--sort"] + words.flatMap { ["--app", $0] } + ["files"])
    #expect(found.text == names.map { "files/\($0)\n" }.joined())
    #expect(found.errors == "")
    #expect(found.status == 0)
  }

  @Test func localizedNameMeansTheApplicationToo() throws {
    let home = try Self.home()
    home.set("LC_ALL", "de_DE.UTF-8")
    let found = try home.run("find", "--sort", "--app=bearbeiter", "files")
    #expect(found.text == "files/known\nfiles/renamed\n")
    #expect(found.status == 0)
  }

  @Test func allApplicationsOfANameAreMeant() throws {
    let home = try Self.home()
    for name in ["a", "b"] {
      #expect(try home.run("apps", "add", "org.test.\(name)", "--app-name", "Same").status == 0)
      try home.directory.file("files/\(name)")
      #expect(try home.run("tag", "-q", "-i", "org.test.\(name)", "files/\(name)").status == 0)
    }
    let found = try home.run("find", "--sort", "--app", "same", "files")
    #expect(found.text == "files/a\nfiles/b\n")
    #expect(found.errors == "")
  }

  @Test func allEquallyNearApplicationsAreSuggested() throws {
    let home = try Self.home()
    for name in ["calc", "draw", "writer"] {
      try home.file(
        "share/applications/libreoffice-\(name).desktop",
        Array("[Desktop Entry]\nType=Application\nName=LibreOffice \(name)\n".utf8))
    }
    let hint = "did you mean 'libreoffice-calc', 'libreoffice-draw' or 'libreoffice-writer'?"
    let found = try home.run("find", "--app", "LibreOffice", "files")
    #expect(
      found.errors == "docsource: nothing found, and no known application 'LibreOffice'; \(hint)\n")
    #expect(found.status == 1)
    let tagged = try home.run("tag", "--app", "libreoffice", "files/plain")
    #expect(tagged.errors == "docsource: tag: no known application 'libreoffice'; \(hint)\n")
    #expect(tagged.status == 64)
    for number in 1...9 {
      try home.file(
        "share/applications/org.test.many\(number).desktop",
        Array("[Desktop Entry]\nType=Application\nName=Many \(number)\n".utf8))
    }
    let many = try home.run("find", "--app", "many", "files")
    #expect(
      many.errors
        == "docsource: nothing found, and no known application 'many'; did you mean one of "
        + (1...8).map { "'org.test.many\($0)'" }.joined(separator: ", ") + ", …?\n")
    let byName = try home.run("find", "--app-name", "LibreOffice", "files")
    #expect(
      byName.errors == "docsource: nothing found: --app-name compares whole names; "
        + "'LibreOffice*' also finds longer ones\n")
    #expect(byName.status == 1)
    for silent in ["LibreOffice calc", "libreoffice", "LibreOffice*", "Other"] {
      #expect(try home.run("find", "--app-name", silent, "files").errors == "", "\(silent)")
    }
  }

  @Test(arguments: [
    ("Editr", "did you mean 'org.example.Editor'?"),
    ("net.other.*", "--identifier and --app-name take patterns"),
    ("no-such-thing-at-all", "--identifier and --app-name take patterns"),
  ])
  func unknownApplicationWithoutFilesIsNamed(_ word: String, _ hint: String) throws {
    let home = try Self.home()
    let found = try home.run("find", "--app", word, "files")
    #expect(found.text == "")
    #expect(
      found.errors == "docsource: nothing found, and no known application '\(word)'; \(hint)\n")
    #expect(found.status == 1)
    let known = try home.run("find", "--app", "working copy", "files")
    #expect(known.errors == "")
    #expect(known.status == 1)
  }

  @Test func verbsThatChangeFilesHaveTheSameFilter() throws {
    let home = try Self.home()
    let tagged = try home.run("tag", "-rn", "--if-app", "text editor", "-p", "x", "files")
    #expect(
      tagged.text.split(separator: "\n").map { $0.prefix { $0 != ":" } }.sorted()
        == ["files/known", "files/named", "files/renamed"])
    #expect(tagged.errors == "docsource: 3 would be tagged, 0 unchanged, 0 failed\n")
    for verb in ["strip", "remove"] {
      let changed = try home.run(verb, "-rn", "--app", "paint", "files")
      #expect(changed.text.hasPrefix("files/foreign: would remove"), "\(verb)")
      #expect(changed.text.split(separator: "\n").count == 1, "\(verb)")
      #expect(changed.status == 0, "\(verb)")
    }
    let adopted = try home.run("adopt", "-rn", "--app", "paint", "files")
    #expect(adopted.errors == "docsource: 0 would be changed, 1 unchanged, 0 failed\n")
  }

  @Test func valuesAndCombinationsThatCannotBeMetAreRefused() throws {
    let home = try Self.home()
    for (words, message) in [
      (["find", "--app", ""], "find: an application identifier cannot be empty"),
      (["find", "--app", "x", "--untagged"], "find: --untagged and --app cannot be combined"),
      (["find", "--app", "x", "--damaged"], "find: --damaged and --app cannot be combined"),
      (
        ["tag", "--if-app", "x", "--untagged", "-i", "a.b", "f"],
        "tag: --untagged and --if-app cannot be combined"
      ),
    ] {
      let refused = try home.run(words)
      #expect(refused.errors == "docsource: \(message); see 'docsource help \(words[0])'\n")
      #expect(refused.text == "")
      #expect(refused.status == 64)
    }
  }

  @Test func listThatCannotBeReadIsAFailure() throws {
    let home = try Self.home()
    let path = try home.file("home/.config/docsource/apps.json", Array("{".utf8))
    for words in [
      ["find", "--app", "paint"], ["remove", "-r", "--app", "paint", "files"],
      ["strip", "-r", "--app", "paint", "files"], ["adopt", "-r", "--app", "paint", "files"],
      ["tag", "-r", "--if-app", "paint", "-p", "x", "files"],
    ] {
      let failed = try home.run(words)
      #expect(failed.text == "", "\(words)")
      #expect(failed.errors.hasPrefix("docsource: \(path): line 1, column 1: "), "\(words)")
      #expect(failed.status == 2, "\(words)")
    }
  }
}
