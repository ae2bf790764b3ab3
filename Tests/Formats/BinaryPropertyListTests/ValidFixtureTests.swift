import BinaryPropertyList
import Foundation
import TestSupport
import Testing

struct ValidFixtureTests {
  @Test(arguments: ValidFixture.all)
  func isReadAndWrittenCanonically(_ fixture: ValidFixture) throws {
    let bytes = try fixture.bytes
    let value = try PropertyList(binary: bytes)
    #expect(value == fixture.value)
    let written = try value.binary()
    #expect((written == bytes) == fixture.isCanonical)
    #expect(try PropertyList(binary: written) == value)
  }

  @Test func everyFileStandsInTheTable() throws {
    let directory = Fixture.root.appending(path: "Fixtures/PropertyLists/valid")
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(Set(files) == Set(ValidFixture.all.map { $0.name + ".bplist" }))
  }
}
