/// The objects of a binary property list by number, checked, without a tree made of them.
///
/// Making the table checks everything: each object's bounds, each reference, that keys are strings
/// and differ, that nothing contains itself or is nested too deep. Reading an object afterwards
/// cannot fail. Objects that are shared stay so. Time and memory are linear in the bytes: 16 bytes
/// an object, and 8 more while dictionaries of more than eight keys are checked.
///
/// Objects have the numbers of the offset table, from 0 to ``count``; asking for one outside is a
/// mistake of the caller and traps.
public struct ObjectTable: Sendable {
  private let storage: TableStorage

  /// Checks a property list and keeps it.
  public init(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let index = try bytes.reading { bytes throws(DecodingFailure) in
      try ObjectIndex(of: bytes, options: options)
    }
    storage = TableStorage(bytes, index)
  }

  /// Checks a property list and keeps a copy of it.
  public init(
    copying bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let index = try ObjectIndex(of: bytes, options: options)
    storage = unsafe bytes.withUnsafeBytes { bytes in
      unsafe TableStorage([UInt8](copying: bytes, count: bytes.count), index)
    }
  }

  /// The property list.
  public var bytes: [UInt8] {
    @inline(__always) _read { yield storage.bytes }
  }

  var index: ObjectIndex {
    @inline(__always) _read { yield storage.index }
  }

  /// How many objects there are.
  public var count: Int { index.tape.count }

  /// The number of the object that is the property list's value.
  public var root: Int { index.trailer.root }

  /// What an object is.
  public func kind(of object: Int) -> ObjectKind {
    index.tape[object].kind.objectKind
  }

  /// Where an object begins.
  public func offset(of object: Int) -> Int {
    index.tape[object].offset
  }

  /// How many levels of containers there are from an object down; 0 for one that is no container.
  public func height(of object: Int) -> Int {
    index.tape[object].isContainer ? index.tape[object].height : 0
  }

  /// Whether containers refer to an object more than once.
  public func isShared(_ object: Int) -> Bool {
    index.tape[object].isShared
  }
}

extension ObjectTable {
  /// How many elements an array or set has, or pairs a dictionary; 0 for what is no container.
  public func count(of object: Int) -> Int {
    let entry = index.tape[object]
    return entry.isContainer ? entry.count : 0
  }

  /// The objects in an array or set, in order; none for what is neither.
  public func elements(of object: Int) -> ObjectReferences {
    let entry = index.tape[object]
    let count = entry.isContainer && entry.kind != .dictionary ? entry.count : 0
    return ObjectReferences(table: self, offset: entry.contentOffset, count: count)
  }

  /// The objects that are a dictionary's keys, in the order of ``values(of:)``; none for another.
  ///
  /// With ``DecodingOptions/keepsFirstOfDuplicateKeys`` equal keys may be among them.
  public func keys(of object: Int) -> ObjectReferences {
    let entry = index.tape[object]
    let count = entry.kind == .dictionary ? entry.count : 0
    return ObjectReferences(table: self, offset: entry.contentOffset, count: count)
  }

  /// The objects that are a dictionary's values; none for what is no dictionary.
  public func values(of object: Int) -> ObjectReferences {
    let entry = index.tape[object]
    let count = entry.kind == .dictionary ? entry.count : 0
    return ObjectReferences(
      table: self, offset: entry.contentOffset + count * index.trailer.referenceWidth,
      count: count)
  }

  /// Whether a dictionary has equal keys; only with
  /// ``DecodingOptions/keepsFirstOfDuplicateKeys`` can it.
  public func hasDuplicateKeys(_ object: Int) -> Bool {
    index.tape[object].kind == .dictionary && index.tape[object].isFlawed
  }

  /// The object that a dictionary has for a key, the first of several; `nil` when it has none.
  ///
  /// It looks through all keys: for many of a big dictionary, make one of your own.
  public func value(forKey key: String, in object: Int) -> Int? {
    let position = keys(of: object).firstIndex { candidate in
      let entry = index.tape[candidate]
      return bytes.reading { bytes in
        guard entry.kind == .ascii else { return entry.string(in: bytes).hasSameBytes(as: key) }
        return key.readingUTF8 { key in
          key.hasSameBytes(as: bytes.extracting(entry.contentRange))
        }
      }
    }
    return position.map { values(of: object)[$0] }
  }
}

extension ObjectTable {
  /// How many bytes the property list has.
  package var byteCount: Int { bytes.count }

  /// What there is to know of an object before reading what is in it.
  package func contents(of object: Int) -> ObjectContents {
    let entry = index.tape[object]
    let count = entry.isContainer ? entry.count : 0
    let offset = entry.contentOffset
    return ObjectContents(
      kind: entry.kind.objectKind, isShared: entry.isShared,
      hasDuplicateKeys: entry.isDictionary && entry.isFlawed, count: count, keyOffset: offset,
      valueOffset: entry.isDictionary ? offset + count * index.trailer.referenceWidth : offset)
  }

  /// The object that is a dictionary's key at a position.
  package func key(_ position: Int, of contents: ObjectContents) -> Int {
    precondition(position >= 0 && position < contents.count)
    return reference(position, from: contents.keyOffset)
  }

