import DocumentSource
import LinuxSystem
import Manifest
import Testing

/// What is read of manifests, whoever made them.
@Suite struct ManifestReaderTests {
  @Test func sourceWithoutValueIsEncoded() throws {
    let source = DocumentSource(identifier: "a.b", name: "ü")
    let pieces = Manifests.pieces(
      #"""

      {"source": {"name": "ü", "identifier": "a.b"}, "carrier": 5, "file": "a"}
        {"file":"b","value":"AQI="}
      """#)
    #expect(
      try pieces.map { try $0.get() } == [
        Manifests.entry("a", try source.encoded()), Manifests.entry("b", [1, 2]),
      ])
  }

  @Test(arguments: [
    (#"{"file":"a"}"#, #""value" is missing, and there is no "source""#),
    (#"{"value":""}"#, #""file" is missing"#),
    (#"{"file":5,"value":""}"#, #""file" is not a string"#),
    (#"{"file":"a","value":"A"}"#, #""value" is not Base64"#),
    (#"{"file":"a","value":"AR=="}"#, #""value" is not Base64"#),
    (#"{"file":"a","value":null}"#, #""value" is not a string"#),
    (#"{"fileBase64":"?","value":""}"#, #""fileBase64" is not Base64"#),
    (#"{"file":"b","fileBase64":"YQ==","value":""}"#, #""file" differs from "fileBase64""#),
    (#"{"file":"a\u0000b","value":""}"#, "the file name contains a NUL character"),
    (#"{"fileBase64":"AA==","value":""}"#, "the file name contains a NUL character"),
    (#"{"file":"a","source":[]}"#, #""source" is not an object"#),
    (#"{"file":"a","source":[],"value":""}"#, #""source" is not an object"#),
    (#"{"file":"a","source":{}}"#, #""source" has no field"#),
    (#"{"file":"a","source":{"nmae":"x"}}"#, #""source" has an unknown field "nmae""#),
    (#"{"file":"a","source":{"name":7}}"#, #""name" is not a string"#),
    (
      #"{"file":"a","source":{"name":"x"},"value":"AQI="}"#,
      #""source" and "value" disagree; remove "value" to use the source"#
    ),
    (
      #"{"file":"a","source":{"name":"\u0000"}}"#,
      #""name" cannot be written: contains a NUL character"#
    ),
    (
      #"{"file":"a","source":{"appInfoURL":"http://a.b/"}}"#,
      #""appInfoURL" cannot be written: the scheme 'http' is not https"#
    ),
    ("[]", "not a JSON object: found an array (column 1)"),
    ("<<<<<<< HEAD", "not a JSON object: '[' or '{' expected near '<' (column 1)"),
    (
      #"{"file":"a","file":"b"}"#,
      "not a JSON object: duplicate object key near '\"file\"' (column 18)"
    ),
    (#"{"file":"a"} x"#, "not a JSON object: end of file expected near 'x' (column 14)"),
    (
      #"{"file":"\ud800","value":""}"#,
      #"not a JSON object: invalid Unicode '\uD800' near '"\ud800"' (column 16)"#
    ),
    ("{\"file\":\"\u{0}\"}", "not a JSON object: control character 0x0 near '\"' (column 9)"),
  ])
  func flawInALineOfJSONIsReportedAndTheRestRead(_ line: String, _ reason: String) throws {
    let pieces = Manifests.pieces(
      "{\"file\":\"x\",\"value\":\"\"}\n\n\(line)\n{\"file\":\"y\",\"value\":\"\"}")
    #expect(pieces.count == 3)
    #expect(try pieces.first?.get() == Manifests.entry("x", []))
    #expect(try pieces.last?.get() == Manifests.entry("y", []))
    guard case .failure(let failure) = pieces[1] else {
      Issue.record("\(line) is read")
      return
    }
    #expect(failure.description == "line 3: \(reason)")
    #expect(!failure.isFinal)
  }

  @Test(arguments: [
    ("hello\n# file: a\n", ManifestFailure.Reason.unknownFormat, 1),
    ("\n\n\u{0}\n", .unknownFormat, 3),
    ("# owner: a\n", .noFileName, 1),
    ("# file: a\n\nuser.x=1\n# file: b\n", .noFileName, 3),
    ("# file: a\nuser.x=1\n# file: b\n", .secondFileName, 3),
  ])
  func afterAFlawInTheFormNothingIsRead(
    _ text: String, _ reason: ManifestFailure.Reason, _ line: Int
  ) {
    #expect(Manifests.pieces(text) == [.failure(ManifestFailure(line: line, reason: reason))])
  }

  @Test func insecureURLIsReadWhereTheRulesAllowIt() throws {
    let text = #"{"file":"a","source":{"appInfoURL":"http://a.b/"}}"#
    guard case .failure(let failure) = Manifests.pieces(text).first else {
      Issue.record("it is read without")
      return
    }
    #expect(failure.remedy == .anyScheme)
    let pieces = Manifests.pieces(Array(text.utf8), rules: WritingRules(schemes: .any))
    let value = try DocumentSource(appInfoURL: "http://a.b/").encoded()
    #expect(pieces == [.success(Manifests.entry("a", value))])
  }

  @Test func emptyManifestHasNoEntry() {
    for text in ["", "\n", "\r\n \n\t", "\u{feff}", "# file: a", "# file: a\n\n\n\n# file: b\n"] {
      #expect(Manifests.pieces(text) == [], "\(text.debugDescription)")
    }
  }

  @Test func otherAttributesOfADumpArePassedOver() {
    let text = """
      # file: a
      user.other="x"
      user.x-document-source="1"
      user.x-document-source-2=bad\\

      # file: b
      security.selinux=0sbad

      # file: c
      user.x\\055document-source
      """
    #expect(
      Manifests.pieces(text) == [
        .success(Manifests.entry("a", [0x31])), .success(Manifests.entry("c", [])),
      ])
  }

  @Test func badValueOrNameInADumpIsReportedAndTheRestRead() {
    let text = """
      # file: a
      user.x-document-source=0xf

      # file: b\\000
      user.other=1

      # file: c
      user.x-document-source=0x66
      """
    #expect(
      Manifests.pieces(text) == [
        .failure(ManifestFailure(line: 2, reason: .badEncoding)),
        .failure(ManifestFailure(line: 4, reason: .badFileName)),
        .success(Manifests.entry("c", [0x66])),
      ])
  }

  @Test(arguments: [0, 1, 4095, 1 << 16])
  func lineBeyondTheLimitIsRefusedAndTheNextRead(_ excess: Int) {
    let line = Array(repeating: UInt8(ascii: "a"), count: ManifestReader.lineLimit + 1 + excess)
    let text = Array("{\"file\":\"x\",\"value\":\"\"}\n".utf8) + line
    let refused = Manifests.Piece.failure(ManifestFailure(line: 2, reason: .lineTooLong))
    let x = Manifests.Piece.success(Manifests.entry("x", []))
    #expect(Manifests.pieces(text) == [x, refused])
    #expect(
      Manifests.pieces(text + Array("\n{\"file\":\"x\",\"value\":\"\"}".utf8)) == [x, refused, x])
  }

  @Test func deepNestingIsRefused() {
    let deep = String(repeating: "[", count: 500_000)
    #expect(
      Manifests.failures("{\"file\":\(deep)\n")
        == ["line 1: not a JSON object: maximum parsing depth reached near '[' (column 2056)"])
  }

  @Test func failureToReadIsFinal() {
    var blocks: [[UInt8]] = [Array("{\"file\":\"x\",\"value\":\"\"}\n{".utf8)]
    var reader = ManifestReader { () throws(Errno) in
      guard let block = blocks.popLast() else { throw .inputOutput }
      return block
    }
    var failure: ManifestFailure?
    var entries = 0
    do throws(ManifestFailure) {
      while try reader.next() != nil { entries += 1 }
    } catch {
      failure = error
    }
    #expect(entries == 1)
    #expect(failure == ManifestFailure(line: 2, reason: .unreadable(.inputOutput)))
    #expect(failure?.description == "line 2: cannot read: input/output error")
    #expect(failure?.isFinal == true)
  }

  @Test func nullSourceIsNone() {
    let text = """
      {"file":"a","source":null,"reason":"no document source"}
      {"file":"b","source":null,"value":"MQ=="}
      {"file":"c","source":null,"value":"\
      YnBsaXN0MDDRAQJUbmFtZVF4CAsQAAAAAAAAAQEAAAAAAAAAAwAAAAAAAAAAAAAAAAAAABI="}
      """
    #expect(
      Manifests.pieces(text) == [
        .success(Manifests.entry("b", [0x31])),
        .failure(ManifestFailure(line: 3, reason: .disagreement)),
      ])
  }

  /// One string in all four fields, each byte of which JSON writes as six.
  @Test func longestLineThatIsWrittenIsRead() {
    let string = [0x5f, 0x12, 0, 0, 0xfd, 0xe8] + [UInt8](repeating: 1, count: 65000)
    let keys = ["identifier", "name", "path", "appInfoURL"].map {
      [0x50 + UInt8($0.utf8.count)] + Array($0.utf8)
    }
    var value = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in [[0xd4, 1, 2, 3, 4, 5, 5, 5, 5]] + keys + [string] {
      offsets.append(value.count)
      value += object
    }
    let table = value.count
    value += offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [6, 0, table] {
      value += [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xff)]
    }
    let entry = Manifests.entry("x", value)
    let text = Manifests.text(.json, entry)
    #expect(text.count > 4 * 6 * 65000)
    #expect(Manifests.pieces(text) == [.success(entry)])
  }

  @Test(
    arguments: [
      "\n{\"file\":\"a\",\"value\":\"\"}\n\n{}\r\n{\"file\":\"b\",\"value\":\"AA==\"}\nx\n{\"file\":\"c\"",
      "# file: a\nuser.x-document-source=0sAA==\nuser.other=\"b\"\n\n# file: b\n\n# file: c\n"
        + "user.x-document-source=0sA\nuser.x-document-source=0sAQ==\n# file: d\n\n# file: e\n",
      // Lines as they are written, and others between them; the last file has no empty line after it.
      "# file: a\nuser.x-document-source=0sAA==\n\n# file: \\141b\nuser.x-document-source=0sAQI=\n\n"
        + "# file: \"c\"\nuser.x-document-source=0s\n\n# file: d\nuser.x-document-source=0sAQ==\r\n\r\n"
        + "# file: e\nuser.x-document-source=0sAQ==\nuser.x-document-source=0sAg==\n\n"
        + "# file: f\nuser.x-document-source=0xAA\n\n# file: g\nuser.x-document-source=0sAR==\n\n"
        + "# file: h\nuser.x-document-source=\"x\"\n\n\n# file: i\nuser.x-document-source=0sAA==\n",
      "", "\n\n", "neither\n",
    ], [1, 3, 50, 1000])
  func partsAreTheSameEntriesAndFlaws(_ text: String, _ block: Int) {
    let pieces = Manifests.pieces(Array(text.utf8))
    #expect(Manifests.piecesOfLines(Array(text.utf8), block: block) == pieces)
  }
}
