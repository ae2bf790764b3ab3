/// A dictionary of limited size, which forgets what has not been used lately.
///
/// Most keys that are asked for are not in the table. A `Dictionary` compares some of its keys until it knows that,
/// each of which is in memory that is seldom in a cache; here, eight bytes for each entry tell it.
struct RecentTable<Key: Hashable, Value> {
  private struct Entry {
    let key: Key
    let hash: UInt32
    var value: Value
    /// Whether it has been used since others were last forgotten.
    var isRecent: Bool
  }

  private var entries: [Entry] = []
  /// For each entry its hash, in the upper half, and its position counted from 1; zeros between. An entry stands in
  /// the first free place from that of its hash on.
  private var places = [UInt64](repeating: 0, count: firstCapacity)
  private var recentCount = 0
  private let limit: Int

  private static var firstCapacity: Int { 16 }

  /// - Parameter limit: the most values.
  init(limit: Int) { self.limit = limit }

  var count: Int { entries.count }

  func value(of key: Key) -> Value? { find(key).position.map { entries[$0].value } }

  /// A value, which counts as used.
  mutating func use(_ key: Key) -> Value? {
    guard let position = find(key).position else { return nil }
    let value = entries[position].value
    if !entries[position].isRecent { _ = set(value, of: key) }
    return value
  }

  /// Sets a value, which counts as used.
  ///
  /// - Returns: whether others were forgotten for that.
  mutating func set(_ value: Value, of key: Key) -> Bool { update(value, of: key).hasForgotten }

  /// The same.
  ///
  /// - Returns: the value that it replaces, if that has been used since others were last forgotten, too.
  mutating func update(_ value: Value, of key: Key) -> (former: Value?, hasForgotten: Bool) {
    let found = find(key)
    var replaced: Value?
    if let position = found.position {
      if entries[position].isRecent { replaced = entries[position].value } else { recentCount += 1 }
      entries[position].value = value
      entries[position].isRecent = true
    } else {
      entries.append(Entry(key: key, hash: found.hash, value: value, isRecent: true))
      recentCount += 1
      if 2 * entries.count > places.count {
        arrange(in: 2 * places.count)
      } else {
        places[found.place] = Self.place(found.hash, entries.count - 1)
      }
    }
    guard recentCount >= limit / 2 else { return (replaced, false) }
    forgetUnused()
    return (replaced, true)
  }

  /// Forgets what has not been used since this was done last.
  mutating func forgetUnused() {
    // Most of those that are forgotten came before all others.
    entries.removeSubrange(..<(entries.firstIndex { $0.isRecent } ?? entries.endIndex))
    if entries.count > recentCount { entries.removeAll { !$0.isRecent } }
    for position in entries.indices { entries[position].isRecent = false }
    recentCount = 0
    arrange(in: places.count)
  }

  /// Changes a value, which does not count as a use.
  mutating func replace(_ key: Key, with value: Value) {
    if let position = find(key).position { entries[position].value = value }
  }

  @discardableResult mutating func remove(_ key: Key) -> Value? {
    let found = find(key)
    guard let position = found.position else { return nil }
    vacate(found.place)
    let last = entries.removeLast()
    var removed = last
    if position < entries.count {
      // The last entry takes its position.
      var place = Int(last.hash) & mask
      while places[place] != Self.place(last.hash, entries.count) { place = (place + 1) & mask }
      places[place] = Self.place(last.hash, position)
      removed = entries[position]
      entries[position] = last
    }
    if removed.isRecent { recentCount -= 1 }
    return removed.value
  }

  mutating func removeAll() { self = RecentTable(limit: limit) }

  var keys: [Key] { entries.map(\.key) }

  // MARK: Places

  private var mask: Int { places.count - 1 }

  private static func place(_ hash: UInt32, _ position: Int) -> UInt64 {
    UInt64(hash) << 32 | UInt64(position + 1)
  }

  /// The place and the position of a key; without the position the place that it would have.
  private func find(_ key: Key) -> (hash: UInt32, place: Int, position: Int?) {
    let hash = UInt32(truncatingIfNeeded: key.hashValue)
    var place = Int(hash) & mask
    while places[place] != 0 {
      if places[place] >> 32 == hash {
        let position = Int(places[place] & 0xffff_ffff) - 1
        if entries[position].key == key { return (hash, place, position) }
      }
      place = (place + 1) & mask
    }
    return (hash, place, nil)
  }

  /// Gives all entries places anew.
  private mutating func arrange(in count: Int) {
    places = [UInt64](repeating: 0, count: count)
    for position in entries.indices {
      let hash = entries[position].hash
      var place = Int(hash) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = Self.place(hash, position)
    }
  }

  /// Empties a place. Entries after it that would no longer be found move up.
  private mutating func vacate(_ place: Int) {
    var (free, next) = (place, (place + 1) & mask)
    while places[next] != 0 {
      let first = Int(places[next] >> 32) & mask
      if (next - first) & mask >= (next - free) & mask {
        places[free] = places[next]
        free = next
      }
      next = (next + 1) & mask
    }
    places[free] = 0
  }
}
