import DocumentSource
import ForeignFormats
import Provenance
import TestSupport
import Testing

/// What the bytes of each kind of mark say.
@Suite struct MarkTests {
  private static func value(_ hexadecimal: String) -> [UInt8] {
    var digits = hexadecimal.filter { $0 != " " }[...]
    var bytes: [UInt8] = []
    while !digits.isEmpty {
      bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    return bytes
  }

  private static func content(_ bytes: [UInt8], _ kind: MarkKind) -> MarkContent {
    let carrier = MarkCarrier(form: .attribute, name: [])
    return Mark(kind, in: carrier, trust: .claim, bytes: bytes).content
  }

  @Test func valuesOfMacOSAreRead() throws {
    let file = try Fixture.bytes("AppleDouble/copyfile.appledouble")
    let parsed = try AppleDouble(file)
    let values = parsed.attributes.map { attribute in
      MarkKind(attributeName: attribute.name).map {
        Self.content(Array(file[attribute.range]), $0)
      }
    }
    #expect(
      values == [
        .value(.applicationKey(0x0123_4567_89ab_cdef)), .value(.moment(1_605_184_046.5)),
        .value(.moment(1_605_184_046)),
        .value(.tags([UserTag(name: "Red", color: 6), UserTag(name: "Draft", color: nil)])),
        .value(.origins(["https://example.com/a.pdf"])),
      ])
  }

  @Test func sambasNULChangesNothing() throws {
    let stored = try Fixture.bytes("Samba/DosStream.kMDItemWhereFroms.U+F022.value.bin")
    let expected = MarkContent.value(
      .origins(["https://example.com/files/report.pdf", "https://example.com/reports/"]))
    #expect(Self.content(stored, .whereFroms) == expected)
    #expect(Self.content(Array(stored.dropLast()), .whereFroms) == expected)
    #expect(
      Self.content(Array("https://a.example/\0".utf8), .originURL)
        == .value(.text("https://a.example/")))
    #expect(Self.content([], .quarantine) == .empty)
    #expect(Self.content([0], .documentSource) == .empty)
  }

  /// A string, and an array without elements, as the Finder leaves it with the last tag removed.
  @Test func furtherValuesOfMacOSAreRead() {
    let string = Self.value(
      "62706c69737430305161 08 0000000000000101000000000000000100000000000000000000000000000 00a")
    for kind in [.finderComment, .metadataCreator, .originSubject] as [MarkKind] {
      #expect(Self.content(string, kind) == .value(.text("a")))
      #expect(Self.content(string + [0], kind) == .value(.text("a")))
    }
    let empty = Self.value(
      "62706c6973743030a0 08 00000000000001010000000000000001000000000000000000000000000000 09")
    #expect(Self.content(empty, .userTags) == .value(.tags([])))
  }

  @Test(
    arguments: [
      (.whereFroms, "62706c6973743030", "too short for a binary property list (at byte 8)"),
      (.whereFroms, "00ff", "not a binary property list (at byte 0)"),
      // A string, an empty array, an array of an integer.
      (
        .whereFroms,
        "62706c69737430305161 08 0000000000000101000000000000000100000000000000000000000000000 00a",
        "not an array (at byte 0)"
      ),
      (
        .whereFroms,
        "62706c6973743030a0 08 00000000000001010000000000000001000000000000000000000000000000 09",
        "the array is empty (at byte 0)"
      ),
      (
        .userTags,
        "62706c6973743030a1011001 080a 000000000000010100000000000000020000000000000000000000000000000c",
        "an element has the wrong type (at byte 0)"
      ),
      (
        .downloadedDate,
        "62706c6973743030a1011001 080a 000000000000010100000000000000020000000000000000000000000000000c",
        "an element has the wrong type (at byte 0)"
      ),
      (
        .documentSource,
        "62706c6973743030a0 08 00000000000001010000000000000001000000000000000000000000000000 09",
        "not a dictionary with a field of a document source (at byte 0)"
      ),
      (.lastUsedDate, "00112233", "the value has the wrong length (at byte 4)"),
      (
        .lastUsedDate, "000000000000000000000000000000000001",
        "the value has the wrong length (at byte 16)"
      ),
      (.applicationKey, "0102000123456789abcdef01", "the value has the wrong length (at byte 11)"),
      (.originURL, "68ff", "not UTF-8 (at byte 1)"),
      (.creator, "680069", "the text contains a NUL character (at byte 1)"),
    ] as [(MarkKind, String, String)])
  func rejectionTellsReasonAndOffset(_ kind: MarkKind, _ bytes: String, _ words: String) {
    guard case .damaged(let failure) = Self.content(Self.value(bytes), kind) else {
      Issue.record("\(kind) \(bytes): \(Self.content(Self.value(bytes), kind))")
      return
    }
    #expect(failure.description == words)
  }
}
