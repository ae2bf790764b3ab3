public import BinaryPropertyList

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes values from binary property lists, as Foundation's `PropertyListDecoder` does.
///
/// `Data` comes of a data object, `Date` of a date object, a `URL` of the dictionary as which it
/// encodes itself. A null object and the string `$null`, which stands for it in what Foundation
/// writes, are missing values; only where a `String` is asked for is `$null` that text. A number is
/// decoded as any type that holds it exactly; integers become floating-point numbers by rounding.
/// Beyond what Foundation reads are integers of 16 bytes, sets and ordered sets (as arrays), and
/// strings with bytes of Latin-1.
///
/// Nothing is decoded from bytes that are damaged anywhere. Containers are nested at most
/// `DecodingOptions.depthLimit` deep. A container that is shared can be met at many places: what
/// those add, sixteen for each place and one for each element there, may be as many as there are
/// bytes and `DecodingOptions.expansionLimit` more. Only shared containers and what is in them
/// count, so that files of known writers, which share none, may be walked as often as a type likes.
/// Shared keys of 64 bytes and more count by their length, too.
public struct BinaryPropertyListDecoder: Sendable {
  /// What is tolerated in the bytes, and how much is taken on.
  public var options: DecodingOptions

  /// What the values being decoded find in their decoder's `userInfo`.
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
  ///   `valueNotFound` where the list holds something else. And whatever the type itself throws.
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
  /// Of the options the expansion limit counts.
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
