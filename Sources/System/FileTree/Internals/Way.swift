/// The directories from the root of a tree to where a worker is.
struct Way: Sendable {
  private(set) var levels: [Level] = []
  /// The identities of the levels from this one on are looked up, those above are gone through.
  private static let firstLookedUp = 32
  private var lookedUp: Set<FileIdentity> = []

  var count: Int { levels.count }

  /// The directory it leads to.
  var last: Level { levels[levels.count - 1] }

  func contains(_ identity: FileIdentity) -> Bool {
    levels.prefix(Self.firstLookedUp).contains { $0.identity == identity }
      || (count > Self.firstLookedUp && lookedUp.contains(identity))
  }

  mutating func append(_ level: Level) {
    if count >= Self.firstLookedUp { lookedUp.insert(level.identity) }
    levels.append(level)
  }

  mutating func removeLast() {
    let level = levels.removeLast()
    if count >= Self.firstLookedUp { lookedUp.remove(level.identity) }
  }

  /// The way to a directory on the way.
  func prefix(_ count: Int) -> Way {
    var way = Way()
    way.levels = Array(levels.prefix(count))
    if count > Self.firstLookedUp {
      way.lookedUp = Set(way.levels[Self.firstLookedUp...].lazy.map(\.identity))
    }
    return way
  }
}
