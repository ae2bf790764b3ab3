import Testing

@testable import Watching

/// A table of limited size, against two dictionaries that do the same.
@Suite struct RecentTableTests {
  /// A key that has its hash in common with many others.
  private struct Key: Hashable {
    let number: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % 5) }
  }

  /// The same by two dictionaries.
  private struct Model {
    var recent: [Key: Int] = [:]
    var former: [Key: Int] = [:]
    let limit: Int

    func value(of key: Key) -> Int? { recent[key] ?? former[key] }

    mutating func set(_ value: Int, of key: Key) -> (former: Int?, hasForgotten: Bool) {
      former[key] = nil
      let replaced = recent.updateValue(value, forKey: key)
      guard recent.count >= limit / 2 else { return (replaced, false) }
      forgetUnused()
      return (replaced, true)
    }

    mutating func forgetUnused() { (recent, former) = ([:], recent) }
  }

  @Test(arguments: [40, 400, 4000])
  func tableHoldsWhatDictionariesHold(_ count: Int) {
    let limit = 64
    var table = RecentTable<Key, Int>(limit: limit)
    var model = Model(limit: limit)
    var random = SystemRandomNumberGenerator()
    for step in 0..<20_000 {
      let key = Key(number: Int.random(in: 0..<count, using: &random))
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40:
        let (updated, expected) = (table.update(step, of: key), model.set(step, of: key))
        #expect(updated.former == expected.former)
        #expect(updated.hasForgotten == expected.hasForgotten)
      case 40..<60:
        let used = table.use(key)
        #expect(used == model.value(of: key))
        if model.recent[key] == nil, let value = model.former[key] { _ = model.set(value, of: key) }
      case 60..<80:
        let removed = table.remove(key)
        #expect(removed == model.value(of: key))
        model.recent[key] = nil
        model.former[key] = nil
      case 80..<98:
        table.replace(key, with: -step)
        if model.recent[key] != nil {
          model.recent[key] = -step
        } else if model.former[key] != nil {
          model.former[key] = -step
        }
      case 98:
        table.forgetUnused()
        model.forgetUnused()
      default:
        if step % 7 == 0 {
          table.removeAll()
          model = Model(limit: limit)
        }
      }
      #expect(table.count == model.recent.count + model.former.count)
      #expect(table.value(of: key) == model.value(of: key))
      if step % 500 == 0 {
        #expect(Set(table.keys) == Set(model.recent.keys).union(model.former.keys))
        for key in table.keys { #expect(table.value(of: key) == model.value(of: key)) }
      }
    }
  }
}
