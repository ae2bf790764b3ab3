import BinaryPropertyList
import TestSupport
import Testing

/// A file that must be refused, for which reason, and where.
struct HostileFixture: CustomTestStringConvertible, Sendable {
  let name: String
  let reason: DecodingFailure.Reason
  let offset: Int

  init(_ name: String, _ reason: DecodingFailure.Reason, at offset: Int) {
    self.name = name
    self.reason = reason
    self.offset = offset
  }

  var testDescription: String { name }

  var bytes: [UInt8] {
    get throws { try Fixture.bytes("PropertyLists/hostile/\(name).bplist") }
  }
}
