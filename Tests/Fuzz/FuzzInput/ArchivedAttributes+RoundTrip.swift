public import ForeignFormats

extension ArchivedAttributes {
  /// Claims that it is the same when it is written and read again.
  public func claimRoundTrip() {
    let written = try? part()
    let again = written.flatMap { try? ArchivedAttributes(parts: $0) }
    claim(again?.files.map(\.path) == files.map(\.path), "a path is lost")
    claim(again?.files.map(\.place) == files.map(\.place), "a place is lost")
    claim(again?.files.map(\.entry) == files.map(\.entry), "an entry is lost")
    claim(again?.files.map(\.attributes) == files.map(\.attributes), "an attribute is lost")
    claim(again?.files.map(\.remainder) == files.map(\.remainder), "words are lost")
    claim(again?.flaws.map(\.entry) == flaws.map(\.entry), "a flaw is lost")
  }
}
