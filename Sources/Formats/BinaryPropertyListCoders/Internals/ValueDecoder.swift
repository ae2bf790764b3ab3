import BinaryPropertyList

/// Decodes one value from its object, or from the lack of one.
final class ValueDecoder: Decoder {
  let session: DecodingSession
  /// The object.
  let object: Int
  /// Whether there is none, and the number that of the container which lacks it.
  let isMissing: Bool
  /// The session's, at hand.
  private let table: ObjectTable
  /// What the object holds.
  private let contents: ObjectContents
  /// Whether the object or a container around it is shared, and so may be met again elsewhere.
  private let isShared: Bool
  private let parent: ValueDecoder?
  private let step: (any CodingKey)?
  /// Where the key that was last found stands among the object's keys.
  private var lastPosition = -1
  /// Where keys stand, made for big dictionaries when a key is not where it is expected.
  private var positions: KeyPositions?

  /// Up to here looking through the keys costs less than hashing them.
  private static let searchLimit = 16

  /// Makes the decoder of the root.
  convenience init(session: DecodingSession) {
    self.init(session, session.table.root, isShared: false, parent: nil, step: nil)
  }

  /// Makes the decoder of an object in its parent's container.
  convenience init(of object: Int, in parent: ValueDecoder, step: any CodingKey) {
    self.init(parent.session, object, isShared: parent.isShared, parent: parent, step: step)
  }

  /// Makes the decoder of a value that its parent's container lacks.
  convenience init(missingIn parent: ValueDecoder, step: any CodingKey) {
    self.init(
      parent.session, parent.object, isShared: false, parent: parent, step: step, isMissing: true)
  }

  private init(
    _ session: DecodingSession, _ object: Int, isShared: Bool, parent: ValueDecoder?,
    step: (any CodingKey)?, isMissing: Bool = false
  ) {
    self.session = session
    self.object = object
    self.isMissing = isMissing
    table = session.table
    contents = table.contents(of: object)
    self.isShared = isShared || contents.isShared
    self.parent = parent
    self.step = step
  }

  /// How many pairs or elements there are.
  var count: Int { contents.count }

  /// Whether equal keys are among a dictionary's, of which the first counts.
  var hasDuplicateKeys: Bool { contents.hasDuplicateKeys }

  /// The object that is a dictionary's key at a position.
  func key(_ position: Int) -> Int { table.key(position, of: contents) }

  /// The object that is a dictionary's value or another container's element at a position.
  @inline(__always)
  func value(_ position: Int) -> Int { table.value(position, of: contents) }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var place: ValueDecoder? = self
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

  /// Whether there is no value.
  @inline(__always)
  var isNull: Bool { isMissing || session.isNull(object) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard !isMissing, contents.kind == .dictionary else {
      throw wrongContainer([String: Any].self, "keyed")
    }
    if isShared { try session.expand(object) { codingPath } }
    return KeyedDecodingContainer(KeyedReader(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch contents.kind {
    case .array where !isMissing, .orderedSet where !isMissing, .set where !isMissing: break
    default: throw wrongContainer([Any].self, "unkeyed")
    }
    if isShared { try session.expand(object) { codingPath } }
    return UnkeyedReader(decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  private func wrongContainer(_ type: Any.Type, _ name: String) -> DecodingError {
    if isNull {
      return .valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "Cannot get \(name) decoding container -- found null value instead"))
    }
    return session.mismatch(type, object, path: codingPath)
  }

  /// The value of a dictionary's key, or `nil` when it has none.
  @inline(__always)
  func find(_ key: String) -> Int? {
    let next = lastPosition &+ 1
    if let value = table.value(next, of: contents, ifKeyIs: key) {
      lastPosition = next
      return value
    }
    return search(key)
  }

  /// The text of the key behind the one that was last found, if it is that and has one.
  func nextText(_ key: String) -> String? {
    let next = lastPosition &+ 1
    guard let text = table.text(next, of: contents, ifKeyIs: key) else { return nil }
    lastPosition = next
    return text
  }

  @inline(never)
  private func search(_ key: String) -> Int? {
    guard let position = position(of: key) else { return nil }
    lastPosition = position
    return value(position)
  }

  private func position(of wanted: String) -> Int? {
    if !hasDuplicateKeys {
      let next = lastPosition + 1
      if next < count, session.hasText(wanted, key(next)) { return next }
      if lastPosition >= 0, session.hasText(wanted, key(lastPosition)) { return lastPosition }
    }
    if count > Self.searchLimit {
      let positions = self.positions ?? KeyPositions(of: self)
      self.positions = positions
      return positions.position(of: wanted)
    }
    let all = 0..<count
    if let exact = all.first(where: { session.hasText(wanted, key($0)) }) { return exact }
    // Swift's strings, and so Foundation's decoder, equate composed with decomposed letters.
    return all.first { !session.isASCII(key($0)) && session.string(key($0)) == wanted }
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull }

  func decode(_ type: String.Type) throws -> String {
    try session.text(existing(type)) { codingPath }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    try session.boolean(existing(type)) { codingPath }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try session.real(type, existing(type)) { codingPath }
  }

  func decode(_ type: Float.Type) throws -> Float {
    try session.real(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int.Type) throws -> Int {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int8.Type) throws -> Int8 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int16.Type) throws -> Int16 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int32.Type) throws -> Int32 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int64.Type) throws -> Int64 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int128.Type) throws -> Int128 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt.Type) throws -> UInt {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt8.Type) throws -> UInt8 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt16.Type) throws -> UInt16 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt32.Type) throws -> UInt32 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt64.Type) throws -> UInt64 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = ScalarType(type) {
      return try session.scalar(type, scalar, existing(type)) { codingPath }
    }
    return try session.decode(type, from: self)
  }

  /// The object, when there is one.
  @inline(__always)
  private func existing(_ type: Any.Type) throws(DecodingError) -> Int {
    guard !isMissing else { throw session.noValue(type, path: codingPath) }
    return object
  }
}

/// Where the keys of a dictionary stand, for those that are searched in no order.
struct KeyPositions {
  private var positions: [ExactText: Int] = [:]
  /// Positions of keys that are not ASCII, by what Swift's strings equate.
  private var canonicalPositions: [String: Int] = [:]

  init(of decoder: ValueDecoder) {
    positions.reserveCapacity(decoder.count)
    for position in 0..<decoder.count {
      let object = decoder.key(position)
      decoder.session.expandKey(object) { decoder.codingPath }
      guard decoder.session.failure == nil, let text = decoder.session.string(object) else {
        return
      }
      if positions[ExactText(text)] == nil { positions[ExactText(text)] = position }
      if !decoder.session.isASCII(object), canonicalPositions[text] == nil {
        canonicalPositions[text] = position
      }
    }
  }

  /// The position of a key, else of one that Swift's strings equate with it, else `nil`.
  func position(of key: String) -> Int? {
    positions[ExactText(key)] ?? canonicalPositions[key]
  }
}

/// A string that equals another only when their UTF-8 is the same.
struct ExactText: Hashable {
  let value: String

  init(_ value: String) {
    self.value = value
  }

  static func == (one: ExactText, other: ExactText) -> Bool {
    guard one.value.utf8.count == other.value.utf8.count else { return false }
    return unsafe one.value.utf8Span.span.bytes.holds(other.value.utf8Span.span.bytes, at: 0)
  }

  func hash(into hasher: inout Hasher) {
    unsafe value.utf8Span.span.bytes.withUnsafeBytes { bytes in
      hasher.combine(bytes.count)
      unsafe hasher.combine(bytes: bytes)
    }
  }
}
