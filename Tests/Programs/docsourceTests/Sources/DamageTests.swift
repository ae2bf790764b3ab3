import TestSupport
import Testing

/// Kinds of values of the attribute differ in words and by status.
@Suite struct DamageTests {
  private static func file(_ directory: TemporaryDirectory, _ script: String) throws -> String {
    let path = try directory.file("file")
    let set = """
      import os, plistlib, sys
      binary = lambda value: plistlib.dumps(value, fmt=plistlib.FMT_BINARY)
      os.setxattr(sys.argv[1], 'user.x-document-source', \(script))
      """
    let execution = try Execution.run(["python3", "-c", set, path])
    #expect(execution.status == 0, "\(execution.errors)")
    return path
  }

  @Test(arguments: [
    ("b''", 1, "no document source: the attribute is empty"),
    ("b'\\0'", 1, "no document source: the attribute is empty"),
    (
      "binary([1])", 1,
      "no document source: the attribute holds an array, not a dictionary"
    ),
    (
      "binary('x')", 1,
      "no document source: the attribute holds a string, not a dictionary"
    ),
    (
      "binary({})", 1,
      "no document source: the attribute has no string value for identifier, name, path, appInfoURL"
    ),
    (
      "binary({'name': 5, 'path': [], 'other': 'x'})", 1,
      "no document source: the attribute has no string value for identifier, name, path, appInfoURL"
        + " (name is an integer, not a string, path is an array, not a string)"
    ),
    (
      "plistlib.dumps({'name': 'x'})[:-10]", 2,
      "cannot read document source: the attribute is damaged: an XML property list,"
        + " not a binary property list (at byte 0)"
    ),
    (
      "b'{\"name\": \"x\"}'", 2,
      "cannot read document source: the attribute is damaged: JSON or an old-style property"
        + " list, not a binary property list (at byte 0)"
    ),
    (
      "b'Working Copy is the application'", 2,
      "cannot read document source: the attribute is damaged: plain text,"
        + " not a binary property list (at byte 0)"
    ),
    (
      "bytes(range(128, 228))", 2,
      "cannot read document source: the attribute is damaged:"
        + " not a binary property list (at byte 0)"
    ),
  ])
  func contentIsDistinguished(_ script: String, _ status: Int32, _ words: String) throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(directory, script)
    let shown = try Docsource.run("show", path)
    #expect(shown.text == "")
    #expect(shown.errors == "docsource: \(path): \(words)\n")
    #expect(shown.status == status)
    let json = try Docsource.run("show", "--json", path)
    let key = status == 1 ? "reason" : "error"
    let quoted = words.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\\\"")
    #expect(json.text == "{\"file\":\"\(path)\",\"source\":null,\"\(key)\":\"\(quoted)\"}\n")
    #expect(json.status == status)
    #expect(try Docsource.run("show", "--quiet", path).status == status)
  }

  /// A key that is none of the four fields comes twice: `plist show` tells the same.
  @Test func flawBesideTheFieldsIsReported() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(
      directory, "binary({'identifier': 'a.b', 'x1': 1, 'x2': 2}).replace(b'x2', b'x1')")
    for arguments in [["--json"], ["--field", "identifier"]] {
      let shown = try Execution.run([Docsource.path, "show"] + arguments + [path])
      #expect(shown.status == 0)
      #expect(
        shown.errors.hasPrefix("docsource: \(path): the attribute is not well-formed: "),
        "\(shown.errors)")
    }
  }

  @Test func mistypedKeyBesideAGoodOneIsReported() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(directory, "binary({'identifier': 'a.b', 'name': 5})")
    let shown = try Docsource.run("show", "--field", "identifier", path)
    #expect(shown.text == "a.b\n")
    #expect(shown.errors == "docsource: \(path): name is an integer, not a string; ignored\n")
    #expect(shown.status == 0)
  }

  @Test func truncatedValueIsDamagedAndKeptUnlessReplaced() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(directory, "binary({'name': 'Working Copy'})[:-9]")
    let before = try FileState(path)
    let tagged = try Docsource.run("tag", "--identifier", "a.b", path)
    #expect(tagged.status == 2)
    #expect(
      tagged.errors.hasPrefix(
        "docsource: \(path): cannot write document source: the attribute is damaged: "))
    #expect(tagged.errors.hasSuffix("; use --replace to overwrite the value\n"))
    #expect(try FileState(path) == before)
    #expect(try Docsource.run("tag", "--replace", "-i", "a.b", path).status == 0)
    #expect(try Docsource.run("show", "--field", "identifier", path).text == "a.b\n")
  }

  @Test func damagedValueIsStillShownRawAndRemoved() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(directory, "b'garbage'")
    let shown = try Docsource.run("show", "--raw", path)
    #expect(shown.text == "garbage")
    #expect(shown.status == 0)
    #expect(try Docsource.run("remove", path).status == 0)
    #expect(try Docsource.run("show", path).status == 1)
  }

  /// An unknown key holds what no property list may: the fields are read, the whole is not.
  @Test func damageBesideTheFieldsStopsWhatReadsTheWhole() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(
      directory, "binary({'name': 'Bob', 'zz': True}).replace(b'\\x09\\x08', b'\\x70\\x08')")
    #expect(try Docsource.run("show", "--field", "name", path).text == "Bob\n")
    for (arguments, operation, hint) in [
      (["show", "--xml"], "read", ""),
      (["tag", "-i", "a.b"], "write", "; use --replace to overwrite the value"),
    ] {
      let execution = try Execution.run([Docsource.path] + arguments + [path])
      #expect(execution.text == "")
      #expect(
        execution.errors
          == "docsource: \(path): cannot \(operation) document source: the attribute is damaged:"
          + " unknown object type 70 (at byte 25)\(hint)\n")
      #expect(execution.status == 2)
    }
  }

  @Test func quietSaysNothingOfAMistypedKey() throws {
    let directory = try TemporaryDirectory()
    let path = try Self.file(directory, "binary({'identifier': 'a.b', 'name': 5})")
    let shown = try Docsource.run("show", "--quiet", path)
    #expect(shown.text == "")
    #expect(shown.errors == "")
    #expect(shown.status == 0)
  }

  /// 14,000 references to one string of 30,000 characters: 44 KB that would print as 420 MB.
  @Test func attributeThatWouldGrowIsRefusedBeforeItDoes() throws {
    let directory = try TemporaryDirectory(in: "/dev/shm")
    let path = try directory.file("file")
    let list = try Fixture.bytes("PropertyLists/expansion-of-text.bplist")
    try directory.write(list, to: "list")
    let set = """
      import os, sys
      os.setxattr(sys.argv[1], 'user.x-document-source', open(sys.argv[2], 'rb').read())
      """
    #expect(
      try Execution.run(["python3", "-c", set, path, directory.path("list")]).status == 0)
    let tagged = try Docsource.run("tag", "--app-name", "x", path)
    #expect(
      tagged.errors
        == "docsource: \(path): cannot write document source: the attribute is damaged:"
        + " shared objects expand to too many values (at byte 14012); use --replace"
        + " to overwrite the value\n"
    )
    #expect(tagged.status == 2)
    #expect(try Docsource.run("show", path).status == 1)
  }
}
