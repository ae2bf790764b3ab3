import BinaryPropertyList
import Synchronization

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

/// The encoder of a value that is encoded, with its session's memory, for the next value: making
/// both anew is a third of the time of encoding four texts.
///
/// An encoder passes from one call to the next, perhaps on another thread: who takes it leaves none
/// behind, and it is kept only when nothing else refers to it.
@safe final class SpareEncoder: @unchecked Sendable {
  /// The encoder, owned.
  private let encoder = unsafe Atomic<Unmanaged<ValueEncoder>?>(nil)

  deinit {
    unsafe encoder.load(ordering: .acquiring)?.release()
  }

  /// An encoder of a root, empty.
  func take() -> ValueEncoder {
    let kept = unsafe encoder.exchange(nil, ordering: .acquiring)
    return unsafe kept?.takeRetainedValue() ?? ValueEncoder(session: EncodingSession())
  }

  /// Keeps an encoder, unless its memory is much, or a value kept it or an encoder within.
  func keep(_ used: consuming ValueEncoder) {
    guard isKnownUniquelyReferenced(&used), used.session.isSmall else { return }
    used.reset()
    let kept = unsafe encoder.exchange(.passRetained(used), ordering: .acquiringAndReleasing)
    unsafe kept?.release()
  }
}
