/// How docsource asks docsource-share for the kinds of files: their names, each with a NUL behind it,
/// are answered one after the other, each by four texts with a NUL behind them: the MIME type, the
/// one by the name alone, the general types that it is a kind of, and what went wrong.
package enum TypeProtocol {
  /// The general MIME types that another can be a kind of.
  package struct Classes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let plainText = Classes(rawValue: 1)
    package static let xml = Classes(rawValue: 2)
    package static let zip = Classes(rawValue: 4)
  }

  package enum Answer: Hashable, Sendable {
    /// - Parameter nameType: the MIME type by the name alone; empty if the file is empty, and GIO
    ///   took its type from that.
    case type(String, nameType: String, Classes)
    case failed(String)

    package var bytes: [UInt8] {
      let texts =
        switch self {
        case .type(let type, let nameType, let classes):
          [type, nameType, "\(classes.rawValue)", ""]
        case .failed(let reason): ["", "", "0", reason]
        }
      return texts.flatMap { $0.utf8.filter { $0 != 0 } + [0] }
    }
  }

  /// What docsource-share is called with.
  package static func verb(follows: Bool) -> String { follows ? "types" : "link-types" }

  /// Whether links are followed; `nil` for an unknown verb.
  package static func follows(_ verb: String) -> Bool? {
    switch verb {
    case "types": true
    case "link-types": false
    default: nil
    }
  }

  /// Takes the first answer off bytes that have come; `nil` where the answer has not come whole, or is
  /// none.
  package static func takeAnswer(from bytes: inout ArraySlice<UInt8>) -> Answer? {
    var texts: [String] = []
    var rest = bytes
    while texts.count < 4 {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      texts.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    guard let classes = UInt8(texts[2]) else { return nil }
    bytes = rest
    return texts[0].isEmpty
      ? .failed(texts[3]) : .type(texts[0], nameType: texts[1], Classes(rawValue: classes))
  }
}
