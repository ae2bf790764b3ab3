import Synchronization

/// Where each key of a big dictionary stands, found out when it is first asked.
///
/// The reader makes dictionaries whose keys it has already compared, and many are never searched.
final class KeyIndex: Sendable {
  private let positions = Mutex<[ExactString: Int]>([:])

  /// Where a key stands in `entries`, which are always those of the one dictionary value.
  func position(of key: String, in entries: [PropertyList.Dictionary.Entry]) -> Int? {
    positions.withLock { positions in
      if positions.isEmpty {
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() {
          positions[ExactString(entry.key)] = position
        }
      }
      return positions[ExactString(key)]
    }
  }

  /// Notes an appended key; nothing to do while nothing was asked.
  func insert(_ key: String, at position: Int) {
    positions.withLock { positions in
      if !positions.isEmpty {
        positions[ExactString(key)] = position
      }
    }
  }
}
