public import BinaryPropertyList

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes values as binary property lists, as Foundation's `PropertyListEncoder` does.
///
/// `Data` becomes a data object, `Date` a date object; a `URL` encodes itself, as a dictionary.
/// A missing value in a place that needs one, as in an array of optionals, becomes the string
/// `$null`. Floats and doubles keep their widths, integers take the width CoreFoundation gives them.
/// `PropertyListDecoder` reads an equal value from the bytes, with two exceptions: it reads no
/// integers of `Int128` and `UInt128`, and takes a string `$null` for a missing value.
///
/// The bytes are those of `PropertyList.binary(options:)` for the same tree. Containers may be
/// nested as deep as `DecodingOptions.maximumDepth`.
public struct BinaryPropertyListEncoder: Sendable {
  /// How the property list is written.
  public var options: EncodingOptions

  /// The `userInfo` of the encoders that values see.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  private let spare = SpareEncoder()

  /// Makes an encoder.
  public init(options: EncodingOptions = EncodingOptions()) {
    self.options = options
  }

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError.invalidValue`, with the coding path, for values without an encoding: an
  ///   integer above `Int128.max`, containers nested too deep, two kinds of container in one place,
  ///   and a lone scalar other than `Data`, which Foundation refuses, too; and whatever the value
  ///   itself throws.
  public func encode(_ value: some Encodable) throws -> Data {
    let encoder = spare.take()
    let layout = try encode(value, by: encoder)
    let data = encoder.session.tree.data(layout, keyOrder: options.keyOrder)
    spare.keep(encoder)
    return data
  }

  /// Encodes a value into an array; see ``encode(_:)``.
  public func encodeBytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = spare.take()
    let layout = try encode(value, by: encoder)
    let array = encoder.session.tree.array(layout, keyOrder: options.keyOrder)
    spare.keep(encoder)
    return array
  }

  private func encode<Value: Encodable>(
    _ value: Value, by encoder: ValueEncoder
  ) throws -> Layout {
    let session = encoder.session
    session.userInfo = userInfo
    try encoder.encode(value)
    if let failure = session.failure { throw failure }
    // Two statements: the accessors of one would not be inlined, a twentieth of the time.
    let fault = session.tree.topLevelFault
    if let fault {
      throw EncodingSession.error(value, at: [], "Top-level \(Value.self) \(fault)")
    }
    guard let layout = session.tree.layout() else {
      throw EncodingSession.error(value, at: [], EncodingFailure.Reason.tooManyObjects.description)
    }
    return layout
  }
}
