/// The objects of a binary property list by number, checked, without a tree made of them.
///
/// Making the table checks everything: each object's bounds, each reference, that keys are strings
/// and differ, that nothing contains itself or is nested too deep. Reading an object afterwards
/// cannot fail. Shared objects stay shared. Time and memory are linear in the bytes: 16 bytes an
/// object, and 8 more while dictionaries of more than eight keys are checked.
///
/// Objects have the numbers of the offset table, from 0 up to ``count``; asking for another number
/// is a mistake of the caller and traps.
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

  /// The kind of an object.
  public func kind(of object: Int) -> ObjectKind {
    index.tape[object].kind.objectKind
  }

  /// The offset of an object's first byte.
  public func offset(of object: Int) -> Int {
    index.tape[object].offset
  }

  /// How many levels of containers there are from an object down; 0 for a scalar.
  public func height(of object: Int) -> Int {
    index.tape[object].isContainer ? index.tape[object].height : 0
  }

  /// Whether containers refer to an object more than once.
  public func isShared(_ object: Int) -> Bool {
    index.tape[object].isShared
  }

  /// The value of an object with everything in it.
  ///
  /// - Throws: ``DecodingFailure`` when shared containers expand to too many values, the only
  ///   failure left; ``DecodingOptions/expansionLimit`` is the one of its options that counts.
  public func propertyList(
    _ object: Int, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> PropertyList {
    try bytes.reading { bytes throws(DecodingFailure) in
      try TreeBuilder.value(of: object, in: index, bytes, options: options)
    }
  }
}

/// The storage of a table, in one object: a struct of several words would be copied, and what it
/// refers to retained, for nearly every call across modules.
private final class TableStorage: Sendable {
  let bytes: [UInt8]
  let index: ObjectIndex

