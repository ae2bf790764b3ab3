import BinaryPropertyList
import Synchronization

/// The state that all encoders of one value share.
///
/// A session passes from one call to the next, perhaps on another thread, only through
/// ``SpareEncoder``, and only when nothing else refers to it.
@safe final class EncodingSession: @unchecked Sendable {
  /// The memory of the state.
  ///
  /// As properties, tree and depth would be checked for overlapping accesses whenever a container
  /// encodes anything, which takes a sixteenth of all instructions. Accesses never overlap: each is
  /// one call of a function of the tree, and none of those calls back into a value.
  private let place: UnsafeMutablePointer<EncodingState>

  /// How many nested calls of `encode(to:)` a value may take for each level of containers, on
  /// average; an optional takes one of its own. This stops values that encode themselves without end.
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
      // Nearly always both are empty.
      if !newValue.isEmpty || !state.userInfo.isEmpty { state.userInfo = newValue }
    }
  }

  /// Whether the session's memory is little enough to be kept.
  var isSmall: Bool { tree.isSmall }

  /// Removes all values from the session, but keeps its memory.
  func reset() {
    tree.removeAll()
    state.failure = nil
    state.callDepth = 0
    userInfo = [:]
  }

  /// Notes a failure, which the next function that can throw will throw.
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

/// The part of a session that changes while a value is encoded.
private struct EncodingState: ~Copyable {
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

/// Keeps the encoder of the last value, with its session's memory, for the next value: making both
/// anew is a third of the time of encoding four texts.
///
/// An encoder passes from one call to the next, perhaps on another thread: taking it leaves none,
/// and it is kept only when nothing else refers to it.
@safe final class SpareEncoder: @unchecked Sendable {
  /// The kept encoder, with a reference of its own.
  private let encoder = unsafe Atomic<Unmanaged<ValueEncoder>?>(nil)

  deinit {
    unsafe encoder.load(ordering: .acquiring)?.release()
  }

  /// The kept encoder, or a new one; its root is empty.
  func take() -> ValueEncoder {
    let kept = unsafe encoder.exchange(nil, ordering: .acquiring)
    return unsafe kept?.takeRetainedValue() ?? ValueEncoder(session: EncodingSession())
  }

  /// Keeps an encoder, unless it has much memory, or a value has kept it or one of the encoders made
  /// from it.
  func keep(_ used: consuming ValueEncoder) {
    guard isKnownUniquelyReferenced(&used), used.session.isSmall else { return }
    used.reset()
    let kept = unsafe encoder.exchange(.passRetained(used), ordering: .acquiringAndReleasing)
    unsafe kept?.release()
  }
}
