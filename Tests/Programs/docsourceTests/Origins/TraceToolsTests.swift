import TestSupport
import Testing

/// Marks that real programs leave are traced.
@Suite struct TraceToolsTests {
  private static let source = """
      Source       "Working Copy" ("com.appliedphasor.working-copy"), "directory/filename.ext"

    """

  private static func trace(_ path: String, _ options: String...) throws -> Execution {
    try Execution.run([Docsource.path, "trace", "--no-recent"] + options + [path])
  }

  @Test(.enabled(if: FileSystem.mayMount, "smbd needs root"))
  func whatAClientWritesToSambaIsTracedAndWhatIsTaggedReadBack() throws {
    let server = try SambaServer()
    let files = try TemporaryDirectory()
    let letter = try files.file("letter")
    let streams = [
      "x-document-source": try Fixture.bytes("PropertyLists/four-keys.bplist"),
      "com.apple.quarantine": try Fixture.bytes("Quarantine/safari"),
      "Zone.Identifier": try Fixture.bytes("ZoneIdentifier/browser.txt"),
    ]
    for share in SambaServer.Share.allCases where share != .depot {
      var commands = "put \(letter) doc.txt"
      for (name, bytes) in streams {
        try files.write(bytes, to: name)
        commands += "; put \(files.path(name)) \"doc.txt:\(name)\""
      }
      let client = try server.client(share, commands)
      #expect(client.status == 0, "\(share): \(client.errors)")
      let path = server.path(share, "doc.txt")
      func carrier(_ name: String) -> String {
        share == .interop ? "user.\(name)" : "user.DosStream.\(name):$DATA"
      }
      let traced = try Self.trace(path)
      #expect(
        traced.text == """
          \(path): from "Working Copy", downloaded from example.com by "Safari" on 2020-11-12
          \(Self.source)    \(carrier("x-document-source"))
            Quarantine   "Safari", 2020-11-12T12:27:26Z, downloaded, by a sandboxed application
              \(carrier("com.apple.quarantine"))
            Zone         Internet, "https://example.com/downloads/report.pdf", linked from \
          "https://example.com/downloads/"
              \(carrier("Zone.Identifier"))

          """, "\(share)")
      #expect(traced.errors == "")
      #expect(traced.status == 0)
      let raw = try Self.trace(path, "--raw", carrier("com.apple.quarantine"))
      #expect(try raw.output == Fixture.bytes("Quarantine/safari") + [0])

      #expect(try Docsource.run("tag", "-q", "--app-name", "Renamed", path).status == 0)
      let back = files.path("back")
      let read = try server.client(share, "get \"doc.txt:x-document-source\" \(back)")
      #expect(read.status == 0, "\(read.errors)")
      let ours = try Execution.run([
        "getfattr", "--only-values", "-n", "user.x-document-source", path,
      ]).output
      // Where the stream has the native name, the NUL after it is Samba's.
      #expect(try files.bytes("back") == (share == .interop ? Array(ours.dropLast()) : ours))
    }
  }

  @Test(.enabled(if: FileSystem.mayMount, "smbd needs root"))
  func sambasOwnAppleDoubleIsTraced() throws {
    let server = try SambaServer()
    let files = try TemporaryDirectory()
    let letter = try files.file("letter")
    try files.write(Fixture.bytes("PropertyLists/four-keys.bplist"), to: "source")
    let client = try server.client(
      .default,
      "put \(letter) doc.txt; put \(files.path("source")) \"doc.txt:x-document-source\"")
    #expect(client.status == 0, "\(client.errors)")
    let converted = try server.net("vfs", "stream2adouble", "default", "doc.txt")
    #expect(converted.status == 0, "\(converted.errors)")
    let path = server.path(.default, "doc.txt")
    let traced = try Self.trace(path)
    #expect(
      traced.text == """
        \(path): from "Working Copy"
        \(Self.source)    ._doc.txt:x-document-source (in another file; may belong to an earlier file of this name)

        """)
    #expect(
      try Self.trace(path, "--raw", "._doc.txt:x-document-source").output
        == Fixture.bytes("PropertyLists/four-keys.bplist"))
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"), arguments: NTFSVolume.Streams.allCases
  )
  func streamsOfNTFSAreTraced(_ streams: NTFSVolume.Streams) throws {
    let volume = try NTFSVolume(streams)
    let path = volume.path("doc.txt")
    let prefix = streams == .attributes ? "user." : "doc.txt:"
    let traced = try Self.trace(path)
    #expect(
      traced.text == """
        \(path): from "Working Copy", downloaded from example.com
        \(Self.source)    \(prefix)x-document-source
          Zone         Internet, "https://example.com/downloads/report.pdf", linked from \
        "https://example.com/downloads/"
            \(prefix)Zone.Identifier

        """)
    #expect(traced.errors == "")
    #expect(traced.status == 0)
    let form = streams == .attributes ? "attribute" : "stream"
    #expect(
      try Self.trace(path, "--json").text.contains("\"form\":\"\(form)\",\"trust\":\"claim\""))
  }

  @Test func whatCurlAndWgetLeaveIsTraced() throws {
    let authority = try CertificateAuthority()
    let server = try LoopbackServer(
      authority.identity(for: ["localhost"]), files: ["a.json": Array("{}".utf8)])
    let url = "https://localhost:\(server.port)/a.json"
    let directory = try TemporaryDirectory()
    let (curled, gotten) = (directory.path("curl.json"), directory.path("wget.json"))
    let curl = try Execution.run([
      "curl", "-sS", "--cacert", authority.certificate, "--xattr", "-e", "https://example.com/page",
      "-o", curled, url,
    ])
    #expect(curl.errors == "")
    #expect(curl.status == 0)
    #expect(
      try Self.trace(curled).text == """
        \(curled): downloaded from localhost
          Origin       "\(url)"
            user.xdg.origin.url
          Referrer     "https://example.com/page"
            user.xdg.referrer.url
          Media type   "application/json"
            user.mime_type

        """)
    // Newer ones than Debian's leave their name.
    let named = try Execution.run(["setfattr", "-n", "user.creator", "-v", "curl", curled])
    #expect(named.status == 0)
    #expect(
      try Self.trace(curled).text.hasPrefix("\(curled): downloaded from localhost by \"curl\"\n"))
    let wget = try Execution.run([
      "wget", "-q", "--ca-certificate", authority.certificate, "--xattr", "-O", gotten, url,
    ])
    #expect(wget.errors == "")
    #expect(wget.status == 0)
    #expect(
      try Self.trace(gotten).text == """
        \(gotten): downloaded from localhost
          Origin       "\(url)"
            user.xdg.origin.url

        """)
  }

  /// The names and what stands in them are those of yt-dlp's XAttrMetadataPP.
  @Test func whatYtDlpLeavesIsTraced() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("video.webm")
    let values = [
      ("user.xdg.referrer.url", "https://video.example.org/watch?v=1"),
      ("user.dublincore.title", "A title"), ("user.dublincore.date", "2020-11-12"),
      ("user.dublincore.contributor", "Somebody"), ("user.dublincore.description", "Words"),
      ("user.dublincore.format", "247+251"),
    ]
    for (name, value) in values {
      #expect(try Execution.run(["setfattr", "-n", name, "-v", value, path]).status == 0)
    }
    #expect(
      try Self.trace(path).text == """
        \(path): downloaded from video.example.org
          Referrer     "https://video.example.org/watch?v=1"
            user.xdg.referrer.url
          Contributor  "Somebody"
            user.dublincore.contributor
          Date         "2020-11-12"
            user.dublincore.date
          Description  "Words"
            user.dublincore.description
          Format       "247+251"
            user.dublincore.format
          Title        "A title"
            user.dublincore.title

        """)
  }
}
