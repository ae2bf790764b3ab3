import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource rule`, through the built tool.
@Suite struct RuleCommandTests {
  private let directory: TemporaryDirectory
  private static let fixtures = Fixture.root.appending(path: "Fixtures/Sharing").path
  private static let png: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
  ]

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String..., input: String? = nil) throws -> Execution {
    let words = ([Docsource.path] + arguments).map { Array($0.utf8) }
    let environment = ["XDG_DATA_HOME": directory.path("data")]
    guard let input else {
      return try Execution.run(
        [Docsource.path] + arguments, in: directory.root, environment: environment)
    }
    return try Execution.run(words, input: Array(input.utf8))
  }

  private func fixture(_ name: String, as copy: String) throws {
    let target = URL(filePath: directory.path(copy))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(filePath: "\(Self.fixtures)/\(name)"), to: target)
  }

  /// An app with two extensions.
  private func makeApp(_ name: String = "Reader.app") throws {
    try fixture("ShareExtension.plist", as: "\(name)/PlugIns/Share.appex/Info.plist")
    try fixture("ActionExtension.plist", as: "\(name)/PlugIns/Action.appex/Info.plist")
    let list = #"{"CFBundleIdentifier":"org.example.reader"}"#
    let made = try run("plist", "encode", "-o", directory.path("\(name)/Info.plist"), input: list)
    #expect(made.errors == "")
  }

  @Test func filesMatchARuleByTheirTypes() throws {
    try directory.write(Self.png, to: "picture.png")
    _ = try directory.file("notes.txt", "Notes\n")
    try fixture("ActionExtension.plist", as: "Info.plist")
    let matching = try run("rule", "match", "Info.plist", "picture.png")
    #expect(matching.text == "Info.plist: matches\n")
    #expect(matching.errors == "")
    #expect(matching.status == 0)
    let other = try run("rule", "match", "Info.plist", "notes.txt")
    #expect(other.text == "Info.plist: does not match\n")
    #expect(other.status == 1)
    let quiet = try run("rule", "match", "-q", "Info.plist", "picture.png", "notes.txt")
    #expect(quiet.text == "")
    #expect(quiet.status == 1)
    let missing = try run("rule", "match", "Info.plist", "absent.png")
    #expect(missing.errors == "docsource: absent.png: cannot read: no such file or directory\n")
    #expect(missing.status == 2)
  }

  /// The tool alone, without docsource-share beside it.
  @Test func typesAreAskedForOnlyWhereARuleDependsOnThem() throws {
    let tool = directory.path("alone")
    try FileManager.default.linkItem(atPath: Docsource.path, toPath: tool)
    _ = try directory.file("notes.txt", "Notes\n")
    func match(_ words: String...) throws -> Execution {
      try Execution.run([tool, "rule"] + words, in: directory.root)
    }
    let count = "extensionItems.attachments.@count == 1"
    let counted = try match("match", "-e", count, "notes.txt")
    #expect(counted.text == "predicate: matches\n")
    #expect(counted.errors == "")
    let absent = try match("match", "-e", count, "absent.txt")
    #expect(absent.errors == "docsource: absent.txt: cannot read: no such file or directory\n")
    #expect(absent.status == 2)
    let typed = "ANY extensionItems.attachments.registeredTypeIdentifiers == \"public.png\""
    #expect(try match("match", "-e", typed, "notes.txt").status == 2)
    #expect(try match("explain", "-e", count, "notes.txt").status == 2)
  }

  @Test(.enabled(if: getuid() == 0)) func directoryThatCannotBeReadIsReported() throws {
    try makeApp("Reader.app")
    try makeApp("Locked.app")
    _ = try directory.file("a.png")
    try fixture("ActionExtension.plist", as: "Info.plist")
    try FileManager.default.createDirectory(
      atPath: directory.path("data/docsource/types.d"), withIntermediateDirectories: true)
    chmod(directory.root, 0o755)
    for path in ["Locked.app", "Reader.app/PlugIns"] { chmod(directory.path(path), 0) }
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    func rule(_ words: String...) throws -> Execution {
      try Execution.run(
        user + ["rule"] + words, in: directory.root,
        environment: ["XDG_DATA_HOME": directory.path("data")])
    }
    let locked = try rule("lint", "Locked.app")
    #expect(locked.errors == "docsource: Locked.app: cannot read: permission denied\n")
    #expect(locked.text == "" && locked.status == 2)
    let extensions = try rule("lint", "Reader.app")
    #expect(
      extensions.errors.hasPrefix(
        "docsource: Reader.app/PlugIns: cannot read: permission denied\n"),
      "\(extensions.errors)")
    #expect(extensions.status == 2)
    let types = directory.path("data/docsource/types.d")
    chmod(types, 0)
    let match = try rule("match", "Info.plist", "a.png")
    #expect(match.errors == "docsource: \(types): cannot read: permission denied\n")
    #expect(match.text == "" && match.status == 2)
  }

  @Test func wordsStandForOtherContent() throws {
    try fixture("ActionExtension.plist", as: "Info.plist")
    for (arguments, status) in [
      (["--as=url"], 0), (["--as=url", "https://example.com", "https://example.org"], 1),
      (["--as=text", "words"], 1), (["--as=image"], 0), (["--as=web-page"], 0),
      (["--type=public.heic"], 0), (["--type=public.zip-archive", "--type=public.file-url"], 1),
    ] as [([String], Int32)] {
      let words = ["rule", "match", "Info.plist"] + arguments
      let found = try Execution.run([Docsource.path] + words, in: directory.root)
      #expect(found.status == status, "\(arguments): \(found.errors)")
    }
    let context =
      #"{"extensionItems":[{"attachments":[{"registeredTypeIdentifiers":["public.url"]}]}]}"#
    _ = try directory.file("context.json", context)
    #expect(try run("rule", "match", "Info.plist", "--context=context.json").status == 0)
    let wrong = try run("rule", "match", "Info.plist", "--context=context.json", "file")
    #expect(wrong.errors.hasPrefix("docsource: rule match: --context takes the place of FILE"))
    #expect(wrong.status == 64)
    _ = try directory.file("context.json", "{}")
    #expect(
      try run("rule", "match", "Info.plist", "--context=context.json").errors
        == "docsource: context.json: cannot read content: the content has no extensionItems\n")
  }

  @Test func predicateOfTheCommandLineIsARule() throws {
    let found = try run("rule", "match", "-e", "extensionItems.@count == 1", "--as", "text")
    #expect(found.text == "predicate: matches\n")
    let broken = try run("rule", "match", "-e", "1 ==\n  ?", "--as", "text")
    #expect(
      broken.errors
        == "docsource: predicate: cannot read the rule: line 2, column 3: unexpected '?'\n")
    #expect(broken.status == 2)
    let failing = try run("rule", "match", "--json", "-e", "items.@count == 1", "--as", "text")
    #expect(
      failing.text
        == #"{"matches":false,"reason":"cannot be evaluated: line 1, column 1: the content has no "#
        + "key 'items'\"}\n")
    #expect(failing.status == 1)
  }

  @Test func bundleOfAnAppHasTheRulesOfItsExtensions() throws {
    try makeApp()
    let found = try run("rule", "match", "Reader.app", "--as=url")
    #expect(
      found.text == """
        Reader.app: PlugIns/Action.appex/Info.plist: matches
        Reader.app: PlugIns/Share.appex/Info.plist: matches

        """)
    #expect(try run("rule", "match", "Reader.app/PlugIns/Share.appex", "--as=url").status == 0)
    let json = try run("rule", "match", "--json", "Reader.app", "--type=org.example.sketch")
    #expect(
      json.text == """
        {"file":"Reader.app","entry":"PlugIns/Action.appex/Info.plist","identifier":\
        "org.example.reader.action","extensionPoint":"com.apple.ui-services","matches":true}
        {"file":"Reader.app","entry":"PlugIns/Share.appex/Info.plist","identifier":\
        "org.example.reader.share","extensionPoint":"com.apple.share-services","matches":false}

        """)
    try FileManager.default.createDirectory(
      atPath: directory.path("Empty.app"), withIntermediateDirectories: false)
    #expect(
      try run("rule", "lint", "Empty.app").errors
        == "docsource: Empty.app: no bundle: it has no Info.plist\n")
  }

  @Test func archiveOfAnAppHasTheRulesOfItsExtensions() throws {
    try makeApp("Payload/Reader.app")
    let zipped = try Execution.run(
      ["zip", "-qr", "Reader.ipa", "Payload"], in: directory.root)
    #expect(zipped.status == 0)
    let found = try run("rule", "match", "Reader.ipa", "--as=url")
    #expect(
      found.text.split(separator: "\n").sorted() == [
        "Reader.ipa: Payload/Reader.app/PlugIns/Action.appex/Info.plist: matches",
        "Reader.ipa: Payload/Reader.app/PlugIns/Share.appex/Info.plist: matches",
      ])
    let bytes = try directory.bytes("Reader.ipa")
    let piped = try Execution.run(
      [Docsource.path, "rule", "match", "-", "--as=url"].map { Array($0.utf8) }, input: bytes)
    #expect(piped.status == 0)
    try directory.write(Array(bytes.prefix(200)), to: "Cut.ipa")
    let cut = try run("rule", "match", "Cut.ipa", "--as=url")
    #expect(cut.errors.hasPrefix("docsource: Cut.ipa: cannot read archive: "))
    #expect(cut.status == 2)
  }

  @Test func binaryAndXMLListsHaveTheSameVerdictsAndFindings() throws {
    for name in ["ShareExtension", "ActionExtension"] {
      try fixture("\(name).plist", as: "\(name).plist")
      _ = try run("plist", "encode", "-o", "binary", "\(name).plist")
      for type in ["public.url", "public.png", "public.plain-text", "org.example.sketch"] {
        #expect(
          try run("rule", "match", "binary", "--type", type).status
            == run("rule", "match", "\(name).plist", "--type", type).status)
      }
      func codes(_ file: String) throws -> [String] {
        try run("rule", "lint", file).text.split(separator: "\n")
          .map { $0.drop { $0 != " " }.description }.sorted()
      }
      #expect(try codes("binary") == codes("\(name).plist"))
    }
  }

  @Test func listInTheFormOfOpenStepHasItsRule() throws {
    _ = try directory.file(
      "Info.plist",
      """
      // An extension
      { NSExtension = { NSExtensionAttributes = { NSExtensionActivationRule = {
        NSExtensionActivationDictionaryVersion = "2"; /* fuzzy */
        NSExtensionActivationSupportsWebURLWithMaxCount = 1;
      }; }; }; UTImportedTypeDeclarations = (); Data = <0a FF>; "a\\n\\U00e9" = (a, 'b c',); }
      """)
    #expect(try run("rule", "match", "Info.plist", "--as=url").status == 0)
    #expect(try run("rule", "lint", "Info.plist").text == "")
    _ = try directory.file("Info.plist", "{ a = b }")
    #expect(
      try run("rule", "lint", "Info.plist").errors
        == "docsource: Info.plist: cannot read as an OpenStep property list: expected ';' (line 1)\n"
    )
  }

  @Test func flawsAreReportedWithLineAndColumnOfTheFile() throws {
    try fixture("ShareExtension.plist", as: "Info.plist")
    let found = try run("rule", "lint", "Info.plist")
    #expect(
      found.text == """
        Info.plist:13:12: I-single-item-only: exactly one item has to match, so that several never do
        Info.plist:17:54: W-url-swallows-files: every file is a public.url, and so all files are accepted
        Info.plist:18:54: E-unknown-public-uti: no type is called public.imgae

        """)
    #expect(found.status == 1)
    try fixture("ActionExtension.plist", as: "Other.plist")
    let other = try run("rule", "lint", "Other.plist")
    #expect(
      other.text
        == """
        Other.plist:14:9: W-count-as-bool: NSExtensionActivationSupportsImageWithMaxCount is true, \
        which counts as 1
        Other.plist:16:9: E-unknown-key: NSExtensionActivationSupportsImages is no key of an \
        activation rule and has no effect
        Other.plist:12:7: W-strict-v1-hides-on-mixed-items: a URL or a text alone is accepted, but \
        not both together; NSExtensionActivationDictionaryVersion 2 would accept them
        Other.plist:10:7: W-version-outside-dict: NSExtensionActivationDictionaryVersion stands \
        outside the rule and has no effect

        """)
    let json = try run("rule", "lint", "--json", "-e", "1 ==")
    #expect(
      json.text
        == #"{"code":"E-parse","severity":"error","message":"expected a value, not the end","#
        + #""predicateLine":1,"predicateColumn":5,"predicateOffset":4}"# + "\n")
  }

  @Test func reportForCodeHostsKeepsToItsSchema() throws {
    try makeApp("My App.app")
    for arguments in [
      ["My App.app"], ["-e", "1 =="], ["-e", "extensionItems.@count == 1"],
    ] {
      let report = try Execution.run(
        [Docsource.path, "rule", "lint", "--sarif"] + arguments, in: directory.root)
      let checked = try Execution.run(
        [Fixture.root.appending(path: "Tests/Scripts/check-sarif").path].map { Array($0.utf8) },
        input: report.output)
      #expect(checked.errors == "", "\(arguments)")
      #expect(checked.status == 0)
    }
    let report = try run("rule", "lint", "--sarif", "My App.app").text
    #expect(report.contains(#""uri":"My%20App.app/PlugIns/Share.appex/Info.plist"},"region":{"#))
    #expect(report.contains(#""startLine":18,"startColumn":54"#))
  }

  @Test func predicateIsPrintedInOneForm() throws {
    try fixture("ShareExtension.plist", as: "Info.plist")
    let found = try run("rule", "format", "Info.plist")
    #expect(
      found.text == """
        SUBQUERY(
          extensionItems, $item,
          SUBQUERY(
            $item.attachments, $a,
            ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.url"
            OR ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.imgae"
          ).@count > 0
        ).@count == 1

        """)
    let line = try run("rule", "format", "--one-line", "-e", found.text)
    #expect(try run("rule", "format", "-e", line.text).text == found.text)
    #expect(try run("rule", "format", "--check", "-e", "1 == 1").status == 0)
    #expect(try run("rule", "format", "--check", "-e", "1==1").status == 1)
    try fixture("ActionExtension.plist", as: "Other.plist")
    let other = try run("rule", "format", "Other.plist")
    #expect(other.errors == "docsource: Other.plist: the rule is a dictionary, not a predicate\n")
    #expect(other.status == 1)
    let several = try run("rule", "format", "absent.plist", "Info.plist")
    #expect(several.text == "Info.plist:\n" + found.text)
    #expect(several.errors == "docsource: absent.plist: cannot read: no such file or directory\n")
    #expect(several.status == 2)
  }

  @Test func explanationSaysWhichPartDecides() throws {
    let found = try run(
      "rule", "explain", "-e",
      #"SUBQUERY(extensionItems, $i, ANY $i.attachments.registeredTypeIdentifiers == {"a"}).@count == 1"#,
      "--type", "b")
    #expect(found.text.hasPrefix("predicate: does not match\n  no   SUBQUERY(extensionItems, $i, "))
    #expect(found.text.contains("== 1; the count is 0 (1:1)\n"))
    #expect(found.text.contains("    no   item 1\n"))
    #expect(found.status == 1)
  }

  @Test func malformedInputIsRefusedWithItsPlace() throws {
    for (content, reason) in [
      ("", "cannot read: the file is empty"), ("words", "cannot read as JSON: line 1, column 5: "),
      ("<plist><dict><key>a</key></dict></plist>", "cannot read as an XML property list: "),
      ("bplist00", "cannot read as a binary property list: "),
    ] {
      _ = try directory.file("Info.plist", content)
      let found = try run("rule", "lint", "Info.plist")
      #expect(found.errors.hasPrefix("docsource: Info.plist: \(reason)"), "\(found.errors)")
      #expect(found.status == 2)
      let object = try run("rule", "match", "--json", "Info.plist", "--as=text")
      #expect(
        object.text.hasPrefix(#"{"file":"Info.plist","matches":null,"error":"\#(reason)"#),
        "\(object.text)")
      #expect(object.errors == found.errors)
    }
    _ = try directory.file("Info.plist", "{\"a\":1}")
    let without = try run("rule", "match", "--json", "Info.plist", "--as=text")
    #expect(
      without.text == #"{"file":"Info.plist","matches":null,"error":"no activation rule"}"# + "\n")
    #expect(without.errors == "docsource: Info.plist: no activation rule\n")
    #expect(without.status == 2)
    #expect(try run("rule", "match").status == 64)
    #expect(try run("rule", "match", "Info.plist", "--as=sound").status == 64)
  }

  @Test func filesThatAnAppIsOfferedAreFound() throws {
    try directory.write(Self.png, to: "tree/deep/picture.png")
    try directory.write(Self.png, to: "tree/without-extension")
    _ = try directory.file("tree/notes.txt", "Notes\n")
    try fixture("ActionExtension.plist", as: "Info.plist")
    let found = try run("find", "--rule=Info.plist", "--sort", "tree")
    #expect(found.text == "tree/deep/picture.png\ntree/without-extension\n")
    #expect(found.errors == "")
    #expect(found.status == 0)
    _ = try run("tag", "-q", "-i", "org.example.editor", "tree/deep/picture.png")
    let tagged = try run("find", "--rule=Info.plist", "-i", "org.example.*", "tree")
    #expect(tagged.text == "tree/deep/picture.png\n")
    let none = try run("find", "--rule=Info.plist", "--file-name", "*.txt", "tree")
    #expect(none.text == "")
    #expect(none.status == 1)
  }
}

/// `docsource rule type`, against GIO.
@Suite struct RuleTypeTests {
  private static let data = "sharing/data/filetype_vectors.tsv"

  @Test func typeIsShownWithItsAncestorsAndItsReason() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("notes.txt", "Notes\n")
    let found = try Docsource.run("rule", "type", "notes.txt", in: directory.root)
    #expect(
      found.text == """
        notes.txt
          mime type    text/plain, by the name
          type         public.plain-text, which has this MIME type
          conforms to  public.text, public.content, public.data, public.item

        """)
    let json = try Docsource.run(
      "rule", "type", "--json", "--conforms-to=public.image", "notes.txt", in: directory.root)
    #expect(
      json.text == """
        {"file":"notes.txt","mimeType":"text/plain","mimeTypeBy":"name","type":"public.plain-text",\
        "conformsTo":["public.text","public.content","public.data","public.item"],\
        "conforms":false,"reason":"mime-type"}

        """)
    #expect(json.status == 1)
    let device = try Docsource.run("rule", "type", "/dev/null")
    #expect(
      device.text == """
        /dev/null
          mime type    inode/chardevice, by the kind of file
          type         public.item, by the class of the MIME type

        """)
    let tree = try Docsource.run("rule", "type", "--tree", "--type=public.png")
    #expect(
      tree.text == """
        public.png
          extensions   png
          mime types   image/png
            public.image
              public.content
              public.data
                public.item

        """)
    let whole = try Docsource.run("rule", "type", "--tree")
    #expect(whole.text.contains("\n    public.image\n"))
  }

  @Test func userAddsTypes() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("drawing.sketchy")
    let fixture = Fixture.root.appending(path: "Fixtures/Sharing/ActionExtension.plist").path
    let plain = try Docsource.run(
      "rule", "type", "--json", "drawing.sketchy", "--declarations", fixture, in: directory.root)
    #expect(plain.text.contains(#""type":"org.example.sketch","conformsTo":["public.image","#))
    #expect(plain.text.contains(#""reason":"declared-extension""#))
    try FileManager.default.createDirectory(
      atPath: directory.path("data/docsource/types.d"), withIntermediateDirectories: true)
    _ = try directory.file(
      "data/docsource/types.d/mine.json",
      #"[{"UTTypeIdentifier":"org.example.mine","UTTypeConformsTo":"public.text","#
        + #""UTTypeTagSpecification":{"public.filename-extension":["sketchy"]}}]"#)
    let environment = ["XDG_DATA_HOME": directory.path("data")]
    let own = try Docsource.run(
      "rule", "type", "--conforms-to=public.text", "drawing.sketchy", in: directory.root,
      environment: environment)
    #expect(own.text == "drawing.sketchy: org.example.mine is a public.text\n")
    #expect(own.status == 0)
    _ = try directory.file("data/docsource/types.d/mine.json", "[1]")
    let broken = try Docsource.run(
      "rule", "type", "drawing.sketchy", in: directory.root, environment: environment)
    #expect(
      broken.errors.hasSuffix("mine.json: cannot read types: declaration 1: not a dictionary\n"))
    #expect(broken.status == 2)
  }

  /// The files of the vectors, made anew.
  private func makeFiles(in directory: TemporaryDirectory) throws {
    let script = Fixture.root.appending(path: "Tests/Scripts/make-typed-files").path
    let made = try Execution.run([script, directory.root])
    try #require(made.status == 0, "\(made.errors)")
  }

  @Test(.enabled(if: SharedReference.exists(data)))
  func typesOfTheReferenceAreThoseOfGIO() throws {
    let directory = try TemporaryDirectory()
    try makeFiles(in: directory)
    let rows = try SharedReference.rows(Self.data)
    #expect(rows.count == 39)
    for row in rows {
      let file = try #require(row["file"])
      let isLink = file == "link"
      let reported = try Execution.run(
        [Docsource.path, "rule", "type", "--json"] + (isLink ? ["--no-dereference"] : []) + [file],
        in: directory.root)
      let live = try Execution.run(
        ["gio", "info", "-a", "standard::content-type"] + (isLink ? ["-n"] : []) + [file],
        in: directory.root)
      let mime = live.text.firstMatch(of: /standard::content-type: (.*)/).map { String($0.1) }
      #expect(mime != nil, "\(file): \(live.errors)")
      #expect(reported.text.contains("\"mimeType\":\"\(mime ?? "")\""), "\(file): \(reported.text)")
      #expect(mime == row["gio_content_type"], "\(file)")
      #expect(
        reported.text.contains("\"type\":\"\(row["uti_from_mime_uti_tsv"] ?? "")\""),
        "\(file): \(reported.text)")
    }
  }
}
