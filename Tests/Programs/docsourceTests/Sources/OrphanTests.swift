import Foundation
import Glibc
import TestSupport
import Testing

/// Carriers whose files are not there: `trace` tells them, `strip` empties them, `adopt` leaves them.
@Suite struct OrphanTests {
  private static let zone = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://example.com/a.pdf\r\n"

  /// A tree with each kind of orphan, and with carriers whose files are there.
  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["tree", "tree/__MACOSX", "tree/__MACOSX/deep", "tree/.AppleDouble"] {
      mkdir(directory.path(name), 0o755)
    }
    let double = try Fixture.bytes("AppleDouble/stream2adouble.appledouble")
    for name in ["._train.csv", "__MACOSX/deep/._gone"] {
      try directory.write(double, to: "tree/\(name)")
    }
    try directory.write(Array(zone.utf8), to: "tree/gone.pdf:Zone.Identifier")
    try directory.write(
      Fixture.bytes("PropertyLists/four-keys.bplist"),
      to: "tree/.AppleDouble/gone::EA::x-document-source")
    try directory.write(Array("not AppleDouble, only called so".utf8), to: "tree/._notes")
    return directory
  }

  private static let orphans = [
    ".AppleDouble/gone::EA::x-document-source", "._train.csv", "__MACOSX/deep/._gone",
    "gone.pdf:Zone.Identifier",
  ]

  private static func run(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path] + arguments, in: directory.root)
  }

  private static func files(below directory: TemporaryDirectory) throws -> [String] {
    let found = try Execution.run(["find", ".", "!", "-type", "d"], in: directory.path("tree"))
    return found.text.split(separator: "\n").map { String($0.dropFirst(2)) }.sorted()
  }

  @Test func traceTellsWhatTheyHold() throws {
    let directory = try Self.tree()
    let traced = try Self.run("trace", "-r", "--no-recent", "tree", in: directory)
    let lines = traced.text.split(separator: "\n").map(String.init)
    let answer = "from \"Working Copy\", downloaded from example.com by \"Safari\" on 2020-11-12"
    #expect(
      lines.contains(
        "tree/._train.csv: \(answer); belongs to train.csv, which is missing"))
    #expect(
      lines.contains(
        "tree/__MACOSX/deep/._gone: \(answer); belongs to ../../deep/gone, which is missing"))
    #expect(
      lines.contains(
        "tree/gone.pdf:Zone.Identifier: downloaded from example.com; belongs to gone.pdf, which"
          + " is missing"))
    #expect(
      lines.contains(
        "tree/.AppleDouble/gone::EA::x-document-source: from \"Working Copy\"; belongs to"
          + " ../gone, which is missing"))
    #expect(lines.count { $0.hasPrefix("tree/") } == 4)
    #expect(traced.errors == "")
    #expect(traced.status == 0)
  }

  @Test func traceOfOneTellsWhereEachMarkStands() throws {
    let directory = try Self.tree()
    let path = "tree/gone.pdf:Zone.Identifier"
    let traced = try Self.run("trace", "--no-recent", "--json", path, in: directory)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(traced.output)) as? [String: Any])
    #expect(object["missing"] as? String == "gone.pdf")
    let marks = try #require(object["marks"] as? [[String: Any]])
    #expect(marks.map { $0["carrier"] as? String } == ["gone.pdf:Zone.Identifier"])
    #expect(marks.map { $0["form"] as? String } == ["sibling"])
    #expect(marks.map { $0["trust"] as? String } == ["beside"])
    #expect(traced.status == 0)
  }

  @Test func carriersOfFilesThatAreThereAreNoOrphans() throws {
    let directory = try Self.tree()
    mkdir(directory.path("tree/deep"), 0o755)
    for name in ["train.csv", "gone.pdf", "gone", "deep/gone"] {
      try directory.file("tree/\(name)")
    }
    let traced = try Self.run("trace", "-r", "--no-recent", "tree", in: directory)
    #expect(!traced.text.contains("which is missing"))
    let reported = traced.text.split(separator: "\n").compactMap { $0.split(separator: ":").first }
    #expect(
      reported.filter { $0.hasPrefix("tree/") }.sorted()
        == ["tree/deep/gone", "tree/gone", "tree/gone.pdf", "tree/train.csv"])
  }

  @Test func stripLeavesNothingOfThem() throws {
    let directory = try Self.tree()
    let before = try Self.files(below: directory)
    let dry = try Self.run("strip", "-rn", "tree", in: directory)
    #expect(dry.errors == "docsource: 4 would be stripped, 1 unchanged, 0 failed\n")
    #expect(try Self.files(below: directory) == before)
    let stripped = try Self.run("strip", "-r", "tree", in: directory)
    let lines = stripped.text.split(separator: "\n").map(String.init)
    #expect(
      lines.contains("tree/gone.pdf:Zone.Identifier: removed: gone.pdf:Zone.Identifier"))
    #expect(
      lines.contains(
        "tree/__MACOSX/deep/._gone: removed: ._gone:x-document-source,"
          + " ._gone:com.apple.quarantine, ._gone:com.apple.metadata:kMDItemWhereFroms"))
    #expect(lines.count == 4)
    #expect(stripped.status == 0)
    #expect(try Self.files(below: directory) == ["._notes"])
    #expect(access(directory.path("tree/__MACOSX"), F_OK) != 0)
  }

  /// What is no mark of origin stays.
  @Test func stripKeepsWhatIsNoMark() throws {
    let directory = try Self.tree()
    let kept = try Self.run("strip", "-rq", "--keep", "zone", "tree", in: directory)
    #expect(kept.status == 0)
    #expect(try Self.files(below: directory) == ["._notes", "gone.pdf:Zone.Identifier"])
  }

  @Test func adoptSaysWhatItLeaves() throws {
    let directory = try Self.tree()
    let before = try Self.files(below: directory)
    for options in [["-rn"], ["-r"], ["-r", "--infer"]] {
      let adopted = try Execution.run(
        [Docsource.path, "adopt"] + options + ["tree"], in: directory.root)
      #expect(adopted.text == "")
      let lines = adopted.errors.split(separator: "\n").map(String.init)
      let reported = Self.orphans.map { path in
        let name = path.split(separator: "/").last ?? ""
        return "docsource: tree/\(path): kept \(name): the file it belongs to is missing"
      }
      #expect(lines.dropLast().sorted() == reported.sorted())
      #expect(adopted.status == 0)
      #expect(try Self.files(below: directory) == before)
      let carriers = ["tree/._train.csv", "tree/gone.pdf:Zone.Identifier"]
      #expect(try Execution.run(["getfattr"] + carriers, in: directory.root).text == "")
    }
  }

  /// What `strip -r` removes below the current directory, by what its dry run says.
  private static func stripped(in directory: TemporaryDirectory) throws -> [String] {
    let dry = try run("strip", "-rn", ".", in: directory)
    let stripped = try run("strip", "-r", ".", in: directory)
    let lines = stripped.text.split(separator: "\n").map(String.init).sorted()
    #expect(
      dry.text.replacing(": would remove: ", with: ": removed: ").split(separator: "\n")
        .map(String.init).sorted() == lines)
    #expect(dry.errors.replacing("would be stripped", with: "stripped") == stripped.errors)
    #expect(dry.status == 0 && stripped.status == 0)
    let traced = try run("trace", "-r", "--no-recent", ".", in: directory)
    #expect(traced.text.hasPrefix("0 files with marks of origin, "))
    return lines + [stripped.errors]
  }

  /// Windows gives every file that it unpacks a zone, and a Mac every file on a stick a carrier.
  @Test func carriersOfCarriersGo() throws {
    let directory = try TemporaryDirectory()
    for folder in ["__MACOSX", "__MACOSX/d", "d"] { mkdir(directory.path(folder), 0o755) }
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    for name in ["h", "gone/h"] { try directory.file(name) }
    for name in ["._h", "._._h", "__MACOSX/._d", "._m"] { try directory.write(double, to: name) }
    let zones = ["._h", "__MACOSX/._d", "._m", "._lost"].map { "\($0):Zone.Identifier" }
    for name in zones { try directory.file(name, Self.zone) }
    let marks = { (name: String) in "\(name):x-document-source, \(name):com.apple.quarantine" }
    #expect(
      try Self.stripped(in: directory) == [
        "./._lost:Zone.Identifier: removed: ._lost:Zone.Identifier",
        "./._m: removed: ._m:Zone.Identifier, \(marks("._m"))",
        "./d: removed: __MACOSX/._d:Zone.Identifier, \(marks("__MACOSX/._d"))",
        "./h: removed: ._h:Zone.Identifier, \(marks("._._h")), \(marks("._h"))",
        "docsource: 4 stripped, 3 unchanged, 0 failed\n",
      ])
    let left = try Execution.run(["find", ".", "-type", "f"], in: directory.root)
    #expect(left.text.split(separator: "\n").sorted() == ["./gone/h", "./h"])
  }

  /// Named, too, a file takes the marks of its carriers with it.
  @Test func carriersOfCarriersOfANamedFileGo() throws {
    let directory = try TemporaryDirectory()
    try directory.file("h")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "._h")
    try directory.file("._h:Zone.Identifier", Self.zone)
    let stripped = try Self.run("strip", "h", in: directory)
    #expect(
      stripped.text == "h: removed: ._h:Zone.Identifier, ._h:x-document-source,"
        + " ._h:com.apple.quarantine\n")
    #expect(stripped.status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.root) == ["h"])
  }

  /// No walk visits these, so their carriers stand alone.
  @Test func carriersOfLinksAndSpecialFilesAreOrphans() throws {
    let directory = try TemporaryDirectory()
    let make = "touch x; ln -s x ln; ln -s nowhere dang; mkfifo ff"
    #expect(try Execution.run(["sh", "-c", make], in: directory.root).status == 0)
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    for name in ["._ln", "._dang", "._ff"] { try directory.write(double, to: name) }
    try directory.file("ff:Zone.Identifier", Self.zone)
    let traced = try Self.run("trace", "-r", "--no-recent", ".", in: directory)
    let lines = traced.text.split(separator: "\n").filter { $0.hasPrefix("./") }
    #expect(
      lines.compactMap { $0.split(separator: ";").last }.sorted()
        == [" belongs to dang", " belongs to ff", " belongs to ff", " belongs to ln"])
    let adopted = try Self.run("adopt", "-r", ".", in: directory)
    let kept = adopted.errors.split(separator: "\n").dropLast().sorted()
    #expect(
      kept
        == ["._dang", "._ff", "._ln", "ff:Zone.Identifier"].map {
          "docsource: ./\($0): kept \($0): the file it belongs to is a symbolic link or special file"
        })
    #expect(adopted.status == 0)
    let marks = { (name: String) in "\(name):x-document-source, \(name):com.apple.quarantine" }
    #expect(
      try Self.stripped(in: directory)
        == ["._dang", "._ff", "._ln"].map { "./\($0): removed: \(marks($0))" } + [
          "./ff:Zone.Identifier: removed: ff:Zone.Identifier",
          "docsource: 4 stripped, 2 unchanged, 0 failed\n",
        ])
  }

  @Test(arguments: ["._q", "q:Zone.Identifier", "__MACOSX/._q"])
  func namedCarrierIsTracedAndStripped(_ name: String) throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("__MACOSX"), 0o755)
    try directory.file("q")
    let isStream = name.hasSuffix("Zone.Identifier")
    try directory.write(
      isStream ? Array(Self.zone.utf8) : Fixture.bytes("AppleDouble/kernel.appledouble"), to: name)
    let document = name.hasPrefix("__MACOSX") ? "../q" : "q"
    let traced = try Self.run("trace", "--no-recent", name, in: directory)
    #expect(
      traced.text.split(separator: "\n").first?.hasSuffix("; belongs to \(document)") == true)
    #expect(traced.status == 0)
    let object = try Self.run("trace", "--no-recent", "--json", name, in: directory)
    #expect(object.text.hasSuffix(#","belongsTo":"\#(document)"}"# + "\n"))
    let last = name.split(separator: "/").last ?? ""
    let carried = isStream ? "\(last)" : "\(last):x-document-source, \(last):com.apple.quarantine"
    let dry = try Self.run("strip", "-n", name, in: directory)
    #expect(dry.text == "\(name): would remove: \(carried)\n")
    let stripped = try Self.run("strip", name, in: directory)
    #expect(stripped.text == "\(name): removed: \(carried)\n")
    #expect(stripped.status == 0)
    #expect(access(directory.path(name), F_OK) != 0)
  }

  /// The files stand outside of what is walked.
  @Test func folderOfCarriersAloneIsTracedAndStripped() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("__MACOSX"), 0o755)
    try directory.file("z")
    try directory.write(Fixture.bytes("AppleDouble/kernel.appledouble"), to: "__MACOSX/._z")
    let traced = try Self.run("trace", "-r", "--no-recent", "__MACOSX", in: directory)
    #expect(traced.text.hasPrefix("__MACOSX/._z: from "))
    #expect(traced.text.split(separator: "\n").first?.hasSuffix("; belongs to ../z") == true)
    let marks = "x-document-source, ._z:com.apple.quarantine"
    for operands in [["__MACOSX", "z"], ["__MACOSX"]] {
      let dry = try Execution.run(
        [Docsource.path, "strip", "-rn"] + operands, in: directory.root)
      #expect(
        dry.text
          == (operands.count == 1
            ? "__MACOSX/._z: would remove: ._z:\(marks)\n"
            : "z: would remove: __MACOSX/._z:\(marks.replacing("._z", with: "__MACOSX/._z"))\n"))
    }
    let stripped = try Self.run("strip", "-r", "__MACOSX", in: directory)
    #expect(stripped.text == "__MACOSX/._z: removed: ._z:\(marks)\n")
    #expect(stripped.status == 0)
    #expect(access(directory.path("__MACOSX/._z"), F_OK) != 0)
  }

  /// Both leave the folder's own files alone: what an archive held stands beside the folder.
  @Test func dryRunCountsFoldersOfAnArchiveOnce() throws {
    let directory = try TemporaryDirectory()
    for folder in ["__MACOSX", "__MACOSX/d4", "d4"] { mkdir(directory.path(folder), 0o755) }
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    try directory.file("d4/a")
    for name in ["__MACOSX/._d4", "__MACOSX/d4/._a"] { try directory.write(double, to: name) }
    #expect(
      try Self.stripped(in: directory) == [
        "./d4/a: removed: ../__MACOSX/d4/._a:x-document-source,"
          + " ../__MACOSX/d4/._a:com.apple.quarantine",
        "./d4: removed: __MACOSX/._d4:x-document-source, __MACOSX/._d4:com.apple.quarantine",
        "docsource: 2 stripped, 1 unchanged, 0 failed\n",
      ])
  }

  /// These are neither objects nor the index, though named for them.
  @Test func carriersOfObjectsAndIndexGo() throws {
    let directory = try TemporaryDirectory()
    for folder in [".git", ".git/objects", ".git/refs"] { mkdir(directory.path(folder), 0o755) }
    for name in [".git/index", ".git/HEAD"] { try directory.file(name) }
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    for name in ["._index", "._objects"] { try directory.write(double, to: ".git/\(name)") }
    try directory.file(".git/index:Zone.Identifier", Self.zone)
    let marks = { (name: String) in "\(name):x-document-source, \(name):com.apple.quarantine" }
    #expect(
      try Self.stripped(in: directory) == [
        "./.git/._index: removed: \(marks("._index"))",
        "./.git/._objects: removed: \(marks("._objects"))",
        "./.git/index:Zone.Identifier: removed: index:Zone.Identifier",
        "docsource: 3 stripped, 4 unchanged, 0 failed\n",
      ])
  }

  @Test func carriersAreNeitherTaggedNorUntagged() throws {
    let directory = try TemporaryDirectory()
    let carriers = ["._a", "a:Zone.Identifier", "__MACOSX/b", ".AppleDouble/c", "__MACOSX/d/e"]
    for name in ["a", "b:c"] + carriers { try directory.file("tree/\(name)") }
    let untagged = try Self.run("find", "--untagged", "--sort", "tree", in: directory)
    #expect(untagged.text == "tree/a\ntree/b:c\n")
    for (options, words) in [(["-n"], "would be tagged"), ([], "tagged")] {
      let tagged = try Execution.run(
        [Docsource.path, "tag", "-r", "-i", "a.b.c"] + options + ["tree"], in: directory.root)
      #expect(tagged.errors == "docsource: 2 \(words), 0 unchanged, 0 failed\n")
    }
    let names = carriers.map { directory.path("tree/\($0)") }
    #expect(try Execution.run(["getfattr"] + names, in: directory.root).text == "")
    let named = try Self.run("tag", "-i", "a.b.c", "tree/._a", in: directory)
    #expect(named.text == "tree/._a: tagged: a.b.c\n")
  }

  @Test func oneAdoptionTakesAllFoldersOfArchives() throws {
    let directory = try TemporaryDirectory()
    try directory.file("tree/sub/e")
    let double = try Fixture.bytes("AppleDouble/kernel.appledouble")
    for name in ["sub/__MACOSX/._e", "__MACOSX/sub/._e", "sub/._e"] {
      try directory.write(double, to: "tree/\(name)")
    }
    for options in ["-rn", "-r"] {
      let adopted = try Self.run("adopt", options, "tree", in: directory)
      let (adopt, remove) =
        options == "-r" ? ("adopted", "removed") : ("would adopt", "would remove")
      let nothing = ", which holds nothing new\n"
      #expect(
        adopted.text == "tree/sub/e: \(adopt): x-document-source, com.apple.quarantine (._e)\n"
          + "tree/sub/e: \(remove): __MACOSX/._e\(nothing)"
          + "tree/sub/e: \(remove): ../__MACOSX/sub/._e\(nothing)")
    }
    #expect(try Self.files(below: directory) == ["sub/e"])
  }

  @Test func emptyFileThatIsCalledLikeACarrierIsNoFailure() throws {
    let directory = try TemporaryDirectory()
    for name in ["x", "._x"] { try directory.write([], to: name) }
    let stripped = try Self.run("strip", "-r", ".", in: directory)
    #expect(stripped.errors == "docsource: 0 stripped, 2 unchanged, 0 failed\n")
    #expect(stripped.status == 0)
  }

  @Test(arguments: [
    "com.apple.metadata:kMDItemOriginSenderHandle",
    "com.apple.metadata:kMDItemOriginSenderDisplayName",
    "com.apple.metadata:kMDItemOriginMessageID",
    "com.apple.metadata:kMDItemOriginApplicationIdentifier", "com_apple_mail_messageID",
    "xdg.origin.email.to", "xdg.origin.any", "zone.identifier",
  ])
  func marksOfMailAreTracedAndStripped(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let isList = name.hasPrefix("com.apple.metadata:")
    let file = try MarkedFile(
      directory.file("doc"),
      ["user.\(name)": isList ? Array("bplist00".utf8) : Array("[ZoneTransfer]".utf8)])
    let traced = try Self.run("trace", "--no-recent", "doc", in: directory)
    #expect(traced.text.hasSuffix("    user.\(name)\n"))
    let stripped = try Self.run("strip", "doc", in: directory)
    #expect(stripped.text == "doc: removed: user.\(name)\n")
    #expect(try file.all() == [:])
  }

  /// As many AppleDouble files as one tree of a Mac had: a fifth of their files gone, a seventh of
  /// them below __MACOSX.
  @Test func treeOfAMacKeepsNoMarkAfterAdoptAndStrip() throws {
    let directory = try TemporaryDirectory()
    let doubles = try ["stream2adouble", "kernel", "copyfile", "finder-info-only", "empty-value"]
      .map { try Fixture.bytes("AppleDouble/\($0).appledouble") }
    for index in 0..<341 {
      let folder = "d\(index % 9)"
      try directory.write(
        doubles[index / 5 % doubles.count],
        to: "tree/\(index % 7 == 0 ? "__MACOSX/" : "")\(folder)/._file \(index)")
      if index % 5 != 0 { try directory.file("tree/\(folder)/file \(index)") }
    }
    let adopted = try Self.run("adopt", "-r", "tree", in: directory)
    #expect(adopted.text.split(separator: "\n").count == 272)
    #expect(adopted.errors.split(separator: "\n").count == 56)
    #expect(adopted.status == 0)
    #expect(try Self.files(below: directory).filter { $0.contains("._") }.count == 69)
    #expect(try Self.run("strip", "-rq", "tree", in: directory).status == 0)
    let traced = try Self.run("trace", "-r", "--no-recent", "tree", in: directory)
    #expect(traced.text.hasPrefix("0 files with marks of origin, "))
    // Finder information and other attributes are no marks.
    #expect(try Self.files(below: directory).filter { $0.contains("._") }.count == 27)
    let search = ["grep", "-rlaE", "document-source|quarantine|kMDItem|Safari|https?:", "tree"]
    #expect(try Execution.run(search, in: directory.root).text == "")
    let attributes = try Execution.run(["getfattr", "-dR", "-m-", "."], in: directory.path("tree"))
    let names = attributes.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: "=").first }
    #expect(Set(names) == ["user.com.apple.FinderInfo", "user.com.example.empty"])
  }
}
