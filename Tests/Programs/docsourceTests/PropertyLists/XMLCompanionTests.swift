import BinaryPropertyList
import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource-xml`, which reads untrusted XML for root.
@Suite(.enabled(if: geteuid() == 0, "becoming another user needs root"))
struct XMLCompanionTests {
  private static let program = Docsource.path + "-xml"

  private static func lines(_ identifier: pid_t) -> [String: String] {
    let text = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2
        ? (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The lines of a program that waits for its input in the sandbox.
  private static func statusInSandbox(_ program: HeldProgram) throws -> [String: String] {
    var lines: [String: String] = [:]
    try Patience.wait {
      lines = Self.lines(program.identifier)
      return lines["Seccomp"] == "2" && lines["State"]?.hasPrefix("S") == true
    }
    return lines
  }

  /// osxmetadata's and the attribute's own original reader take XML too.
  @Test func attributeInXMLIsShownAndTraced() throws {
    let place = try TemporaryDirectory()
    let path = try place.file("letter")
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>identifier</key><string>org.example.editor</string>
      <key>when</key><date>0000-12-30T00:00:00Z</date></dict></plist>
      """
    let set = try Execution.run(["setfattr", "-n", "user.x-document-source", "-v", xml, path])
    #expect(set.status == 0, "\(set.errors)")
    let shown = try Docsource.run("show", "--json", path)
    #expect(
      shown.text
        == #"{"file":"\#(path)","source":{"identifier":"org.example.editor"},"#
        + #""carrier":"user.x-document-source"}"# + "\n")
    #expect(shown.errors == "")
    #expect(shown.status == 0)
    #expect(
      try Docsource.run("show", "--xml", path).text
        .contains("<date>0000-12-30T00:00:00Z</date>"))
    #expect(try Docsource.run("show", "--raw", path).text == xml)
    #expect(
      try Execution.run([Docsource.path, "trace", "--no-recent", path]).text == """
        \(path): from "org.example.editor"
          Source       "org.example.editor"
            user.x-document-source

        """)
  }

  /// Files with XML in the attribute, and the names of those who want an application.
  private static func tree(_ names: [String], _ xml: String? = nil) throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    for name in names {
      let value =
        xml ?? "<plist><dict><key>identifier</key><string>com.x.\(name)</string></dict></plist>"
      let file = try MarkedFile(try place.file(name))
      try file.set(Array(value.utf8), "user.x-document-source")
    }
    return place
  }

  private static func output(
    _ place: TemporaryDirectory, _ arguments: String..., status: Int32 = 0
  ) throws -> String {
    let run = try Execution.run([Docsource.path] + arguments, in: place.root)
    #expect(run.errors == "")
    #expect(run.status == status)
    return run.text
  }

  @Test func attributeInXMLIsReadByAllVerbs() throws {
    let place = try Self.tree(["a", "b"])
    try place.file("c")
    #expect(try Self.output(place, "find", "--sort") == "a\nb\n")
    #expect(try Self.output(place, "find", "-i", "com.x.b") == "b\n")
    #expect(try Self.output(place, "find", "--count", "--untagged", "-tf") == "1\n")
    #expect(try Self.output(place, "find", "--damaged", status: 1) == "")
    #expect(
      try Self.output(place, "find", "--summary", "--json", "-tf") == """
        {"state":"tagged","identifier":"com.x.a","count":1}
        {"state":"tagged","identifier":"com.x.b","count":1}
        {"state":"untagged","count":1}
        {"state":"damaged","count":0}

        """)
    let xml = "<plist><dict><key>identifier</key><string>com.x.a</string></dict></plist>"
    let value = Data(xml.utf8).base64EncodedString()
    let line = #"{"file":"a","source":{"identifier":"com.x.a"},"value":"\#(value)"}"# + "\n"
    #expect(try Self.output(place, "export", "a") == line)
    let imported = try Execution.run(
      [Docsource.path, "import", "-q", "-"], in: place.root, input: Array(line.utf8))
    #expect(imported.status == 0 && imported.errors == "", "\(imported.errors)")
    #expect(try Self.output(place, "copy", "a", "c") == "c: copied: com.x.a\n")
    #expect(try Self.output(place, "emit", "--xdg", "a") == "a: wrote: user.creator\n")
    #expect(try Self.output(place, "tag", "--app-name", "X", "a") == "a: tagged: X (com.x.a)\n")
    #expect(
      try Self.output(place, "tag", "-qr", "--if-identifier", "com.x.b", "-i", "com.y", ".") == "")
    #expect(
      try Self.output(place, "show", "a", "b", "c")
        == "a: X (com.x.a)\nb: com.y\nc: com.x.a\n")
    #expect(
      try Self.output(place, "remove", "-qr", "--identifier", "com.x.*", ".") == "")
    #expect(try Self.output(place, "find") == "b\n")
  }

  @Test func manyValuesInXMLStartNoProgram() throws {
    let place = try Self.tree((0..<300).map { "f\($0)" })
    let traced = try Execution.run(
      ["strace", "-f", "-qq", "-e", "trace=execve", Docsource.path, "find", "-c", "-i", "com.x.*"],
      in: place.root)
    #expect(traced.text == "300\n")
    let programs = traced.errors.split(separator: "\n").filter { $0.contains("execve(") }
    #expect(programs.count == 1, "\(traced.errors)")
  }

  @Test func listInXMLThatCannotBeReadIsDamagedToAll() throws {
    let place = try Self.tree(["a"], "<plist><dict><key>identifier</key>")
    #expect(try Self.output(place, "find", "--damaged") == "a\n")
    let words =
      "the attribute is damaged: an XML property list, not a binary property list (at byte 0)"
    for (verb, operation) in [(["show"], "read"), (["tag", "-i", "a.b"], "write")] {
      let run = try Execution.run([Docsource.path] + verb + ["a"], in: place.root)
      #expect(run.status == 2)
      #expect(run.errors.hasPrefix("docsource: a: cannot \(operation) document source: \(words)"))
    }
  }

  @Test(arguments: [("metainfo", "33554432"), ("recently-used", "5242880")])
  func rightsAreGivenUpBeforeAnythingIsRead(_ verb: String, _ fileSize: String) throws {
    let program = try HeldProgram(
      ["setpriv", "--groups", "1,2", Self.program, verb, "-"], at: .input)
    let lines = try Self.statusInSandbox(program)
    let none = "0000000000000000"
    for (key, value) in [
      ("Uid", "65534\t65534\t65534\t65534"), ("Gid", "65534\t65534\t65534\t65534"), ("Groups", ""),
      ("CapInh", none), ("CapPrm", none), ("CapEff", none), ("CapAmb", none), ("NoNewPrivs", "1"),
      ("Seccomp", "2"), ("Threads", "1"),
    ] {
      #expect(lines[key] == value, "\(key)")
    }
    let directory = "/proc/\(program.identifier)"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(directory)/fd").sorted()
        == ["0", "1", "2"])
    let limits = try String(contentsOfFile: "\(directory)/limits", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    for (name, soft) in [
      ("cpu time", "5"), ("file size", fileSize), ("address space", "268435456"),
      ("open files", "0"), ("processes", "0"), ("core file size", "0"),
    ] {
      let words = "Max \(name)".split(separator: " ")
      let line = limits.first { $0.starts(with: words) }
      #expect(line.map { String($0[words.count]) } == soft, "\(name)")
    }
  }

  /// As in containers: a user namespace of one user, and capabilities that were taken away.
  private static let containers = [
    ["unshare", "--map-root-user"], ["setpriv", "--bounding-set=-setuid,-setgid"],
  ]

  @Test(arguments: containers)
  func rootThatCannotBecomeNobodyReadsXML(_ container: [String]) throws {
    let files = PropertyList.array([.data(Array("<component><id>a</id></component>".utf8))])
    let read = try Execution.run(
      container + [Self.program, "metainfo", "-"], input: try files.binary())
    #expect(read.errors == "")
    #expect(read.status == 0)
    #expect(
      try PropertyList(binary: read.output) == .array([.dictionary(["id": .string("a")])]))
  }

  /// A user with capabilities of the ambient set, as a service may be.
  private static let capable = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
  ]

  @Test(arguments: zip(containers + [capable], ["0", "0", "65534"]))
  func whoeverDoesNotBecomeNobodyGivesUpAllElse(_ container: [String], _ user: String) throws {
    let program = try HeldProgram(container + [Self.program, "metainfo", "-"], at: .input)
    let lines = try Self.statusInSandbox(program)
    let none = "0000000000000000"
    for (key, value) in [
      ("Uid", [user, user, user, user].joined(separator: "\t")), ("CapInh", none), ("CapPrm", none),
      ("CapEff", none), ("CapAmb", none), ("NoNewPrivs", "1"), ("Seccomp", "2"), ("Threads", "1"),
    ] {
      #expect(lines[key] == value, "\(key)")
    }
  }

  /// As much as there ever is, in the memory that it has.
  @Test func asMuchAsThereEverIsIsRead() throws {
    let text = String(repeating: "<p>\(String(repeating: "text ", count: 2000))</p>", count: 100)
    let file = Array("<component><id>a</id>\(text)</component>".utf8)
    let files = PropertyList.array((0..<16).map { .data(file + Array("<!--\($0)-->".utf8)) })
    let read = try Execution.run([Self.program, "metainfo", "-"], input: try files.binary())
    #expect(read.errors == "")
    #expect(read.status == 0)
    let description = PropertyList.dictionary(["id": .string("a")])
    #expect(
      try PropertyList(binary: read.output) == .array(Array(repeating: description, count: 16)))
  }

  @Test func propertyListOfAMillionValuesIsRead() throws {
    let xml =
      "<plist><array>" + String(repeating: "<array/>", count: 1_000_000) + "</array></plist>"
    let read = try Execution.run(
      [Docsource.path, "plist", "encode"], input: Array(xml.utf8))
    #expect(read.errors == "")
    #expect(read.status == 0)
    let value = PropertyList.array(Array(repeating: .array([]), count: 1_000_000))
    #expect(try PropertyList(binary: read.output) == value)
  }

  @Test func inputThatIsNoListOfFilesIsRefused() throws {
    let read = try Execution.run([Self.program, "metainfo", "name"], input: Array("<a/>".utf8))
    #expect(read.output == [])
    #expect(read.status == 2)
    #expect(read.errors.hasPrefix("docsource: name: cannot read AppStream metainfo: "))
  }
}
