import BinaryPropertyList

/// Encodes one value into its place of the tree.
final class ValueEncoder: Encoder {
  let session: EncodingSession
  /// The place that the value is to fill.
  private let place: UInt32
  /// The place's generation when this encoder was made, or last took its own value away.
  private var generation: UInt32
  /// How many containers are around the place.
  private let depth: Int
  private let parent: ValueEncoder?
  private let step: (any CodingKey)?

  init(session: EncodingSession) {
    self.session = session
    place = EncodedTree.root
    generation = 0
    depth = 0
    parent = nil
    step = nil
  }

  /// Makes the encoder of a place in its parent's container.
  init(of slot: UInt32, in parent: ValueEncoder, step: any CodingKey) {
    session = parent.session
    place = slot
    generation = parent.session.tree[slot].generation
    depth = parent.depth + 1
    self.parent = parent
    self.step = step
  }

  /// Makes a root's encoder, and its session, as good as new.
  func reset() {
    session.reset()
    generation = 0
  }

  /// The place that the value is to fill, or one outside the tree once another value stands there.
  var slot: UInt32 {
    @inline(__always) get { session.tree.current(place, generation) }
  }

  /// Takes away the value that this encoder wrote; another value may follow.
  func clear() {
    guard session.tree[place].generation == generation else { return }
    session.tree.clear(place)
    generation = session.tree[place].generation
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var place: ValueEncoder? = self
    while let current = place {
      if let step = current.step { path.append(step) }
      place = current.parent
    }
    path.reverse()
    return path
  }

  var userInfo: [CodingUserInfoKey: Any] {
    session.userInfo.mapValues { $0 }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.dictionary)
    return KeyedEncodingContainer(KeyedWriter(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array)
    return UnkeyedWriter(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  @inline(__always)
  private func open(_ content: Slot.Content) {
    if depth >= DecodingOptions.maximumDepth {
      session.fail(
        content == .array ? [Never]() : [String: Never](), at: codingPath,
        EncodingFailure.Reason.tooDeep.description)
    }
    if !session.tree.open(content, at: slot) {
      session.fail(
        content == .array ? [Never]() : [String: Never](), at: codingPath,
        "a container was requested where a value is already encoded")
    }
  }

  /// The error for an integer that cannot be written.
  static func tooLarge(_ value: Any, at path: [any CodingKey]) -> EncodingError {
    EncodingSession.error(value, at: path, "integers above Int128.max have no encoding")
  }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try put { $0.null() } }
  func encode(_ value: String) throws { try put { $0.string(value).leaf } }
  func encode(_ value: Bool) throws { try put { $0.boolean(value) } }
  func encode(_ value: Double) throws { try put { $0.real(value) } }
  func encode(_ value: Float) throws { try put { $0.real(value) } }
  func encode(_ value: Int) throws { try put { $0.integer(Int64(value)) } }
  func encode(_ value: Int8) throws { try put { $0.integer(Int64(value)) } }
  func encode(_ value: Int16) throws { try put { $0.integer(Int64(value)) } }
  func encode(_ value: Int32) throws { try put { $0.integer(Int64(value)) } }
  func encode(_ value: Int64) throws { try put { $0.integer(value) } }
  func encode(_ value: Int128) throws { try put { $0.wideInteger(value) } }
  func encode(_ value: UInt) throws { try put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt8) throws { try put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt16) throws { try put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt32) throws { try put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt64) throws { try put { $0.integer(value) } }
  func encode(_ value: UInt128) throws { try encode(value, .uint128) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let type = ScalarType(Value.self) { return try encode(value, type) }
    try checkEmpty()
    do {
      try session.encode(value, to: self)
    } catch {
      clear()
      throw error
    }
  }

  private func encode<Value>(_ value: Value, _ type: ScalarType) throws {
    try checkEmpty()
    guard session.tree.set(value, type, at: slot) else {
      throw Self.tooLarge(value, at: codingPath)
    }
  }

  @inline(__always)
  private func put(_ leaf: (inout LeafStore) -> UInt32) throws(EncodingError) {
    try checkEmpty()
    session.tree.set(at: slot, leaf)
  }

  @inline(__always)
  private func checkEmpty() throws(EncodingError) {
    guard session.tree[slot].content == .empty else { throw secondValue() }
  }

  @inline(never)
  private func secondValue() -> EncodingError {
    EncodingSession.error(
      Optional<Never>.none as Any, at: codingPath,
      "a second value was encoded where a value is already encoded")
  }
}
