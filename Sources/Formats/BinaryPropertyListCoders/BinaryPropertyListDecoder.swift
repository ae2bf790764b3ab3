public import BinaryPropertyList

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes values from binary property lists, as Foundation's `PropertyListDecoder` does.
///
/// `Data` is decoded from a data object, `Date` from a date object, a `URL` from the dictionary that
/// it encodes itself as. A null object is a missing value, and so is the string `$null`, which
/// Foundation writes in its place; only a `String` is decoded from `$null` as that text. A number is
/// decoded as any type that holds it exactly; integers become floating-point numbers by rounding.
/// Unlike Foundation, the decoder also reads integers of 16 bytes, sets and ordered sets (as
/// arrays), and strings with bytes of Latin-1.
///
/// Nothing is decoded from bytes that are damaged anywhere. Containers are nested at most
/// `DecodingOptions.depthLimit` deep. A shared container can be opened at many places: each opening
/// counts sixteen, plus one for each element, and the sum may exceed the number of bytes by
/// `DecodingOptions.expansionLimit`. Only shared containers and the containers in them count, so
/// that a type may walk the files of known writers, which share none, as often as it likes. Shared
/// keys of 64 bytes and more count by their length, too.
public struct BinaryPropertyListDecoder: Sendable {
  /// What the decoder tolerates in the bytes, and how much it will take on.
  public var options: DecodingOptions

  /// The `userInfo` of the decoders that values see.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Makes a decoder.
  public init(options: DecodingOptions = DecodingOptions()) {
    self.options = options
  }

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError`, always with the coding path: `dataCorrupted` for bytes that are no
  ///   property list or damaged, with the `DecodingFailure` as its underlying error, for numbers
  ///   that do not fit, and for too much sharing; `typeMismatch`, `keyNotFound` and
  ///   `valueNotFound` where the list holds something else; and whatever the type itself throws.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let table = try table { () throws(DecodingFailure) in
      try ObjectTable(copying: data.bytes, options: options)
    }
    return try decode(type, from: table)
  }

  /// Decodes a value from an array, which is not copied; otherwise as from `Data`.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    let table = try table { () throws(DecodingFailure) in
      try ObjectTable(bytes, options: options)
    }
    return try decode(type, from: table)
  }

  /// Decodes a value from objects that were checked before.
  ///
  /// The expansion limit is the only one of the options that counts.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from table: ObjectTable
  ) throws -> Value {
    let session = DecodingSession(table: table, of: self)
    let value = try ValueDecoder(session: session).decode(type)
    if let failure = session.failure { throw failure }
    return value
  }

  private func table(
    _ make: () throws(DecodingFailure) -> ObjectTable
  ) throws(DecodingError) -> ObjectTable {
    do throws(DecodingFailure) {
      return try make()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [],
          debugDescription: "The given data was not a valid property list: \(error)",
          underlyingError: error))
    }
  }
}
