/// How many files a change was made to.
struct ChangeTally: BulkTally {
  var changed = 0
  var unchanged = 0
  /// Directories that cannot be read among them.
  var failed = 0

  var all: Int { changed + unchanged + failed }

  mutating func add(_ other: ChangeTally) {
    changed += other.changed
    unchanged += other.unchanged
    failed += other.failed
  }

  mutating func addUnreadableDirectory() { failed += 1 }
}
