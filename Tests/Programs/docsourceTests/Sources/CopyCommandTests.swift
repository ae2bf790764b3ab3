import Foundation
import TestSupport
import Testing

/// Attributes copied from one file to others.
@Suite struct CopyCommandTests {
  private static let purpose =
    "; only the mark is copied: 'cp -a' copies a file with its mark"
  private static let native = "user.x-document-source"
  private static let stream = "user.DosStream.x-document-source:$DATA"

  private static func set(_ name: String, _ hexadecimal: String, _ path: String) throws {
    let set = ["setfattr", "-n", name, "-v", "0x" + hexadecimal, path]
    #expect(try Execution.run(set).status == 0)
  }

  private static func value(_ name: String, _ path: String) throws -> [UInt8]? {
    let read = try Execution.run(["getfattr", "-n", name, "--only-values", path])
    return read.status == 0 ? read.output : nil
  }

  /// `{"name": "x", "kept": [1]}` by plistlib.
  private static func setUnknownKeys(_ path: String) throws {
    let script = """
      import os, plistlib, sys
      os.setxattr(sys.argv[1], "user.x-document-source",
                  plistlib.dumps({"name": "x", "kept": [1]}, fmt=plistlib.FMT_BINARY))
      """
    #expect(try Execution.run(["python3", "-c", script, path]).status == 0)
  }