  /// The object that is a dictionary's value or another container's element at a position.
  package func value(_ position: Int, of contents: ObjectContents) -> Int {
    precondition(position >= 0 && position < contents.count)
    return reference(position, from: contents.valueOffset)
  }

  /// The value at a position of a dictionary without duplicate keys if its key is certain ASCII.
  ///
  /// - Returns: `nil`, too, when there is no such position, or a key that is not ASCII.
  package func value(
    _ position: Int, of contents: ObjectContents, ifKeyIs key: String
  ) -> Int? {
    guard position < contents.count, !contents.hasDuplicateKeys else { return nil }
    guard isASCII(self.key(position, of: contents), key) else { return nil }
    return value(position, of: contents)
  }

  /// Whether an object is a string that is stored as ASCII and has a text.
  @inline(__always)
  package func isASCII(_ object: Int, _ text: String) -> Bool {
    let entry = index.tape[object]
    guard entry.kind == .ascii else { return false }
    return text.readingUTF8 { text in
      text.byteCount == entry.count
        && bytes.reading { bytes in bytes.holds(text, at: entry.contentOffset) }
    }
  }

  /// The text at a position of a dictionary if its key is certain ASCII, as by
  /// ``value(_:of:ifKeyIs:)`` and ``unsharedString(_:)``.
  package func text(_ position: Int, of contents: ObjectContents, ifKeyIs key: String) -> String? {
    guard position < contents.count, !contents.hasDuplicateKeys,
      isASCII(self.key(position, of: contents), key)
    else { return nil }
    return unsharedText(value(position, of: contents))
  }

  /// The text of a string, or `nil` for another object; also for a string of more than
  /// ``smallTextLength`` bytes with several references to it, as each call makes another copy.
  package func unsharedString(_ object: Int) -> String? {
    unsharedText(object)
  }

  @inline(__always)
  private func unsharedText(_ object: Int) -> String? {
    let entry = index.tape[object]
    guard entry.isString else { return nil }
    if entry.isShared {
      let length = entry.kind == .utf16 ? 2 * entry.count : entry.count
      guard length <= Self.smallTextLength else { return nil }
    }
    return bytes.reading { entry.string(in: $0) }
  }

  /// Strings up to here lie inside a `String`.
  package static let smallTextLength = 15

  @inline(__always)
  private func reference(_ position: Int, from offset: Int) -> Int {
    bytes.reading { bytes in
      index.trailer.checkedReference(
        at: offset &+ position &* index.trailer.referenceWidth, in: bytes)
    }
  }
}

/// What a table says of an object to those who will read what is in it, in one answer.
///
/// It retains nothing: it is for those who have the table.
package struct ObjectContents {
  package let kind: ObjectKind
  /// Whether containers refer to the object more than once.
  package let isShared: Bool
  /// Whether equal keys are among a dictionary's.
  package let hasDuplicateKeys: Bool
  /// How many elements or pairs there are.
  package let count: Int
  /// Where the references to keys begin.
  let keyOffset: Int
  /// Where the references to values or elements begin.
  let valueOffset: Int
}

/// The objects that a container refers to, in order.
public struct ObjectReferences: RandomAccessCollection, Sendable {
  private let bytes: [UInt8]
  private let trailer: Trailer
  private let offset: Int
  /// How many there are.
  public let count: Int

  init(table: ObjectTable, offset: Int, count: Int) {
    bytes = table.bytes
    trailer = table.index.trailer
    self.offset = offset
    self.count = count
  }

  /// The position of the first.
  public var startIndex: Int { 0 }

  /// The position behind the last.
  public var endIndex: Int { count }

  /// The number of the object at a position.
  public subscript(position: Int) -> Int {
    precondition(position >= 0 && position < count, "position outside the container")
    // The table checked that it is the number of an object.
    return bytes.reading { bytes in
      trailer.checkedReference(at: offset + position * trailer.referenceWidth, in: bytes)
    }
  }
}

/// The kinds of objects in a binary property list.
public enum ObjectKind: UInt8, Hashable, Sendable, CaseIterable {
  /// No value.
  case null
  /// A truth value.
  case boolean
  /// An integer that fits into 64 bits with sign, whatever its encoding's width.
  case integer
  /// An integer that does not.
  case wideInteger
  /// A floating-point number of four bytes.
  case float
  /// A floating-point number of eight bytes.
  case real
  /// A moment.
  case date
  /// Bytes.
  case data
  /// Text.
  case string
  /// An object number.
  case uid
  /// Values in order.
  case array
  /// An ordered set.
  case orderedSet
  /// A set.
  case set
  /// Values by key.
  case dictionary

  /// Whether objects of the kind refer to others.
  public var isContainer: Bool { rawValue >= Self.array.rawValue }
}

/// What a table keeps, in one place: a table of several words would be copied, and what it refers
/// to retained, for nearly every call across modules.
final class TableStorage: Sendable {
  let bytes: [UInt8]
  let index: ObjectIndex

  init(_ bytes: consuming [UInt8], _ index: consuming ObjectIndex) {
    self.bytes = bytes
    self.index = index
  }
}