  init(_ bytes: consuming [UInt8], _ index: consuming ObjectIndex) {
    self.bytes = bytes
    self.index = index
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

// MARK: - Containers

/// The answer of a table to all that a reader of an object's contents asks first.
///
/// It retains nothing, so that it costs nothing to keep beside the table.
public struct ObjectContents: Sendable {
  /// The kind of the object.
  public let kind: ObjectKind
  /// Whether containers refer to the object more than once.
  public let isShared: Bool
  /// Whether the object is a dictionary with equal keys or integers as keys, which only
  /// ``DecodingOptions/keepsFirstOfDuplicateKeys`` and ``DecodingOptions/toleratesFlaws`` let pass.
  public let hasDuplicateKeys: Bool
  /// How many elements or pairs there are; 0 in a scalar.
  public let count: Int
  /// The offset of the first reference to a key.
  fileprivate let keyOffset: Int
  /// The offset of the first reference to a value or element.
  fileprivate let valueOffset: Int
}

extension ObjectTable {
  /// The contents of an object, to be read by ``key(_:of:)`` and ``value(_:of:)``.
  public func contents(of object: Int) -> ObjectContents {
    let entry = index.tape[object]
    let count = entry.isContainer ? entry.count : 0
    let offset = entry.contentOffset
    return ObjectContents(
      kind: entry.kind.objectKind, isShared: entry.isShared,
      hasDuplicateKeys: entry.isDictionary && entry.isFlawed, count: count, keyOffset: offset,
      valueOffset: entry.isDictionary ? offset + count * index.trailer.referenceWidth : offset)
  }

  /// The object that is a dictionary's key at a position.
  public func key(_ position: Int, of contents: ObjectContents) -> Int {
    precondition(position >= 0 && position < contents.count)
    return reference(position, from: contents.keyOffset)
  }

  /// The object that is a dictionary's value or another container's element at a position.
  public func value(_ position: Int, of contents: ObjectContents) -> Int {
    precondition(position >= 0 && position < contents.count)
    return reference(position, from: contents.valueOffset)
  }

  /// The value at a position of a dictionary without duplicate keys, if its key has a given text
  /// and is stored as ASCII.
  ///
  /// - Returns: `nil`, too, when there is no such position.
  package func value(
    _ position: Int, of contents: ObjectContents, ifKeyIs key: String
  ) -> Int? {
    guard position < contents.count, !contents.hasDuplicateKeys else { return nil }
    guard isASCII(self.key(position, of: contents), key) else { return nil }
    return value(position, of: contents)
  }

  /// The text at a position of a dictionary, found as by ``value(_:of:ifKeyIs:)`` and made as by
  /// ``unsharedString(_:)``.
  package func text(_ position: Int, of contents: ObjectContents, ifKeyIs key: String) -> String? {
    guard position < contents.count, !contents.hasDuplicateKeys,
      isASCII(self.key(position, of: contents), key)
    else { return nil }
    return unsharedString(value(position, of: contents))
  }

  /// Whether an object is a string that is stored as ASCII and has a given text.
  @inline(__always)
  package func isASCII(_ object: Int, _ text: String) -> Bool {
    let entry = index.tape[object]
    guard entry.kind == .ascii else { return false }
    return text.readingUTF8 { text in
      text.byteCount == entry.count
        && bytes.reading { bytes in bytes.holds(text, at: entry.contentOffset) }
    }
  }

  /// The text of a string, or `nil` for another object; `nil`, too, for a string that is shared and
  /// not small, as each call makes another copy.
  @inline(__always)
  package func unsharedString(_ object: Int) -> String? {
    let entry = index.tape[object]
    guard entry.isString else { return nil }
    if entry.isShared {
      let length = entry.kind == .utf16 ? 2 * entry.count : entry.count
      guard length <= TapeEntry.smallTextLength else { return nil }
    }
    return bytes.reading { entry.string(in: $0) }
  }

  @inline(__always)
  private func reference(_ position: Int, from offset: Int) -> Int {
    bytes.reading { bytes in
      index.trailer.checkedReference(
        at: offset &+ position &* index.trailer.referenceWidth, in: bytes)
    }
  }
}

extension ObjectTable {
  /// The value of a boolean object, or `nil` for another object.
  public func boolean(_ object: Int) -> Bool? {
    value(object, .boolean).map { $0 != 0 }
  }

  /// The value of an integer object that fits into 64 bits, or `nil` for another object.
  public func integer(_ object: Int) -> Int64? {
    value(object, .integer).map(Int64.init(bitPattern:))
  }

  /// The value of any integer object, or `nil` for another object.
  public func wideInteger(_ object: Int) -> Int128? {
    switch index.tape[object].kind {
    case .integer: integer(object).map { Int128($0) }
    case .wideInteger: bytes.reading { index.tape[object].wideValue(in: $0) }
    default: nil
    }
  }

  /// The value of a floating-point object of four bytes, or `nil` for another object.
  public func float(_ object: Int) -> Float? {
    value(object, .float).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
  }

  /// The value of a floating-point object of eight bytes, or `nil` for another object.
  public func real(_ object: Int) -> Double? {
    value(object, .real).map(Double.init(bitPattern:))
  }

  /// The seconds since 2001-01-01T00:00:00Z of a date, or `nil` for another object.
  public func date(_ object: Int) -> Double? {
    value(object, .date).map(Double.init(bitPattern:))
  }

  /// The number in a UID, or `nil` for another object.
  public func uid(_ object: Int) -> UInt64? {
    value(object, .uid)
  }

  /// The place of a data object's bytes, or `nil` for another object.
  public func dataRange(_ object: Int) -> Range<Int>? {
    let entry = index.tape[object]
    guard entry.kind == .data else { return nil }
    return entry.contentRange
  }

  /// The bytes of a data object, or `nil` for another object.
  public func data(_ object: Int) -> [UInt8]? {
    dataRange(object).map { [UInt8](bytes[$0]) }
  }

  /// The place of a string's text, or `nil` for another object.
  public func stringRange(_ object: Int) -> StringRange? {
    index.tape[object].stringRange
  }

  /// The text of a string, or `nil` for another object.
  public func string(_ object: Int) -> String? {
    let entry = index.tape[object]
    return entry.isString ? bytes.reading { entry.string(in: $0) } : nil
  }

  private func value(_ object: Int, _ kind: TapeKind) -> UInt64? {
    let entry = index.tape[object]
    return entry.kind == kind ? entry.value : nil
  }
}

/// The place of a string's text in a property list's bytes.
public struct StringRange: Hashable, Sendable {
  /// The offset of the first byte of text.
  public let offset: Int
  /// How many units there are.
  public let unitCount: Int
  /// How the bytes are to be read.
  public let encoding: StringEncoding

  /// How many bytes there are.
  public var byteCount: Int { encoding == .utf16 ? 2 * unitCount : unitCount }

  /// Makes the string.
  ///
  /// - Parameter bytes: The bytes in which the range was found.
  /// - Throws: ``DecodingFailure`` for a lone surrogate, unless an option replaces it, and for
  ///   other bytes than those in which the range was found when the range lies outside them.
  public func string(
    in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> String {
    guard offset <= bytes.byteCount, byteCount <= bytes.byteCount - offset else {
      throw DecodingFailure(.objectTruncated, at: offset)
    }
    switch encoding {
    case .narrow where offset + unitCount <= bytes.byteCount - 8:
      return bytes.isASCII(at: offset, count: unitCount)
        ? bytes.checkedASCIIString(at: offset, count: unitCount)
        : bytes.wideCharactersString(at: offset, count: unitCount)
    case .ascii:
      return bytes.asciiString(at: offset, count: unitCount)
    case .narrow, .latin1:
      return bytes.wideCharactersString(at: offset, count: unitCount)
    case .utf16:
      if !options.replacesLoneSurrogates,
        let lone = bytes.firstLoneSurrogate(at: offset, count: unitCount)
      {
        throw DecodingFailure(.loneSurrogate, at: lone)
      }
      return bytes.utf16String(at: offset, count: unitCount)
    }
  }
}

/// How the bytes of a string are to be read.
public enum StringEncoding: UInt8, Hashable, Sendable {
  /// A byte a unit, all below 0x80.
  case ascii
  /// A byte a unit, some of them 0x80 or more.
  ///
  /// The format means such strings to be ASCII. libplist writes UTF-8 this way, and old versions
  /// of iTunes wrote Latin-1, as which CoreFoundation reads all of them: they are read as UTF-8
  /// where they are, and otherwise as Latin-1.
  case latin1
  /// Two bytes a unit, the higher first.
  case utf16
  /// A byte a unit, not checked yet: a lookup leaves the check to whoever makes the string, and so
  /// reads no byte of a text that nobody asks for.
  case narrow
}