  @Test func valueIsCopiedByteForByteAndNothingElseChanges() throws {
    let directory = try TemporaryDirectory()
    let from = try directory.file("from")
    try Self.setUnknownKeys(from)
    try Self.set("user.other", "61", from)
    for name in ["a", "b", "c"] {
      try Self.set("user.mine", "62", try directory.file(name, name))
    }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", directory.path("b")).status == 0)
    let value = try Self.value(Self.native, from)
    let before = try ["a", "b"].map { try FileState(directory.path($0), except: [Self.native]) }
    let source = try FileState(from)
    let copied = try Docsource.run("copy", "from", "a", "b", in: directory.root)
    #expect(copied.text == "a: copied: x\nb: copied: x\n")
    #expect(copied.errors == "")
    #expect(copied.status == 0)
    for name in ["a", "b"] {
      #expect(try Self.value(Self.native, directory.path(name)) == value)
    }
    #expect(
      try ["a", "b"].map { try FileState(directory.path($0), except: [Self.native]) } == before)
    #expect(try FileState(from) == source)
    let again = try Docsource.run("copy", "from", "a", "c", "-n", in: directory.root)
    #expect(again.text == "a: unchanged: x\nc: would copy: x\n")
    #expect(again.status == 0)
    #expect(try Self.value(Self.native, directory.path("c")) == nil)
    #expect(try Docsource.run("copy", "-q", "from", "c", in: directory.root).text == "")
    #expect(try Self.value(Self.native, directory.path("c")) == value)
  }

  @Test func targetThatFailsDoesNotStopTheRest() throws {
    let directory = try TemporaryDirectory()
    for name in ["from", "b"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "from", in: directory.root).status == 0)
    let copied = try Docsource.run("copy", "from", "none", "b", "/dev/null", in: directory.root)
    #expect(copied.text == "b: copied: a.b\n")
    #expect(
      copied.errors == """
        docsource: none: cannot write document source: no such file or directory\(Self.purpose)
        docsource: /dev/null: cannot write document source: \
        Linux stores user attributes only on regular files and directories

        """)
    #expect(copied.status == 2)
  }

  @Test func eachTargetHasAnObject() throws {
    let directory = try TemporaryDirectory()
    for name in ["from", "a", "plain"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "from", in: directory.root).status == 0)
    func copy(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path, "copy", "--json"] + arguments, in: directory.root)
    }
    let source = #""source":{"identifier":"a.b"}}"# + "\n"
    #expect(
      try copy("-n", "from", "a").text
        == #"{"file":"a","outcome":"changed","dryRun":true,"# + source)
    #expect(try copy("from", "a").text == #"{"file":"a","outcome":"changed","# + source)
    let again = try copy("from", "a", "none")
    let error = "cannot write document source: no such file or directory\(Self.purpose)"
    #expect(
      again.text == #"{"file":"a","outcome":"unchanged","# + source
        + #"{"file":"none","outcome":"failed","error":"\#(error)"}"# + "\n")
    #expect(again.errors == "docsource: none: \(error)\n")
    #expect(again.status == 2)
    #expect(
      try copy("--all-attributes", "from", "a").text == #"{"file":"a","outcome":"changed"}"# + "\n")
    let nothing = try copy("plain", "a")
    #expect(
      nothing.text == #"{"file":"plain","outcome":"unchanged","source":null,"#
        + #""reason":"no document source; nothing was copied"}"# + "\n")
    #expect(nothing.errors == "docsource: plain: no document source; nothing was copied\n")
    #expect(nothing.status == 1)
  }

  @Test func fileWithoutSourceLeavesTheTargetsAsTheyAre() throws {
    let directory = try TemporaryDirectory()
    for name in ["from", "to"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "to", in: directory.root).status == 0)
    let copied = try Docsource.run("copy", "from", "to", in: directory.root)
    #expect(copied.text == "")
    #expect(copied.status == 1)
    #expect(copied.errors == "docsource: from: no document source; nothing was copied\n")
    try Self.set(Self.native, "6162", directory.path("from"))
    let damaged = try Docsource.run("copy", "from", "to", in: directory.root)
    #expect(damaged.text == "")
    #expect(damaged.status == 2)
    #expect(
      damaged.errors == "docsource: from: cannot read document source: the attribute is damaged: "
        + "plain text, not a binary property list (at byte 0)\n")
    #expect(try Docsource.run("show", "to", in: directory.root).text.contains("a.b"))
  }

  @Test func sambasFormIsReadAndKeptInStep() throws {
    let directory = try TemporaryDirectory()
    for name in ["from", "to"] { try directory.file(name) }
    let fixture = try Fixture.bytes("PropertyLists/four-keys.bplist")
    let hexadecimal = fixture.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try Self.set(Self.stream, hexadecimal + "00", directory.path("from"))
    try Self.set(Self.stream, "00", directory.path("to"))
    let copied = try Docsource.run("copy", "-q", "from", "to", in: directory.root)
    #expect(copied.errors == "")
    #expect(copied.status == 0)
    #expect(try Self.value(Self.native, directory.path("to")) == fixture)
    #expect(try Self.value(Self.stream, directory.path("to")) == fixture + [0])
    #expect(try Self.value(Self.native, directory.path("from")) == nil)
    let again = try Docsource.run("copy", "from", "to", in: directory.root)
    #expect(again.text.hasPrefix("to: unchanged: Working Copy"))
  }

  @Test func linksAreFollowedUnlessForbidden() throws {
    let directory = try TemporaryDirectory()
    for name in ["from", "to"] { try directory.file(name) }
    symlink("to", directory.path("link"))
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "from", in: directory.root).status == 0)
    let refused = try Docsource.run("copy", "--no-dereference", "from", "link", in: directory.root)
    #expect(
      refused.errors == "docsource: link: cannot write document source: "
        + "Linux does not store user attributes on symbolic links\n")
    #expect(refused.status == 2)
    #expect(try Docsource.run("copy", "-q", "from", "link", in: directory.root).status == 0)
    #expect(try Docsource.run("show", "to", in: directory.root).status == 0)
    for names in [["from", "link"], ["link", "from"]] {
      #expect(try Execution.run(["rm", "-f", directory.path("to")]).status == 0)
      try directory.file("to")
      try Self.set("user.x", "61", directory.path("to"))
      let all = try Execution.run([Docsource.path, "copy", "-aq"] + names, in: directory.root)
      #expect(all.errors == "")
      #expect(all.status == 0)
    }
  }

  @Test func allAttributesAreCopiedByTheRules() throws {
    let directory = try TemporaryDirectory()
    for name in ["from", "to"] { try directory.file(name) }
    let (from, to) = (directory.path("from"), directory.path("to"))
    try Self.set("user.kept", "61", from)
    // /etc/xattr.conf of Debian has it skipped.
    try Self.set("user.Beagle.x", "62", from)
    try Self.set("user.mine", "63", to)
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", from).status == 0)
    let dry = try Docsource.run("copy", "-na", "from", "to", in: directory.root)
    #expect(dry.text == "to: would copy all attributes\n")
    #expect(dry.status == 0)
    let before = try FileState(to, except: [Self.native, "user.kept", "user.Beagle.x"])
    let copied = try Docsource.run("copy", "-a", "from", "none", "to", in: directory.root)
    #expect(copied.text == "to: copied all attributes\n")
    #expect(copied.status == 2)
    #expect(
      copied.errors
        == "docsource: none: cannot copy attributes: no such file or directory\(Self.purpose)\n")
    #expect(try Self.value(Self.native, to) == Self.value(Self.native, from))
    #expect(try Self.value("user.kept", to) == [0x61])
    #expect(try Self.value("user.Beagle.x", to) == nil)
    #expect(try FileState(to, except: [Self.native, "user.kept", "user.Beagle.x"]) == before)
  }

  /// A user may not write into the target.
  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func attributesThatMayNotBeWrittenAreReported() throws {
    let directory = try TemporaryDirectory(in: "/var/tmp/docsource-tests")
    chmod(directory.root, 0o755)
    for name in ["from", "to"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "from", in: directory.root).status == 0)
    for arguments in [["copy"], ["copy", "-a"]] {
      let copied = try Execution.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
          + arguments + ["from", "to"], in: directory.root)
      let what = arguments.count == 1 ? "write document source" : "copy attribute \(Self.native)"
      #expect(
        copied.errors == "docsource: to: cannot \(what): permission denied: "
          + "the file belongs to root; ask the owner, or root\n")
      #expect(copied.text == "")
      #expect(copied.status == 2)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func attributeThatOnlyRootMayWriteIsNamedAndTheOthersCopied() throws {
    let directory = try TemporaryDirectory(in: "/var/tmp/docsource-tests")
    chmod(directory.root, 0o755)
    for name in ["from", "to"] { try directory.file(name) }
    let to = directory.path("to")
    for name in ["user.a", "security.docsource", "user.z"] {
      try Self.set(name, "61", directory.path("from"))
    }
    #expect(try Execution.run(["chown", "65534", to]).status == 0)
    let copied = try Execution.run(
      [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path, "copy", "-a",
        "from", "to",
      ], in: directory.root)
    #expect(
      copied.errors == "docsource: to: cannot copy attribute security.docsource: "
        + "only root may write attributes of this kind\n")
    #expect(copied.text == "")
    #expect(copied.status == 2)
    #expect(try Self.value("user.a", to) == [0x61])
    #expect(try Self.value("user.z", to) == [0x61])
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func attributeThatHasNoRoomIsNamed() throws {
    let system = try FileSystem(.ext4)
    for (name, attribute, count) in [("from", "user.large", 3000), ("to", "user.own", 2000)] {
      let file = ["cp", "/etc/hostname", system.path(name)]
      #expect(try Execution.run(file).status == 0)
      let value = String(repeating: "61", count: count)
      try Self.set(attribute, value, system.path(name))
    }
    try Self.set("user.small", "61", system.path("from"))
    let copied = try Docsource.run("copy", "-a", "from", "to", in: system.root)
    #expect(
      copied.errors == "docsource: to: cannot copy attribute user.large: no space for the value "
        + "(ext4: about 4000 bytes for all attributes of a file, btrfs: 16206), "
        + "or the disk is full\n")
    #expect(copied.text == "")
    #expect(copied.status == 2)
    #expect(try Self.value("user.small", system.path("to")) == [0x61])
  }

  @Test(arguments: [
    (["copy"], "no file given"), (["copy", "a"], "no target given"),
  ])
  func fewerThanTwoFilesAreAWrongCommandLine(_ arguments: [String], _ message: String) throws {
    let copied = try Execution.run([Docsource.path] + arguments)
    #expect(copied.errors == "docsource: copy: \(message); see 'docsource help copy'\n")
    #expect(copied.status == 64)
  }

  @Test func dryRunFindsOutWhatIsMissing() throws {
    let directory = try TemporaryDirectory()
    try directory.file("from")
    let copied = try Docsource.run(
      "copy", "-an", "--no-dereference", "from", "none", in: directory.root)
    #expect(
      copied.errors
        == "docsource: none: cannot copy attributes: no such file or directory\(Self.purpose)\n")
    #expect(copied.text == "")
    #expect(copied.status == 2)
  }
}
