import BinaryPropertyList
import Foundation
import TestSupport
import Testing

struct HostileFixtureTests {
  @Test(arguments: HostileFixture.all)
  func isRefusedWithReasonAndOffset(_ fixture: HostileFixture) throws {
    let bytes = try fixture.bytes
    let failure = #expect(throws: DecodingFailure.self) { try PropertyList(binary: bytes) }
    #expect(failure?.reason == fixture.reason)
    #expect(failure?.offset == fixture.offset)
  }

  /// Expansion is the one flaw that is none without a tree.
  @Test(arguments: HostileFixture.all)
  func tableRefusesAllButExpansion(_ fixture: HostileFixture) throws {
    let bytes = try fixture.bytes
    if fixture.reason == .expansion {
      #expect(try ObjectTable(bytes).count > 0)
    } else {
      let failure = #expect(throws: DecodingFailure.self) { try ObjectTable(bytes) }
      #expect(failure?.reason == fixture.reason)
      #expect(failure?.offset == fixture.offset)
    }
  }

  @Test(arguments: HostileFixture.all)
  func lookupFindsNothingOrFails(_ fixture: HostileFixture) throws {
    let bytes = try fixture.bytes
    let lookup = Lookup("k", "a", "key007")
    let result = Result { try lookup.find(in: bytes.span.bytes) }
    if case .failure(let failure as DecodingFailure) = result {
      #expect(failure.offset <= bytes.count)
    } else if case .success(let found) = result, found.root != .dictionary {
      #expect(found[0] == .absent)
    }
  }

  @Test func everyFileStandsInTheTable() throws {
    let directory = Fixture.root.appending(path: "Fixtures/PropertyLists/hostile")
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(Set(files) == Set(HostileFixture.all.map { $0.name + ".bplist" }))
  }

  @Test func utf16CountThatOverrunsTheTableIsRefused() throws {
    let bytes = try Fixture.bytes("PropertyLists/utf16-count-overruns.bplist")
    let failure = #expect(throws: DecodingFailure.self) { try PropertyList(binary: bytes) }
    #expect(failure?.reason == .countTooLarge)
    #expect(failure?.offset == 8)
  }
}
