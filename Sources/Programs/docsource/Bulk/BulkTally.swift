/// What a bulk walk counts or collects: each thread one of its own, put together at the end.
protocol BulkTally: Sendable {
  init()
  mutating func add(_ other: Self)
  mutating func addUnreadableDirectory()
}

extension BulkTally {
  mutating func addUnreadableDirectory() {}
}
