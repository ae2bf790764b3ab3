import Foundation
import TestSupport
import Testing

/// The inputs in Fixtures/Fuzz, from which `make fuzz` starts and which `make fuzz-corpus` keeps.
@Suite struct FuzzCorpusTests {
  private static let kept = Fixture.root.appending(path: "Fixtures/Fuzz").path

  @Test func everyFuzzerHasInputsAndNobodyElse() throws {
    let package = try String(
      contentsOf: Fixture.root.appending(path: "Package.swift"), encoding: .utf8)
    let fuzzers = package.matches(of: /"(Fuzz\w+)", of:/).map { String($0.1) }.sorted()
    #expect(fuzzers.count >= 20)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.kept).sorted()
    #expect(folders == fuzzers)
    for folder in folders {
      let inputs = try FileManager.default.contentsOfDirectory(atPath: "\(Self.kept)/\(folder)")
      #expect(inputs.count > 0, "\(folder)")
    }
  }

  /// As long as fuzzers make them, and five megabytes of all together.
  @Test func inputsAreSmall() throws {
    let inputs = try FileManager.default.subpathsOfDirectory(atPath: Self.kept)
      .map { try FileManager.default.attributesOfItem(atPath: "\(Self.kept)/\($0)") }
      .filter { $0[.type] as? FileAttributeType == .typeRegular }
    let sizes = try inputs.map { try #require($0[.size] as? Int) }
    let longest = try #require(sizes.max())
    #expect(longest <= 4096)
    #expect(sizes.reduce(0, +) <= 5_000_000)
  }
}
