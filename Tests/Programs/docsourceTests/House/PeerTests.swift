import Foundation
import TestSupport
import Testing

/// What others write is read, and what we write others read.
@Suite struct PeerTests {
  private static let native = "user.x-document-source"
  private static let shownName = "Working Copy\n"

  private static let dictionary = """
    {'identifier': 'com.appliedphasor.working-copy', 'name': 'Working Copy', \
    'path': 'directory/filename.ext', 'appInfoURL': \
    'https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json'}
    """

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func expectWorkingCopy(_ path: String) throws {
    let shown = try Docsource.run("show", "--json", path)
    #expect(shown.status == 0)
    #expect(shown.errors == "")
    let object = try JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any]
    #expect(
      object?["source"] as? [String: String] == [
        "identifier": "com.appliedphasor.working-copy", "name": "Working Copy",
        "path": "directory/filename.ext",
        "appInfoURL":
          "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json",
      ])
  }

  @Test func valueWrittenBySetfattrIsRead() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let value = Self.hexadecimal(try Fixture.bytes("PropertyLists/four-keys.bplist"))
    #expect(
      try Execution.run(["setfattr", "-n", Self.native, "-v", value, path]).status == 0)
    try Self.expectWorkingCopy(path)
  }

  @Test func valueWrittenByPythonIsRead() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let script = """
      import os, plistlib, sys
      os.setxattr(sys.argv[1], 'user.x-document-source', \
      plistlib.dumps(\(Self.dictionary), fmt=plistlib.FMT_BINARY))
      """
    #expect(try Execution.run(["python3", "-c", script, path]).status == 0)
    try Self.expectWorkingCopy(path)
  }

  @Test func valueWrittenByGIOIsRead() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let escaped = try Fixture.bytes("PropertyLists/four-keys.bplist").map { byte in
      (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\\")
        ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let set = try Execution.run([
      "gio", "set", "-t", "string", path, "xattr::x-document-source", escaped,
    ])
    #expect(set.status == 0, "\(set.errors)")
    try Self.expectWorkingCopy(path)
  }

  @Test(arguments: ["default", "native", "interop", "plain", "stream"])
  func filesOfEverySambaShareAreRead(_ share: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("doc.txt")
    let dump = String(
      decoding: try Fixture.bytes("Samba/getfattr-\(share)-doc.txt"), as: UTF8.self)
    let lines = dump.split(separator: "\n").map {
      $0.hasPrefix("# file:") ? "# file: doc.txt" : String($0)
    }
    try directory.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "dump")
    let restored = try Execution.run(["setfattr", "--restore=dump"], in: directory.root)
    #expect(restored.status == 0, "\(restored.errors)")
    try Self.expectWorkingCopy(path)
  }

  @Test func whatTagWritesIsReadByPlistlibPlutilAndPlistutil() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    #expect(try Docsource.tag(path).status == 0)
    let value = try Execution.run(["getfattr", "-n", Self.native, "--only-values", path]).output
    try directory.write(value, to: "value.plist")
    let file = directory.path("value.plist")

    let plistlib = """
      import plistlib, sys
      sys.exit(plistlib.load(open(sys.argv[1], 'rb')) != \(Self.dictionary))
      """
    #expect(try Execution.run(["python3", "-c", plistlib, file]).status == 0)
    let plutil = try Execution.run(["plutil", "-extract", "name", "raw", "-o", "-", file])
    #expect(plutil.text.trimmingCharacters(in: .newlines) == "Working Copy")
    let plistutil = try Execution.run(["plistutil", "-i", file, "-o", directory.path("xml")])
    #expect(plistutil.status == 0)
    #expect(
      try directory.text("xml").contains("\t<key>name</key>\n\t<string>Working Copy</string>\n"))
  }

  @Test func xmlAndRawAreWhatPlistlibReads() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let script = """
      import datetime, os, plistlib, sys
      value = {'name': 'A & B <c> "d"\\r\\n\\t\u{20ac}', 'n': -5, 'big': 2**64 - 1, 'r': 1.5,
               'on': True, 'off': False, 'bytes': bytes(range(100)), 'empty': [],
               'when': datetime.datetime(1969, 2, 28, 23, 59, 59), 'nested': {'a': [1, {}]}}
      if sys.argv[2] == 'write':
          os.setxattr(sys.argv[1], 'user.x-document-source',
                      plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
      else:
          sys.exit(plistlib.loads(sys.stdin.buffer.read()) != value)
      """
    #expect(try Execution.run(["python3", "-c", script, path, "write"]).status == 0)
    for option in ["--xml", "--raw"] {
      let shown = try Docsource.run("show", option, path)
      #expect(shown.status == 0)
      #expect(shown.errors == "")
      let check = try Execution.run(
        ["python3", "-c", script, path, "check"].map { Array($0.utf8) }, input: shown.output)
      #expect(check.status == 0, "\(option): \(shown.text)")
    }
  }
}
