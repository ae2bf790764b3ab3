import BinaryPropertyList
import TestSupport
import Testing

/// A file that must be read, and what it holds.
struct ValidFixture: CustomTestStringConvertible, Sendable {
  let name: String
  let value: PropertyList
  /// Whether writing the value gives the file's bytes again.
  let isCanonical: Bool

  init(_ name: String, _ value: PropertyList, isCanonical: Bool = true) {
    self.name = name
    self.value = value
    self.isCanonical = isCanonical
  }

  var testDescription: String { name }

  var bytes: [UInt8] {
    get throws { try Fixture.bytes("PropertyLists/valid/\(name).bplist") }
  }
}
