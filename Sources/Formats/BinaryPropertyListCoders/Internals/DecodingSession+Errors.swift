import BinaryPropertyList

extension DecodingSession {
  /// The error for an object that is not what a type needs.
  @inline(never)
  func missing(
    _ type: Any.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) -> DecodingError {
    isNull(object)
      ? noValue(type, path: path()) : mismatch(type, object, path: path())
  }

  /// The error for a value that is needed and missing.
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
