import BinaryPropertyList

/// What all encoders of one value share.
///
/// It passes from one call to the next, perhaps on another thread, only through ``SpareSession``,
/// and only when nothing else refers to it.
@safe final class EncodingSession: @unchecked Sendable {
  /// Where the state lies.
  ///
  /// As properties, tree and depth would be watched for overlapping accesses whenever a container
  /// encodes anything, which takes a sixteenth of all instructions. There are none: each access is
  /// one call of a function of the tree, and those call nothing of the values'.
  private let place: UnsafeMutablePointer<EncodingState>

  /// Calls through which a value may pass for each level of containers, such as that of an
  /// optional, on average; it bounds values that encode themselves without end.
  private static let callsPerLevel = 4

  init() {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: EncodingState())
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  private var state: EncodingState {
    @inline(__always) _read { yield unsafe place.pointee }
    @inline(__always) _modify { yield unsafe &place.pointee }
  }

  /// The values encoded so far.
  var tree: EncodedTree {
    @inline(__always) _read { yield state.tree }
    @inline(__always) _modify { yield &state.tree }
  }

  var failure: (any Error)? { state.failure }

  var userInfo: [CodingUserInfoKey: any Sendable] {
    get { state.userInfo }
    set {
      // What is empty already, as nearly always, is not replaced.
      if !newValue.isEmpty || !state.userInfo.isEmpty { state.userInfo = newValue }
    }
  }

  /// Whether the session's memory is little enough to be kept.
  var isSmall: Bool { tree.isSmall }

  /// Makes the session one without values, but with the memory it has.
  func reset() {
    tree.removeAll()
    state.failure = nil
    state.callDepth = 0
    userInfo = [:]
  }

  /// Notes a failure, to be thrown by the next function that can throw.
  func fail(_ value: Any, at path: [any CodingKey], _ description: String) {
    guard failure == nil else { return }
    state.failure = Self.error(value, at: path, description)
  }

  /// Encodes a value by its own function.
  func encode(_ value: some Encodable, to encoder: ValueEncoder) throws {
    if let failure { throw failure }
    guard state.callDepth < Self.callsPerLevel * DecodingOptions.maximumDepth else {
      throw Self.error(
        value, at: encoder.codingPath, EncodingFailure.Reason.tooDeep.description)
    }
    state.callDepth += 1
    defer { state.callDepth -= 1 }
    try value.encode(to: encoder)
  }

  static func error(
    _ value: Any, at path: [any CodingKey], _ description: String
  ) -> EncodingError {
    .invalidValue(
      value, EncodingError.Context(codingPath: path, debugDescription: description))
  }
}
