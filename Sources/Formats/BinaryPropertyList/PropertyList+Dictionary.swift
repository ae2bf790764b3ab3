import Synchronization

extension PropertyList {
  /// Values by key, in the order of insertion.
  ///
  /// Keys differ when their UTF-8 differs, so the composed and the decomposed form of a letter are
  /// two keys. Equality includes the order, since the order is part of the encoding.
  public struct Dictionary: Sendable {
    /// The keys with their values, in the order of insertion.
    public private(set) var entries: [Entry]
    /// Finds keys; absent while the dictionary is small enough for a linear search.
    private var index: KeyIndex?

    /// Makes a dictionary without entries.
    public init() {
      entries = []
      index = nil
    }

    /// Makes a dictionary of pairs whose keys all differ.
    ///
    /// - Throws: ``DuplicateKey`` for the first key that repeats an earlier one.
    public init(_ pairs: some Sequence<(String, PropertyList)>) throws(DuplicateKey) {
      self.init()
      for (key, value) in pairs {
        guard position(of: key) == nil else {
          throw DuplicateKey(key: key, position: entries.count)
        }
        append(Entry(key: key, value: value))
      }
    }

    /// Makes a dictionary of pairs; a repeated key keeps its place and gets the chosen value.
    ///
    /// - Parameter choose: Called with the value so far and the new one.
    public init(
      _ pairs: some Sequence<(String, PropertyList)>,
      uniquingKeysWith choose: (PropertyList, PropertyList) -> PropertyList
    ) {
      self.init()
      for (key, value) in pairs {
        if let position = position(of: key) {
          entries[position].value = choose(entries[position].value, value)
        } else {
          append(Entry(key: key, value: value))
        }
      }
    }

    /// Makes a dictionary of entries whose keys are known to differ.
    init(unique entries: [Entry]) {
      self.entries = entries
      index = entries.count > Self.searchLimit ? KeyIndex() : nil
    }

    /// How many entries there are.
    public var count: Int { entries.count }

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// The keys, in the order of insertion.
    public var keys: some RandomAccessCollection<String> { entries.lazy.map(\.key) }

    /// The values, in the order of insertion.
    public var values: some RandomAccessCollection<PropertyList> { entries.lazy.map(\.value) }

    /// The value of a key; setting `nil` removes the entry, setting a new key appends one.
    public subscript(key: String) -> PropertyList? {
      get {
        position(of: key).map { entries[$0].value }
      }
      set {
        switch (position(of: key), newValue) {
        case (let position?, let value?):
          entries[position].value = value
        case (let position?, nil):
          entries.remove(at: position)
          index = entries.count > Self.searchLimit ? KeyIndex() : nil
        case (nil, let value?):
          append(Entry(key: key, value: value))
        case (nil, nil):
          break
        }
      }
    }

    /// The position of a key among the entries, or `nil` for a key without an entry.
    public func position(of key: String) -> Int? {
      if let index {
        return index.position(of: key, in: entries)
      }
      return entries.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    private mutating func append(_ entry: Entry) {
      entries.append(entry)
      guard entries.count > Self.searchLimit else { return }
      if isKnownUniquelyReferenced(&index) {
        index?.insert(entry.key, at: entries.count - 1)
      } else {
        index = KeyIndex()
      }
    }

    /// Up to this count a linear search costs less than hashing the key.
    private static let searchLimit = 16
  }
}

extension PropertyList.Dictionary: Hashable {
  /// Whether both have the same entries in the same order.
  public static func == (one: Self, other: Self) -> Bool {
    one.entries == other.entries
  }

  /// Feeds the entries into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entries)
  }
}

extension PropertyList.Dictionary: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of a literal; a repeated key keeps its place and takes the last value.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self.init(elements) { _, new in new }
  }
}

extension PropertyList.Dictionary {
  /// A key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key; two keys are the same when their UTF-8 is.
    public let key: String
    /// The value.
    public var value: PropertyList

    /// Makes an entry.
    public init(key: String, value: PropertyList) {
      self.key = key
      self.value = value
    }

    /// Whether keys and values are the same, byte for byte.
    public static func == (one: Self, other: Self) -> Bool {
      one.key.hasSameBytes(as: other.key) && one.value == other.value
    }

    /// Feeds key and value into a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactString(key))
      hasher.combine(value)
    }
  }

  /// The failure to make a dictionary of pairs of which two have the same key.
  public struct DuplicateKey: Error, Hashable, CustomStringConvertible {
    /// The repeated key.
    public let key: String
    /// The position of the pair that repeats the key, counted from 0.
    public let position: Int

    /// The failure in words.
    public var description: String { "key \"\(key)\" is given twice" }
  }
}

/// The positions of a big dictionary's keys, computed at the first search.
///
/// The reader makes dictionaries whose keys it has already compared, and many are never searched.
private final class KeyIndex: Sendable {
  private let positions = Mutex<[ExactString: Int]>([:])

  /// The position of a key in `entries`, which are always those of the one dictionary value.
  func position(of key: String, in entries: [PropertyList.Dictionary.Entry]) -> Int? {
    positions.withLock { positions in
      if positions.isEmpty {
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() {
          positions[ExactString(entry.key)] = position
        }
      }
      return positions[ExactString(key)]
    }
  }

  /// Notes an appended key, unless the positions are still to be computed.
  func insert(_ key: String, at position: Int) {
    positions.withLock { positions in
      if !positions.isEmpty {
        positions[ExactString(key)] = position
      }
    }
  }
}

/// A string that equals another only when their UTF-8 is the same.
package struct ExactString: Hashable {
  private let value: String

  package init(_ value: String) {
    self.value = value
  }

  package static func == (one: ExactString, other: ExactString) -> Bool {
    one.value.hasSameBytes(as: other.value)
  }

  package func hash(into hasher: inout Hasher) {
    value.readingUTF8 { bytes in
      hasher.combine(bytes.byteCount)
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}

extension String {
  /// Whether both strings have the same UTF-8; `==` would also equate canonical equivalents.
  func hasSameBytes(as other: String) -> Bool {
    readingUTF8 { one in
      other.readingUTF8 { two in
        one.hasSameBytes(as: two)
      }
    }
  }
}
