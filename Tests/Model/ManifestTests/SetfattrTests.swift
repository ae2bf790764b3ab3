import LinuxSystem
import Manifest
import TestSupport
import Testing
import Xattr

/// Dumps are read as the real setfattr reads them.
@Suite struct SetfattrTests {
  private static let values = [
    "", "\"\"", "\"", "\"a", "a\"", "\"a\"", "\"\"a", "  \"a\"", "\"a\" ", "plain\"x", "0", "00",
    "\"0x41\"", "\\", "\"\\", "\"\\\"", "\\\"", "\\\\", "\"\\\\\"", "\"a\\n\\18\"", "\\8\\400\\q",
    "\\1", "\\12", "\\123", "\\1234", "\\777", "a=b", "=", "ü\u{1}\t",
    "0x", "0X", "0x ", "0x6", "0x61", "0X6 162", "0x 61 6", "0x6 1", "0x61 ", "0x61\t\u{b}62",
    "0x6g", "0xAbCdEf", "0x-1", "0xü",
    "0s", "0S  ", "0sYQ==", "0s YQ==", "0sYQ== ", "0sYWJj ZGVm", "0sYWJj\tZA==", "0SYWI=",
    "0sYW JjZGVm", "0sYQ==YQ==", "0sYQ==YWJj", "0sYWI=YWI=", "0sYQ== Yg==", "0sYR==", "0sYW=j",
    "0sY===", "0sYQ=a", "0s=WJj", "0sYQ", "0sYWJjZA=", "0sYWJjZA===", "0sYWJj ZGV", "0s Y W J j",
    "0s-_==", "0s+/+/",
  ]

  @Test func valuesAreDecodedAsSetfattrDoes() throws {
    let directory = try TemporaryDirectory()
    var dump = ""
    for (number, value) in Self.values.enumerated() {
      try directory.file("f\(number)")
      dump += "# file: f\(number)\nuser.x-document-source=\(value)\n\n"
    }
    let restored = try Execution.run(
      ["setfattr", "--restore=-"], in: directory.root, input: Array(dump.utf8))
    let entries = Manifests.pieces(dump).compactMap { piece in
      if case .success(let entry) = piece { entry } else { nil }
    }
    let refused = Manifests.failures(dump)
    #expect(refused.count == restored.errors.split(separator: "\n").count)
    #expect(
      refused.allSatisfy { $0.hasSuffix("the value is not encoded as in a dump of getfattr") })
    #expect(entries.count + refused.count == Self.values.count)
    let name = try #require(AttributeName("user.x-document-source"))
    for (number, value) in Self.values.enumerated() {
      let file = FilePath(directory.path("f\(number)"))
      #expect(
        entries.first { $0.path == FilePath("f\(number)") }?.value
          == (try ExtendedAttributes(of: .path(file)).value(of: name)), "\(value)")
    }
  }

  /// The dump's names as setfattr takes them apart, seen by which files get a value.
  @Test(arguments: [
    "a\\012b", "\\141\\12x", "\\400", "\\", "a\\", "\\\\", "\\1411", " lead", "trail ", "\\8",
    "./a", "d/../a", "q\"q", "#", "# file: x", "a=b", "\u{1}\t",
  ])
  func namesAreDecodedAsSetfattrDoes(_ name: String) throws {
    let directory = try TemporaryDirectory()
    let dump = "# file: \(name)\nuser.x-document-source=1\n"
    guard case .success(let entry)? = Manifests.pieces(dump).first else {
      // A NUL, which setfattr takes for the end of the name.
      #expect(name == "\\400")
      return
    }
    let path = FilePath(directory.root).appending(entry.path)
    let made = try Execution.run(
      [Array("sh".utf8), Array("-c".utf8), Array("mkdir d && >\"$0\"".utf8), Array(path.bytes)],
      in: directory.root)
    #expect(made.status == 0)
    let restored = try Execution.run(
      ["setfattr", "--restore=-"], in: directory.root, input: Array(dump.utf8))
    #expect(restored.errors == "")
    #expect(restored.status == 0)
    let attribute = try #require(AttributeName("user.x-document-source"))
    #expect(try ExtendedAttributes(of: .path(path)).value(of: attribute) == [0x31])
  }
}
