import ForeignFormats
import TestSupport
import Testing

/// AppleDouble files: what real and hostile ones hold.
@Suite struct AppleDoubleTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    try Fixture.bytes("AppleDouble/\(name).appledouble")
  }

  private static func attributes(_ name: String) throws -> [String: [UInt8]] {
    let bytes = try fixture(name)
    let parsed = try AppleDouble(bytes)
    return Dictionary(
      uniqueKeysWithValues: parsed.attributes.map {
        (String(decoding: $0.name, as: UTF8.self), $0.range.isEmpty ? [] : Array(bytes[$0.range]))
      })
  }

  @Test func attributesOfSambasConversionAreWhatTheClientWrote() throws {
    let attributes = try Self.attributes("stream2adouble")
    #expect(
      attributes == [
        "x-document-source": try Fixture.bytes("PropertyLists/four-keys.bplist"),
        "com.apple.quarantine": try Fixture.bytes("Quarantine/safari"),
        "com.apple.metadata:kMDItemWhereFroms": Array(
          try Fixture.bytes("Samba/DosStream.kMDItemWhereFroms.U+F022.value.bin").dropLast()),
      ])
  }

  @Test func kernelsFileHasItsResourceForkAfterThePadding() throws {
    let parsed = try AppleDouble(Self.fixture("kernel"))
    #expect(parsed.entries.map(\.type) == [9, 2])
    #expect(parsed.entries.map(\.range) == [50..<3810, 3810..<4096])
    #expect(parsed.finderInfo == [UInt8](repeating: 0, count: 32))
    #expect(
      try Self.attributes("kernel") == [
        "x-document-source": try Fixture.bytes("PropertyLists/four-keys.bplist"),
        "com.apple.quarantine": try Fixture.bytes("Quarantine/safari"),
      ])
  }

  @Test func valueOfLengthZeroMayHaveOffsetZero() throws {
    #expect(
      try Self.attributes("empty-value") == [
        "com.example.empty": [], "com.apple.quarantine": try Fixture.bytes("Quarantine/safari"),
      ])
  }

  @Test func finderInformationAloneHasNoAttributes() throws {
    let parsed = try AppleDouble(Self.fixture("finder-info-only"))
    #expect(parsed.attributes.isEmpty)
    #expect(parsed.finderInfo.starts(with: "TEXTttxt".utf8))
  }

  /// A head is enough: the values follow it.
  @Test func headTellsWhereValuesAfterItStand() throws {
    let bytes = try Self.fixture("stream2adouble")
    let parsed = try AppleDouble(head: Array(bytes[..<232]), length: bytes.count)
    #expect(parsed == (try AppleDouble(bytes)))
  }

  /// Each changes bytes of the fixture of Samba: what stands at an offset.
  @Test(
    arguments: [
      (0, [0x00, 0x05, 0x16, 0x00], .appleSingle, 0),
      (0, [0x7f], .notAppleDouble, 0),
      (4, [0x00, 0x01, 0x00, 0x00], .version, 4),
      // 65,535 entries: those after the two are zeros until `ATTR` is the length of one.
      (24, [0xff, 0xff], .entryOutside, 74),
      (42, [0xff, 0xff, 0xff, 0xff], .entryOutside, 38),
      (46, [0x00, 0x00, 0x00, 0x1f], .finderInfo, 46),
      (46, [0x00, 0x00, 0x02, 0x56], .entryOutside, 38),
      // One attribute more than there are.
      (118, [0x00, 0x04], .attributeName, 243),
      (120, [0x00, 0x00, 0x01, 0x96], .valueOutside, 120),
      (124, [0x01, 0x00, 0x00, 0x01], .valueTooLong, 124),
      (130, [0x00], .attributeName, 130),
      (130, [0x01], .attributeName, 130),
      (130, [0x11], .attributeName, 131),
      (130, [0x81], .attributeName, 130),
      (131, [0x00], .attributeName, 131),
    ] as [(Int, [UInt8], MarkFailure.Reason, Int)])
  func rejectionTellsReasonAndOffset(
    _ position: Int, _ bytes: [UInt8], _ reason: MarkFailure.Reason, _ offset: Int
  ) throws {
    var file = try Self.fixture("stream2adouble")
    file.replaceSubrange(position..<(position + bytes.count), with: bytes)
    #expect(throws: MarkFailure(reason, at: offset)) { try AppleDouble(file) }
  }

  @Test func everyTruncationIsRejectedOrHasLostNothing() throws {
    let file = try Self.fixture("stream2adouble")
    for length in 0..<file.count {
      let failure = try #require(throws: MarkFailure.self, "\(length) bytes") {
        try AppleDouble(Array(file[..<length]))
      }
      try #require(failure.offset <= length, "\(length): \(failure)")
    }
  }

  @Test func nameThatOccursTwiceIsRejected() throws {
    var file = try Self.fixture("kernel")
    // The second entry becomes a copy of the first.
    file.replaceSubrange(152..<184, with: file[120..<152])
    #expect(throws: MarkFailure(.duplicateName, at: 152)) { try AppleDouble(file) }
  }

  @Test func listAfterTheHeadIsRejected() throws {
    var file = try Self.fixture("stream2adouble")
    // The Finder information, with its attributes, at 64 KiB less 60 bytes.
    let start = AppleDouble.headLimit - 60
    file.replaceSubrange(42..<50, with: [0, 0, UInt8(start >> 8), UInt8(start & 0xff), 0, 0, 1, 0])
    file += [UInt8](repeating: 0, count: start + 256 - file.count)
    #expect(try AppleDouble(file).attributes.isEmpty)
    file.replaceSubrange((start + 34)..<(start + 38), with: "ATTR".utf8)
    #expect(throws: MarkFailure(.headTooLong, at: start + 68)) { try AppleDouble(file) }
  }

  /// Each puts bytes into the fixture of the kernel, whose entries are 50..<3810 and 3810..<4096,
  /// and whose list of attributes ends at 184, the values at 483.
  @Test(
    arguments: [
      (0, [], []),
      // What the format leaves to its writers.
      (8, Array("filler".utf8), []), (88, [1, 2, 3, 4], []),
      // The two bytes after the Finder information, and fields that are reserved.
      (82, [1], [82..<84]), (104, [1], [104..<118]), (117, [1], [104..<118]),
      (483, [1], [483..<3810]), (3809, [1], [483..<3810]),
      // After the last entry, zeros are no padding.
      (4096, [0], [4096..<4097]), (4096, Array("more".utf8), [4096..<4100]),
      // One attribute less: its entry and its value are left over.
      (118, [0, 1], [152..<184, 426..<3810]),
      // None: the list's header alone is understood.
      (118, [0, 0], [120..<3810]),
      // The Finder information ends before the list.
      (34, [0, 0, 0, 32], [82..<3810]),
    ] as [(Int, [UInt8], [Range<Int>])])
  func bytesThatBelongToNothingAreFound(
    _ position: Int, _ bytes: [UInt8], _ ranges: [Range<Int>]
  ) throws {
    var file = try Self.fixture("kernel")
    file.replaceSubrange(position..<min(position + bytes.count, file.count), with: bytes)
    let parsed = try AppleDouble(file)
    #expect(parsed.unnamed { Array(file[$0]) } == ranges)
    // A file with such bytes is not written anew either.
    do throws(MarkFailure) {
      _ = try AppleDoubleContent(file)
      #expect(ranges == [])
    } catch {
      #expect(error.reason == .unnamed)
      #expect(error.offset == ranges.first?.lowerBound)
    }
  }

  @Test(arguments: ["copyfile", "empty-value", "finder-info-only", "kernel", "stream2adouble"])
  func everyByteOfARealFileIsAccountedFor(_ name: String) throws {
    let file = try Self.fixture(name)
    #expect(try AppleDouble(file).unnamed { Array(file[$0]) } == [])
  }

  /// A sparse file of 4 GiB would be read for long.
  @Test func zerosAreReadUpToALimit() throws {
    var file = try Self.fixture("empty-value")
    // The first entry, which is empty, becomes the byte at 2 MiB.
    file.replaceSubrange(30..<38, with: [0, 0x20, 0, 0, 0, 0, 0, 1])
    let parsed = try AppleDouble(head: file, length: 0x20_0001)
    var read: [Range<Int>] = []
    let ranges = parsed.unnamed { range in
      read.append(range)
      return [UInt8](repeating: 0, count: range.count)
    }
    #expect(ranges == [241..<0x20_0000])
    #expect(read == [82..<84, 104..<118])
  }

  @Test func forkIsBlankOnlyByteByByte() throws {
    let fork = Array(try Self.fixture("kernel")[3810...])
    #expect(AppleDouble.isBlankFork(fork))
    for position in fork.indices {
      var other = fork
      other[position] ^= 1
      guard !AppleDouble.isBlankFork(other) else {
        Issue.record("byte \(position) is not looked at")
        return
      }
    }
  }

  @Test func wordsOfAFailureHaveTheOffset() {
    #expect(
      MarkFailure(.valueOutside, at: 120).description
        == "an attribute's value is outside the file (at byte 120)")
  }
}
