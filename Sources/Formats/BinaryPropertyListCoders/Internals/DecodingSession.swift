import BinaryPropertyList

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state that all decoders of one property list share.
final class DecodingSession {
  let table: ObjectTable
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// How many values in shared containers may still be met.
  private var expansionLeft: Int
  /// The failure that ends the decoding, noted by functions of containers that cannot throw.
  ///
  /// As `DecodingError?` it would take a call to see that there is none.
  private(set) var failure: (any Error)?
  /// How many calls of types' own `init(from:)` are under way.
  private var callDepth = 0
  /// Long strings and data that occur more than once, by object: a few references to a long text
  /// must not become as many copies.
  private var sharedStrings: [Int: String] = [:]
  private var sharedData: [Int: Data] = [:]

  /// How many nested calls of `init(from:)` a value may take for each level of containers, on
  /// average; an optional takes one of its own. This stops types that decode themselves without end.
  private static let callsPerLevel = 4
  /// What opening a shared container counts, besides its elements: a type that tries one kind after
  /// the other may make and drop several errors, each with its path, for every value.
  private static let openingCost = 16
  /// Shared keys below this length, far above that of real keys, cost nothing. Longer ones do: a
  /// thousand dictionaries with one shared key of a megabyte would be a gigabyte to hash.
  private static let freeKeyLength = 64

  init(table: ObjectTable, of decoder: borrowing BinaryPropertyListDecoder) {
    let limit = table.bytes.count.addingReportingOverflow(max(0, decoder.options.expansionLimit))
    expansionLeft = limit.overflow ? .max : limit.partialValue
    userInfo = decoder.userInfo
    self.table = table
  }

  /// Whether an object stands for a missing value.
  @inline(__always)
  func isNull(_ object: Int) -> Bool {
    switch table.kind(of: object) {
    case .null: true
    case .string: hasText("$null", object)
    default: false
    }
  }

  /// Whether a string object has a text, byte for byte.
  @inline(__always)
  func hasText(_ text: String, _ object: Int) -> Bool {
    if table.isASCII(object, text) { return true }
    guard let range = table.stringRange(object), range.encoding != .ascii else { return false }
    return hasWideText(text, range, object)
  }

  @inline(never)
  private func hasWideText(_ text: String, _ range: StringRange, _ object: Int) -> Bool {
    // A unit is one to three bytes of UTF-8.
    guard text.utf8.count / 3 <= range.unitCount, text.utf8.count >= range.unitCount else {
      return false
    }
    return string(object).map { ExactString($0) == ExactString(text) } ?? false
  }

  /// Whether an object is a string of ASCII.
  func isASCII(_ object: Int) -> Bool { table.stringRange(object)?.encoding == .ascii }

  /// The text of a string object, or `nil` for another.
  @inline(__always)
  func string(_ object: Int) -> String? {
    table.unsharedString(object) ?? sharedString(object)
  }

  @inline(never)
  private func sharedString(_ object: Int) -> String? {
    if let known = sharedStrings[object] { return known }
    let made = table.string(object)
    sharedStrings[object] = made
    return made
  }

  /// The bytes of a data object, or `nil` for another.
  func data(_ object: Int) -> Data? {
    guard let range = table.dataRange(object) else { return nil }
    guard table.isShared(object) else { return Data(table.bytes[range]) }
    if let known = sharedData[object] { return known }
    let made = Data(table.bytes[range])
    sharedData[object] = made
    return made
  }

  /// Charges for the values of a shared container, which are met once more.
  func expand(_ object: Int, count: Int, _ path: () -> [any CodingKey]) throws {
    charge(Self.openingCost + count, object, path)
    if let failure { throw failure }
  }

  /// Charges for a shared key that becomes a string to be hashed.
  func expandKey(_ object: Int, _ path: () -> [any CodingKey]) {
    guard table.isShared(object), let range = table.stringRange(object),
      range.byteCount >= Self.freeKeyLength
    else { return }
    charge(range.byteCount / Self.freeKeyLength, object, path)
  }

