import BinaryPropertyList

/// Decodes one value from its object, or a missing value.
final class ValueDecoder: Decoder {
  let session: DecodingSession
  /// The object; for a missing value, the container that lacks it.
  let object: Int
  /// Whether the value is missing.
  let isMissing: Bool
  /// The session's table, at hand.
  private let table: ObjectTable
  /// The contents of the object.
  private let contents: ObjectContents
  /// Whether the object or a container around it is shared, and so may be met again elsewhere.
  private let isShared: Bool
  private let parent: ValueDecoder?
  private let step: (any CodingKey)?
  /// The position of the key that was last found among the object's keys.
  private var lastPosition = -1
  /// The positions of all keys, made for big dictionaries when a key is not where it is expected.
  private var positions: KeyPositions?

  /// Up to this count a linear search through the keys costs less than hashing them.
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

  /// Whether a dictionary has equal keys, of which the first counts.
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

  /// Whether the value is missing, or an object stands for a missing one.
  @inline(__always)
  var isNull: Bool { isMissing || session.isNull(object) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard !isMissing, contents.kind == .dictionary else {
      throw wrongContainer([String: Any].self, "keyed")
    }
    if isShared { try session.expand(object, count: count) { codingPath } }
    return KeyedDecodingContainer(KeyedReader(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch contents.kind {
    case .array where !isMissing, .orderedSet where !isMissing, .set where !isMissing: break
    default: throw wrongContainer([Any].self, "unkeyed")
    }
    if isShared { try session.expand(object, count: count) { codingPath } }
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

  /// The text of a key, if the key follows the one last found and the text can be made at once.
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
  func decode(_ type: Double.Type) throws -> Double { try real() }
  func decode(_ type: Float.Type) throws -> Float { try real() }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = ScalarType(type) {
      return try session.scalar(type, scalar, existing(type)) { codingPath }
    }
    return try session.decode(type, from: self)
  }

  @inline(__always)
  private func real<Real: BinaryFloatingPoint>() throws(DecodingError) -> Real {
    try session.real(Real.self, existing(Real.self)) { codingPath }
  }

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>() throws(DecodingError) -> Integer {
    try session.integer(Integer.self, existing(Integer.self)) { codingPath }
  }

  /// The object, unless the value is missing.
  @inline(__always)
  private func existing(_ type: Any.Type) throws(DecodingError) -> Int {
    guard !isMissing else { throw session.noValue(type, path: codingPath) }
    return object
  }
}

/// The positions of a dictionary's keys, for keys that are asked for in any order.
private struct KeyPositions {
  private var positions: [ExactString: Int] = [:]
  /// The positions of keys that are not ASCII, by text, where Swift equates canonical equivalents.
  private var canonicalPositions: [String: Int] = [:]

  init(of decoder: ValueDecoder) {
    positions.reserveCapacity(decoder.count)
    for position in 0..<decoder.count {
      let object = decoder.key(position)
      decoder.session.expandKey(object) { decoder.codingPath }
      guard decoder.session.failure == nil, let text = decoder.session.string(object) else {
        return
      }
      if positions[ExactString(text)] == nil { positions[ExactString(text)] = position }
      if !decoder.session.isASCII(object), canonicalPositions[text] == nil {
        canonicalPositions[text] = position
      }
    }
  }

  /// The position of a key, else of one that Swift's strings equate with it, else `nil`.
  func position(of key: String) -> Int? {
    positions[ExactString(key)] ?? canonicalPositions[key]
  }
}
