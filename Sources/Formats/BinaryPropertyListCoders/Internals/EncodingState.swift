/// What changes of a session while a value is encoded.
struct EncodingState: ~Copyable {
  /// The values encoded so far.
  var tree = EncodedTree()
  /// The first failure in a function of a container that cannot throw.
  ///
  /// As `EncodingError?` it would take a call to see that there is none.
  var failure: (any Error)?
  /// How many calls of values' own `encode(to:)` are under way.
  var callDepth = 0
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}
