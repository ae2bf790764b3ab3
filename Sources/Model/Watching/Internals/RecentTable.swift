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
  mutating func set(_ value: Value, of key: Key) -> Bool {
    if !former.isEmpty { former[key] = nil }
    recent[key] = value
    guard recent.count >= limit / 2 else { return false }
    former = recent
    recent = [:]
    return true
  }

  mutating func removeAll() { (recent, former) = ([:], [:]) }
}
