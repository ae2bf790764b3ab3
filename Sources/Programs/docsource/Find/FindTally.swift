/// What a thread of `find` has found.
struct FindTally: BulkTally {
  /// A record that waits to be put in order.
  struct Sorted: Sendable {
    let path: [UInt8]
    let record: [UInt8]
  }

  var found = 0
  var summary = SourceSummary()
  var sorted: [Sorted] = []
  /// The record at hand, in the memory of those before.
  var record: [UInt8] = []

  mutating func add(_ other: FindTally) {
    found += other.found
    summary.add(other.summary)
    sorted += other.sorted
  }
}
