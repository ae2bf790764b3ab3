internal import BinaryPropertyList
internal import Glibc
internal import Synchronization
internal import TextFormats

/// The note that `docsource watch` has written a value of the attribute, and when: a string in the
/// dictionary, such as `2026-11-27T15:00:00Z` with the key `taggedByWatch`.
///
/// It goes along wherever the attribute is copied to, and other readers pass over keys that they do not
/// know. Any other change of the source's fields removes it.
package enum WatchMark {
  /// What a change does to the note.
  package enum Change: Sendable {
    case remove, keep, write

    /// The note of a value that is written anew; `nil` if that has none.
    var text: String? { self == .write ? WatchMark.now : nil }
  }

  static let key = "taggedByWatch"
  static let shortKey: ShortKey = "taggedByWatch"
  private static let lookup = Lookup(shortKey)

  /// The text of the present. The corresponding C function is time(2).
  private static var now: String? {
    let second = Glibc.time(nil)
    return last.withLock { last in
      if last.second != second {
        last = (second, try? CalendarDate.text(sinceEpoch: Double(second)))
      }
      return last.text
    }
  }

  /// The last such text: watch may write many files in one second.
  private static let last = Mutex<(second: Int, text: String?)>((0, nil))

  /// When watch has written a value, in seconds since 2001-01-01T00:00:00Z; `nil` if somebody else has,
  /// or the note is no such date.
  package static func time(in bytes: [UInt8]) -> Double? {
    let span = unsafe bytes.span.bytes
    guard !StoredValue.isEmpty(bytes),
      let found = try? lookup.find(in: span, options: AttributeValue.lenient),
      let text = try? found.string(0, in: span, options: AttributeValue.lenient)
    else { return nil }
    return CalendarDate.seconds(of: text)
  }
}