  private func charge(_ amount: Int, _ object: Int, _ path: () -> [any CodingKey]) {
    expansionLeft = max(-1, expansionLeft) - amount
    guard expansionLeft < 0, failure == nil else { return }
    failure = Self.corrupted(DecodingFailure(.expansion, at: table.offset(of: object)), path())
  }

  /// Makes a value by its type's own initialiser.
  func decode<Value: Decodable>(_ type: Value.Type, from decoder: ValueDecoder) throws -> Value {
    guard callDepth < Self.callsPerLevel * DecodingOptions.maximumDepth else {
      throw Self.corrupted(
        DecodingFailure(.tooDeep, at: table.offset(of: decoder.object)), decoder.codingPath)
    }
    callDepth += 1
    defer { callDepth -= 1 }
    return try type.init(from: decoder)
  }
}

// MARK: - Scalars

extension DecodingSession {
  /// The text of an object.
  @inline(__always)
  func text(_ object: Int, _ path: () -> [any CodingKey]) throws(DecodingError) -> String {
    guard let value = string(object) else { throw missing(String.self, object, path) }
    return value
  }

  /// The truth value of an object.
  @inline(__always)
  func boolean(_ object: Int, _ path: () -> [any CodingKey]) throws(DecodingError) -> Bool {
    guard let value = table.boolean(object) else { throw missing(Bool.self, object, path) }
    return value
  }

  /// The integer of an object, which may also be a floating-point number with an integral value.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Integer {
    if let number = table.integer(object), let value = Integer(exactly: number) { return value }
    return try unusualInteger(type, object, path)
  }

  @inline(never)
  private func unusualInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Integer {
    if let number = table.wideInteger(object) {
      guard let value = Integer(exactly: number) else { throw misfit("\(number)", type, path()) }
      return value
    }
    guard let number = table.real(object) ?? table.float(object).map(Double.init) else {
      throw missing(type, object, path)
    }
    guard let value = Integer(exactly: number) else { throw misfit("\(number)", type, path()) }
    return value
  }

  /// The floating-point number of an object, which may also be an integer and is rounded then.
  @inline(__always)
  func real<Real: BinaryFloatingPoint>(
    _ type: Real.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Real {
    if let number = table.real(object) {
      // A NaN equals nothing, not even itself.
      guard let value = number.isNaN ? Real(number) : Real(exactly: number) else {
        throw misfit("\(number)", type, path())
      }
      return value
    }
    if let number = table.float(object) { return Real(number) }
    if let number = table.integer(object) { return Real(number) }
    guard let number = table.wideInteger(object) else { throw missing(type, object, path) }
    return Real(number)
  }
}

// MARK: - Errors

extension DecodingSession {
  /// The error for an object that is not what a type needs.
  @inline(never)
  func missing(
    _ type: Any.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) -> DecodingError {
    isNull(object)
      ? noValue(type, path: path()) : mismatch(type, object, path: path())
  }

  /// The error for a missing value that is needed.
  func noValue(_ type: Any.Type, path: [any CodingKey]) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription: "Cannot get value of \(type) -- found null value instead"))
  }

  /// The error for an object of the wrong kind.
  func mismatch(_ type: Any.Type, _ object: Int, path: [any CodingKey]) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription:
          "Expected to decode \(type) but found \(Self.name(of: table.kind(of: object))) instead."))
  }

  /// The error for a number that a type cannot hold.
  func misfit(_ number: String, _ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path,
        debugDescription: "Parsed property list number <\(number)> does not fit in \(type)."))
  }

  private static func corrupted(
    _ failure: DecodingFailure, _ path: [any CodingKey]
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: "\(failure)", underlyingError: failure))
  }

  private static func name(of kind: ObjectKind) -> String {
    switch kind {
    case .null: "a null value"
    case .boolean: "a boolean"
    case .integer, .wideInteger: "an integer"
    case .float, .real: "a real number"
    case .date: "a date"
    case .data: "a data value"
    case .string: "a string"
    case .uid: "a uid"
    case .array: "an array"
    case .orderedSet: "an ordered set"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
