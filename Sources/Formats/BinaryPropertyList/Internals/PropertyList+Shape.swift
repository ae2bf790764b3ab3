extension PropertyList {
  /// Whether the value holds others.
  @inline(__always)
  var isContainer: Bool {
    switch self {
    case .array, .orderedSet, .set, .dictionary: true
    default: false
    }
  }

  /// How many values a container holds itself.
  var childCount: Int {
    switch self {
    case .array(let values), .orderedSet(let values), .set(let values): values.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }
}
