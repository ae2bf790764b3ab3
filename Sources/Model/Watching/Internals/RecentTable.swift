/// A dictionary of limited size, which forgets what has not been used lately.
struct RecentTable<Key: Hashable, Value> {
  /// What has been used since `former` was full.
  private var recent: [Key: Value] = [:]
  private var former: [Key: Value] = [:]
  private let limit: Int

  /// - Parameter limit: the most values.
  init(limit: Int) { self.limit = limit }

  var count: Int { recent.count + former.count }

  func value(of key: Key) -> Value? { recent[key] ?? former[key] }

  /// A value, which counts as used.
  mutating func use(_ key: Key) -> Value? {
    if let value = recent[key] { return value }
    guard let value = former[key] else { return nil }
    _ = set(value, of: key)
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
    if !former.isEmpty { former[key] = nil }
    let replaced = recent.updateValue(value, forKey: key)
    guard recent.count >= limit / 2 else { return (replaced, false) }
    forgetUnused()
    return (replaced, true)
  }

  /// Forgets what has not been used since this was done last.
  mutating func forgetUnused() {
    former = recent
    // As many will come again.
    recent = Dictionary(minimumCapacity: former.count)
  }

  /// Changes a value, which does not count as a use.
  mutating func replace(_ key: Key, with value: Value) {
    if recent[key] != nil { recent[key] = value } else if former[key] != nil { former[key] = value }
  }

  @discardableResult mutating func remove(_ key: Key) -> Value? {
    recent.removeValue(forKey: key) ?? former.removeValue(forKey: key)
  }

  mutating func removeAll() { (recent, former) = ([:], [:]) }

  var keys: [Key] { Array(recent.keys) + former.keys }
}
