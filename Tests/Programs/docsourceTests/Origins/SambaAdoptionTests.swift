import Foundation
import TestSupport
import Testing

/// Marks go to a real smbd and come from it.
@Suite struct SambaAdoptionTests {
  private static let native = "user.x-document-source"
  private static let stream = "user.DosStream.x-document-source:$DATA"

  @Test(.enabled(if: FileSystem.mayMount, "smbd needs root"))
  func whatStandsInADepotIsTracedAdoptedAndStripped() throws {
    let server = try SambaServer()
    let files = try TemporaryDirectory()
    let letter = try files.file("letter")
    let source = try Fixture.bytes("PropertyLists/four-keys.bplist")
    try files.write(source, to: "source")
    try files.write(Fixture.bytes("Quarantine/safari"), to: "quarantine")
    let commands = ["doc.txt", "dir\\other.txt"].map { name in
      "put \(letter) \(name); put \(files.path("source")) \"\(name):x-document-source\"; "
        + "put \(files.path("quarantine")) \"\(name):com.apple.quarantine\""
    }
    let written = try server.client(.depot, "mkdir dir; " + commands.joined(separator: "; "))
    #expect(written.status == 0, "\(written.text)\(written.errors)")

    let document = server.path(.depot, "doc.txt")
    let traced = try Execution.run([Docsource.path, "trace", "--no-recent", "--json", document])
    #expect(traced.text.contains(#""name":"Working Copy""#), "\(traced.text)")
    #expect(traced.text.contains(#""agent":"Safari""#))
    #expect(traced.text.contains(#""form":"sambaDepot""#))
    #expect(try Docsource.run("adopt", document).status == 0)
    #expect(try MarkedFile(document).all()[Self.native] == source)
    let gone = try server.client(.depot, "get \"doc.txt:x-document-source\" \(files.path("gone"))")
    #expect(gone.status != 0)

    let other = server.path(.depot, "dir/other.txt")
    #expect(try Docsource.run("strip", other).status == 0)
    let stripped = try Execution.run([Docsource.path, "trace", "--no-recent", other])
    #expect(stripped.status == 1, "\(stripped.text)")
  }

  @Test(.enabled(if: FileSystem.mayMount, "smbd needs root"))
  func whatClientsWriteIsAdoptedAndWhatIsEmittedIsRead() throws {
    let server = try SambaServer()
    let files = try TemporaryDirectory()
    let letter = try files.file("letter")
    let source = try Fixture.bytes("PropertyLists/four-keys.bplist")
    try files.write(source, to: "source")
    let put = ["doc.txt", "other.txt"].map { name in
      "put \(letter) \(name); put \(files.path("source")) \"\(name):x-document-source\""
    }
    let written = try server.client(.default, put.joined(separator: "; "))
    #expect(written.status == 0, "\(written.text)\(written.errors)")

    let document = server.path(.default, "doc.txt")
    let adopted = try Docsource.run("adopt", document)
    #expect(adopted.text == "\(document): adopted: x-document-source (\(Self.stream))\n")
    #expect(adopted.errors == "")
    #expect(adopted.status == 0)
    #expect(try MarkedFile(document).all()[Self.native] == source)

    let converted = try server.net("vfs", "stream2adouble", "default", "other.txt")
    #expect(converted.status == 0, "\(converted.errors)")
    let other = server.path(.default, "other.txt")
    #expect(
      try Docsource.run("adopt", other).text
        == "\(other): adopted: x-document-source (._other.txt)\n")
    #expect(try MarkedFile(other).all()[Self.native] == source)

    // With the file beside it alone, Samba makes a stream of that when a Mac looks.
    #expect(try Docsource.run("emit", "--apple-double", document).status == 0)
    #expect(try Execution.run(["setfattr", "-x", Self.native, document]).status == 0)
    let back = files.path("back")
    let listed = try server.listAsMac(.default)
    #expect(listed.errors == "", "\(listed)")
    #expect(listed.text.contains("\ndoc.txt\n"), "\(listed)")
    let read = try server.client(.default, "get \"doc.txt:x-document-source\" \(back)")
    #expect(read.status == 0, "\(read.text)\(read.errors)")
    #expect(try files.bytes("back") == source)
    #expect(try MarkedFile(document).all()[Self.stream] == source + [0])
  }
}
