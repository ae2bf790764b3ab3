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
