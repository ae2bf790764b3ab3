import BinaryPropertyList

/// Decodes one value from its object, or from the lack of one.
final class ValueDecoder: Decoder {
  let session: DecodingSession
  /// The object.
  let object: Int
  /// Whether there is none, and the number that of the container which lacks it.
  let isMissing: Bool
  /// A dictionary's keys.
  let keys: ObjectReferences
  /// A dictionary's values, or the elements of another container.
  let values: ObjectReferences
  /// Whether the object or a container around it is shared, and so may be met again elsewhere.
  private let isShared: Bool
  private let parent: ValueDecoder?
  private let step: (any CodingKey)?
  /// Whether equal keys are among the keys, of which the first counts.
  let hasDuplicateKeys: Bool
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
    self.isShared = isShared || session.table.isShared(object)
    self.parent = parent
    self.step = step
    keys = session.table.keys(of: object)
    if session.table.kind(of: object) == .dictionary {
      values = session.table.values(of: object)
      hasDuplicateKeys = session.table.hasDuplicateKeys(object)
    } else {
      values = session.table.elements(of: object)
      hasDuplicateKeys = false
    }
  }

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
    guard !isMissing, session.table.kind(of: object) == .dictionary else {
      throw wrongContainer([String: Any].self, "keyed")
    }
    if isShared { try session.expand(object) { codingPath } }
    return KeyedDecodingContainer(KeyedReader(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch session.table.kind(of: object) {
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
    if !hasDuplicateKeys, next < keys.count, session.hasText(key, keys[next]) {
      lastPosition = next
      return values[next]
    }
    return search(key)
  }

  @inline(never)
  private func search(_ key: String) -> Int? {
    guard let position = position(of: key) else { return nil }
    lastPosition = position
    return values[position]
  }

  private func position(of wanted: String) -> Int? {
    if !hasDuplicateKeys, lastPosition >= 0, session.hasText(wanted, keys[lastPosition]) {
      return lastPosition
    }
    if keys.count > Self.searchLimit {
      let positions = self.positions ?? KeyPositions(of: self)
      self.positions = positions
      return positions.position(of: wanted)
    }
    if let exact = keys.firstIndex(where: { session.hasText(wanted, $0) }) { return exact }
    // Swift's strings, and so Foundation's decoder, equate composed with decomposed letters.
    return keys.firstIndex { key in !session.isASCII(key) && session.string(key) == wanted }
  }
}
