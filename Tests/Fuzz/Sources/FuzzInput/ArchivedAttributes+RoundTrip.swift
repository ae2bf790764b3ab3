public import Provenance

extension ArchivedAttributes {
  /// Claims that it is the same when it is written and read again.
  public func claimRoundTrip() {
    let written = try? binary()
    let again = written.flatMap { try? ArchivedAttributes(binary: $0) }
    claim(again?.files.map(\.path) == files.map(\.path), "a path is lost")
    claim(again?.files.map(\.carrier.carrier) == files.map(\.carrier.carrier), "a place is lost")
    claim(
      again?.files.map(\.carrier.attributes) == files.map(\.carrier.attributes),
      "an attribute is lost")
    claim(again?.files.map(\.carrier.remainder) == files.map(\.carrier.remainder), "words are lost")
    claim(again?.flaws.map(\.name) == flaws.map(\.name), "a flaw is lost")
  }
}
