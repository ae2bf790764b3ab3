public import BinaryPropertyList

/// A value that is no binary property list that can be read.
public struct DamagedValue: Error, Hashable, Sendable {
  /// What is wrong, and at which byte.
  public let failure: DecodingFailure
  /// What it looks like instead, with its article, where that can be told.
  public let guess: String?

  init(failure: DecodingFailure, bytes: [UInt8]) {
    self.failure = failure
    guess = Self.guess(bytes)
  }

  /// Says what stands there instead of a binary property list.
  private static func guess(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: "bplist".utf8) { return nil }
    let text = bytes.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
    for opening in ["<?xml", "<!DOCTYPE plist", "<plist", "\u{feff}<?xml"]
    where text.starts(with: opening.utf8) {
      return "an XML property list"
    }
    if text.first == UInt8(ascii: "{") { return "JSON or an old-style property list" }
    return String(validating: bytes, as: UTF8.self) == nil ? nil : "plain text"
  }
}

extension DamagedValue: CustomStringConvertible {
  public var description: String {
    "the attribute is damaged: " + (guess.map { "it is \($0), " } ?? "") + failure.description
  }
}
