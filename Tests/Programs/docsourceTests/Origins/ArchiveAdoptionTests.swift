import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource adopt --archive`, with archives that real tools make, and hostile ones.
@Suite struct ArchiveAdoptionTests {
  private static let native = "user.x-document-source"

  private static func run(_ command: String, in directory: TemporaryDirectory) throws -> Execution {
    let execution = try Execution.run(["sh", "-ec", command], in: directory.root)
    #expect(execution.status == 0, "\(execution.errors)")
    return execution
  }

  private static func adopt(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path, "adopt", "--archive"] + arguments, in: directory.root)
  }

  /// A tree as a Mac would put it into a zip, in `site`.
  private static func macTree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    _ = try run(
      "mkdir -p site/a site/__MACOSX/a; echo 1 >site/a/\u{e4}; echo 2 >site/b", in: directory)
    for (fixture, place) in [("kernel", "a/._\u{e4}"), ("stream2adouble", "._b")] {
      try directory.write(
        Fixture.bytes("AppleDouble/\(fixture).appledouble"), to: "site/__MACOSX/\(place)")
    }
    return directory
  }

  @Test func whatUnzipLeavesOutIsGivenToTheFiles() throws {
    let directory = try Self.macTree()
    _ = try Self.run(
      "(cd site && zip -qr ../x.zip .); mkdir here; cd here; unzip -q ../x.zip -x '__MACOSX/*'",
      in: directory)
    let names = "x-document-source, com.apple.quarantine"
    let whereFroms = ", com.apple.metadata:kMDItemWhereFroms"
    for (options, words) in [(["-n"], "would adopt"), ([], "adopted")] {
      let adopted = try Execution.run(
        [Docsource.path, "adopt", "--archive", "x.zip"] + options + ["here"], in: directory.root)
      #expect(
        adopted.text.split(separator: "\n").sorted() == [
          "here/a/\u{e4}: \(words): \(names) (x.zip:__MACOSX/a/._\u{e4})",
          "here/b: \(words): \(names)\(whereFroms) (x.zip:__MACOSX/._b)",
        ])
      #expect(adopted.errors == "")
      #expect(adopted.status == 0)
    }
    let source = try Fixture.bytes("PropertyLists/four-keys.bplist")
    for file in ["a/\u{e4}", "b"] {
      #expect(try MarkedFile(directory.path("here/\(file)")).all()[Self.native] == source)
    }
    let again = try Self.adopt("x.zip", "here", in: directory)
    #expect(again.text == "")
    #expect(again.errors == "")
    #expect(again.status == 0)
  }

  @Test func archiveMustHaveBeenExtracted() throws {
    let directory = try TemporaryDirectory()
    try Self.write("[add('f%d' % n) for n in range(2)]", in: directory)
    _ = try Self.run("mkdir here", in: directory)
    let missing = ["f0", "f1"].map {
      "docsource: here/\($0): cannot adopt attributes: no such file or directory\n"
    }.joined()
    let adopted = try Self.adopt("x", "here", in: directory)
    #expect(adopted.text == "" && adopted.status == 2)
    #expect(
      adopted.errors == missing
        + "docsource: here: none of the files is there; extract the archive into this directory"
        + " first\n")
    _ = try Self.run("touch here/f1", in: directory)
    let half = try Self.adopt("x", "here", in: directory)
    #expect(half.text == "here/f1: adopted: mark (x:f1)\n" && half.status == 2)
    #expect(
      half.errors == "docsource: here/f0: cannot adopt attributes: no such file or directory\n")
  }

  @Test func archiveAsAFileNamesTheOptionForIt() throws {
    let directory = try TemporaryDirectory()
    for (name, shown) in [
      ("mac.zip", "mac.zip"), ("a b.tar.GZ", "\"a b.tar.GZ\""), ("notes.txt", nil),
    ] {
      try directory.file(name)
      let adopted = try Execution.run([Docsource.path, "adopt", name], in: directory.root)
      #expect(adopted.text == "\(name): unchanged\n")
      #expect(
        adopted.errors
          == (shown.map {
            "docsource: \(name): for the attributes in it, extract it to DIR, then use 'docsource"
              + " adopt --archive \($0) DIR'\n"
          } ?? ""))
      #expect(adopted.status == 0)
    }
    let quiet = try Execution.run([Docsource.path, "adopt", "-q", "mac.zip"], in: directory.root)
    #expect(quiet.text == "" && quiet.errors == "" && quiet.status == 0)
  }

  @Test func archiveIsReadInTheSandbox() throws {
    let directory = try Self.macTree()
    _ = try Self.run("cd site && zip -qr ../x.zip .", in: directory)
    let reader = try HeldProgram(
      [Docsource.path + "-archive", "x.zip"], at: .output, input: directory.bytes("x.zip"))
    #expect(reader.limits == .sandbox)
  }

  @Test(arguments: [
    "tar --xattrs -czf x site", "tar --xattrs -cf x site", "bsdtar --xattrs -cf x site",
    "bsdtar --xattrs --format=pax -cJf x site",
  ])
  func whatTarLeavesOutIsGivenToTheFiles(_ command: String) throws {
    let directory = try TemporaryDirectory()
    _ = try Self.run("mkdir site && echo 1 >site/file", in: directory)
    let marks = [
      Self.native: try Fixture.bytes("PropertyLists/four-keys.bplist"),
      "user.xdg.origin.url": Array("https://example.com/".utf8),
    ]
    _ = try MarkedFile(directory.path("site/file"), marks)
    _ = try Self.run("\(command); mkdir here; tar -xf x -C here 2>/dev/null", in: directory)
    let file = try MarkedFile(directory.path("here/site/file"))
    #expect(try file.all() == [:])
    let adopted = try Self.adopt("x", "here", in: directory)
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    #expect(adopted.text.hasPrefix("here/site/file: adopted: "))
    #expect(adopted.text.hasSuffix(" (x:site/file)\n"))
    #expect(try file.all() == marks)
  }

  /// Writes a tar `x` of files with an attribute in their pax headers.
  private static func write(_ entries: String, in directory: TemporaryDirectory) throws {
    let script = """
      import io, tarfile
      archive = tarfile.open('x', 'w', format=tarfile.PAX_FORMAT)
      def add(name, key='SCHILY.xattr.user.mark', value='v', content=b''):
          info = tarfile.TarInfo(name)
          info.size = len(content)
          if key: info.pax_headers = {key: value}
          archive.addfile(info, io.BytesIO(content))
      \(entries)
      archive.close()
      """
    let made = try Execution.run(["python3", "-c", script], in: directory.root)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func noPathLeadsOutOfTheDirectoryAndNoLinkIsFollowed() throws {
    let directory = try TemporaryDirectory()
    try Self.write(
      "[add(name) for name in ('../outside', '/outside', 'link/outside', 'last', 'missing', 'good')]",
      in: directory)
    _ = try Self.run(
      "mkdir here; touch outside here/good; ln -s .. here/link; ln -s ../outside here/last",
      in: directory)
    let adopted = try Self.adopt("x", "here", in: directory)
    #expect(adopted.text == "here/good: adopted: mark (x:good)\n")
    let absolute = "docsource: /outside: cannot adopt attributes: the path is absolute\n"
    #expect(
      adopted.errors == """
        docsource: here/../outside: cannot adopt attributes: the path contains '..'
        \(absolute)docsource: here/link/outside: cannot adopt attributes: a directory in the path \
        is a symbolic link, which docsource does not follow
        docsource: here/last: cannot adopt attributes: the file is a symbolic link, which docsource \
        does not follow
        docsource: here/missing: cannot adopt attributes: no such file or directory

        """)
    #expect(adopted.status == 2)
    #expect(try MarkedFile(directory.path("outside")).all() == [:])
  }

  /// Extracting as root would set such; by the last a file system is directed.
  @Test(arguments: [
    "SCHILY.xattr.security.capability", "SCHILY.xattr.trusted.overlay.opaque",
    "SCHILY.xattr.system.posix_acl_access", "SCHILY.xattr.mark", "comment",
  ])
  func attributesOfOtherNamespacesAreNotTaken(_ key: String) throws {
    let directory = try TemporaryDirectory()
    try Self.write("add('file', '\(key)')", in: directory)
    try directory.file("file")
    let adopted = try Self.adopt("x", ".", in: directory)
    #expect(adopted.text == "")
    #expect(adopted.status == 1)
    #expect(adopted.errors == "docsource: x: the archive holds no attributes\n")
  }

  @Test func namesThatDirectFileSystemsAreNotTaken() throws {
    let directory = try TemporaryDirectory()
    try Self.write("add('file', 'SCHILY.xattr.user.overlay.redirect', '/etc')", in: directory)
    let file = try MarkedFile(directory.file("file"))
    let adopted = try Self.adopt("x", ".", in: directory)
    #expect(
      adopted.errors == "docsource: file: kept x:file: it holds an attribute with a reserved or"
        + " invalid name, overlay.redirect\n")
    #expect(try file.all() == [:])
  }

  /// Samba takes the NUL off for its clients.
  @Test func streamsOfSambaKeepTheirNUL() throws {
    let directory = try TemporaryDirectory()
    let name = "user.DosStream.note:$DATA"
    try Self.write("add('file', 'SCHILY.xattr.\(name)', 'hello\\0')", in: directory)
    let file = try MarkedFile(directory.file("file"))
    for _ in 0..<2 {
      let adopted = try Self.adopt("x", "-q", ".", in: directory)
      #expect(adopted.errors == "")
      #expect(adopted.status == 0)
      #expect(try file.all() == [name: Array("hello\0".utf8)])
    }
  }

  @Test func contradictionIsLeftOrDecided() throws {
    let directory = try TemporaryDirectory()
    try Self.write("add('file')", in: directory)
    let file = try MarkedFile(directory.file("file"), ["user.mark": [1]])
    let left = try Self.adopt("x", ".", in: directory)
    #expect(
      left.errors == "docsource: file: kept x:file: different value of mark;"
        + " use --keep=dotbar or --keep=native to choose a value\n")
    #expect(left.text == "")
    #expect(left.status == 1)
    #expect(try Self.adopt("x", "--keep=dotbar", ".", in: directory).status == 0)
    #expect(try file.all() == ["user.mark": Array("v".utf8)])
  }

  @Test func appleDoubleFileThatIsTooLargeOrNoneIsReported() throws {
    let directory = try TemporaryDirectory()
    try Self.write(
      """
      add('__MACOSX/._large', None, content=bytes(2 << 20))
      add('__MACOSX/._junk', None, content=b'junk')
      add('._any', None, content=b'any')
      add('good')
      """, in: directory)
    try directory.file("good")
    let adopted = try Self.adopt("x", ".", in: directory)
    #expect(adopted.text == "good: adopted: mark (x:good)\n")
    #expect(
      adopted.errors == """
        docsource: x: __MACOSX/._large: cannot read: the entry is larger than 1 MiB
        docsource: x: __MACOSX/._junk: cannot read: not an AppleDouble file (at byte 0)

        """)
    #expect(adopted.status == 2)
  }

  @Test func moreAttributesThanMemoryIsForAreRefused() throws {
    let directory = try TemporaryDirectory()
    try Self.write(
      "[add('f%d' % n, value='v' * 60000) for n in range(1200)]", in: directory)
    let adopted = try Self.adopt("x", "-q", ".", in: directory)
    #expect(
      adopted.errors.hasPrefix(
        "docsource: x: cannot read archive: the archive has more than 64 MiB of attributes\n"))
    #expect(adopted.status == 2)
  }

  @Test func longPathsCountAsWell() throws {
    let directory = try TemporaryDirectory()
    try Self.write("[add('p' * 60000 + str(n)) for n in range(1200)]", in: directory)
    let read = try Execution.run(
      // Without optimisation that may take more than the standard limit of processor time.
      ["sh", "-c", "exec \"$0\" x none none <x >found", Docsource.path + "-archive"],
      in: directory.root)
    #expect(
      read.errors
        == "docsource: x: cannot read archive: the archive has more than 64 MiB of attributes\n")
    #expect(read.status == 2)
  }

  @Test(arguments: [
    ("printf x >x", "Unrecognized archive format"), (": >x", "the file is empty"),
    ("mkdir x", "not a regular file"), ("mkfifo x", "not a regular file"),
    (":", "no such file or directory"),
  ])
  func whatIsNoArchiveIsReported(_ command: String, _ words: String) throws {
    let directory = try TemporaryDirectory()
    _ = try Self.run(command, in: directory)
    let adopted = try Self.adopt("x", ".", in: directory)
    #expect(
      adopted.errors.hasPrefix("docsource: x: cannot read archive: \(words)"), "\(adopted.errors)")
    #expect(adopted.text == "")
    #expect(adopted.status == 2)
  }

  @Test func damagedArchiveIsAppliedAsFarAsItGoes() throws {
    let directory = try TemporaryDirectory()
    try Self.write("[add('f%d' % n) for n in range(3)]", in: directory)
    _ = try Self.run("head -c 4000 x >y; touch f0 f1 f2", in: directory)
    let adopted = try Self.adopt("y", ".", in: directory)
    #expect(adopted.text.hasPrefix("f0: adopted: mark (y:f0)\n"))
    #expect(adopted.errors.hasPrefix("docsource: y: cannot read archive: "))
    #expect(adopted.status == 2)
  }

  @Test(arguments: [
    (["x", "a", "b"], "--archive takes one directory, into which FILE was extracted"),
    (["x"], "--archive takes one directory, into which FILE was extracted"),
    (["x", "-r", "a"], "--archive and --recursive cannot be combined"),
    (["x", "--infer", "a"], "--archive and --infer cannot be combined"),
  ])
  func commandLineThatMakesNoSenseIsReported(_ arguments: [String], _ words: String) throws {
    let adopted = try Execution.run([Docsource.path, "adopt", "--archive"] + arguments)
    #expect(adopted.errors == "docsource: adopt: \(words); see 'docsource help adopt'\n")
    #expect(adopted.status == 64)
  }

  @Test func missingDirectoryIsReported() throws {
    let adopted = try Docsource.run("adopt", "--archive", "/dev/null", "/missing")
    #expect(
      adopted.errors
        == "docsource: /missing: cannot open directory: no such file or directory\n")
    #expect(adopted.status == 2)
  }
}
