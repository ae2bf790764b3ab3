import DocumentSource
import LinuxSystem
import Manifest
import TestSupport
import Testing

/// The exact bytes of both formats, and that they are read back.
@Suite struct ManifestFormatTests {
  @Test func jsonHasSourceForPeopleAndValueForPrograms() throws {
    let value = try DocumentSource(identifier: "a.b", path: "ü/\u{202e}🗂\"\\").encoded()
    let json = Manifests.text(.json, Manifests.entry("dir/n\nü", value))
    #expect(
      String(decoding: json, as: UTF8.self) == #"{"file":"dir/n\n\u00fc","#
        + #""source":{"identifier":"a.b","path":"\u00fc/\u202e\ud83d\uddc2\"\\"},"value":"#
        + #""YnBsaXN0MDDSAQIDBFppZGVudGlmaWVyVHBhdGhTYS5iZwD8AC8gLtg93cIAIgBcCA0YHSEAAAAAAAABAQAAAAA"#
        + #"AAAAFAAAAAAAAAAAAAAAAAAAAMA=="}"# + "\n")
  }

  @Test func jsonOfNamesThatAreNotUTF8AndOfDamagedValuesIsExact() throws {
    let path = try #require(FilePath(bytes: [0x61, 0xff]))
    let json = Manifests.text(
      .json, ManifestEntry(path: path, value: [1, 2]), Manifests.entry("b", []))
    #expect(
      String(decoding: json, as: UTF8.self) == #"{"file":"a\ufffd","fileBase64":"Yf8=","#
        + #""value":"AQI="}"# + "\n" + #"{"file":"b","value":""}"# + "\n")
  }

  @Test func dumpIsWhatSetfattrRestores() throws {
    let path = try #require(FilePath(bytes: Array(" a\\b\r\n\t\u{7f}ü= # ".utf8) + [0xff, 0x20]))
    let dump = Manifests.text(
      .getfattr, ManifestEntry(path: path, value: [0, 255]), Manifests.entry("b", []))
    #expect(
      String(decoding: dump, as: UTF8.self) == """
        # file:  a\\134b\\015\\012\\011\\177\\303\\274= # \\377\\040
        user.x-document-source=0sAP8=

        # file: b
        user.x-document-source=""


        """)
  }

  @Test(arguments: ManifestFormat.allCases)
  func whatIsWrittenIsASCIIWithoutWhiteSpaceAtLineEnds(_ format: ManifestFormat) throws {
    for byte in UInt8(1)...255 {
      let path = try #require(FilePath(bytes: [byte, 0x61, byte]))
      let value = try DocumentSource(name: "\(Unicode.Scalar(byte))").encoded()
      let text = Manifests.text(format, ManifestEntry(path: path, value: value))
      try #require(text.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) }, "byte \(byte)")
      try #require(
        zip(text, text.dropFirst()).allSatisfy { $0 != 0x20 || $1 != 0x0a }, "byte \(byte)")
    }
  }

  @Test(arguments: ManifestFormat.allCases)
  func randomEntriesAreReadBackExactlyHoweverTheyArrive(_ format: ManifestFormat) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("ManifestFormatTests seed \(seed)")
    var random = SplitMix(state: seed)
    var entries: [ManifestEntry] = []
    for _ in 0..<300 {
      let name = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        UInt8.random(in: 1...255, using: &random)
      }
      let value = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      entries.append(ManifestEntry(path: try #require(FilePath(bytes: name)), value: value))
    }
    var text: [UInt8] = []
    for entry in entries { format.append(entry, to: &text) }
    for block in [1, 7, 4096, 1 << 20] {
      #expect(try Manifests.pieces(text, block: block).map { try $0.get() } == entries)
    }
    // As git with autocrlf and Windows editors change it.
    let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
    let changed = [0xef, 0xbb, 0xbf] + lines.joined(separator: [0x0d, 0x0a])
    #expect(try Manifests.pieces(changed).map { try $0.get() } == entries)
  }

  @Test(arguments: ManifestFormat.allCases)
  func largestValueAndLongPathFitIntoALine(_ format: ManifestFormat) throws {
    let path = String(repeating: "ü\u{1}/", count: 4000)
    let value = try DocumentSource(name: String(repeating: "\u{1}", count: 65000)).encoded()
    let entry = Manifests.entry(path, value)
    #expect(try Manifests.pieces(Manifests.text(format, entry)).map { try $0.get() } == [entry])
  }
}
