/// A dictionary of limited size that several users share: where it is full, the user who has the most in it
/// makes room for one who has less.
struct SharedTable<Key: Hashable, Value> {
  private var entries: [Key: (user: UInt32, value: Value)] = [:]
  private var counts: [UInt32: Int] = [:]
  private let limit: Int

  /// - Parameter limit: the most values.
  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { entries.isEmpty }
  var keys: [Key] { Array(entries.keys) }

  /// A value that is there; setting one whose key is not there does nothing, and `nil` removes it.
  subscript(key: Key) -> Value? {
    get { entries[key]?.value }
    set {
      guard let user = entries[key]?.user else { return }
      entries[key] = newValue.map { (user, $0) }
      if newValue == nil { counts[user] = counts[user].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
  }

  /// Adds a value whose key is not there.
  ///
  /// - Returns: `false` where there is no room for another one of the user's.
  mutating func add(_ value: Value, of key: Key, for user: UInt32) -> Bool {
    if entries.count >= limit {
      guard let most = counts.max(by: { $0.value < $1.value }), most.value > counts[user] ?? 0,
        let other = entries.first(where: { $0.value.user == most.key })?.key
      else { return false }
      self[other] = nil
    }
    entries[key] = (user, value)
    counts[user, default: 0] += 1
    return true
  }
}
