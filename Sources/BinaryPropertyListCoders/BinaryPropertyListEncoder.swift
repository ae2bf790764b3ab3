public import BinaryPropertyList

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes values as binary property lists, as Foundation's `PropertyListEncoder` does.
///
/// `Data` becomes a data object, `Date` a date object; a `URL` encodes itself, as a dictionary.
/// A missing value where one must stand, as in an array of optionals, becomes the string `$null`.
/// Floats and doubles keep their widths, integers take the width CoreFoundation gives them. What it
/// writes `PropertyListDecoder` reads to an equal value, with two exceptions: it reads no integers
/// of `Int128` and `UInt128`, and takes a string `$null` for a missing value.
///
/// The bytes are those of `PropertyList.binary(options:)` for the same tree. Containers may be
/// nested as deep as `DecodingOptions.maximumDepth`.
public struct BinaryPropertyListEncoder: Sendable {
  /// How the property list is written.
  public var options: EncodingOptions

  /// What the values being encoded find in their encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  private let spare = SpareSession()

  /// Makes an encoder.
  public init(options: EncodingOptions = EncodingOptions()) {
    self.options = options
  }

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError.invalidValue`, with the coding path, for what has no encoding: an
  ///   integer above `Int128.max`, containers nested too deep, two kinds of container in one
  ///   place; also for a lone scalar other than `Data`, which Foundation refuses, too. And
  ///   whatever the value itself throws.
  public func encode(_ value: some Encodable) throws -> Data {
    var session = spare.take()
    try encode(value, in: session)
    let layout = try layout(of: session, value)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.size, alignment: 8)
    // The memory is filled whole, and is the data's to release from here on.
    guard let start = memory.baseAddress else { return Data() }
    var bytes = unsafe memory.mutableBytes
    session.tree.write(layout, into: &bytes)
    spare.keep(&session)
    return unsafe Data(
      bytesNoCopy: start, count: layout.size,
      deallocator: .custom { memory, _ in unsafe memory.deallocate() })
  }

  /// Encodes a value into an array; see ``encode(_:)``.
  public func encodeBytes(of value: some Encodable) throws -> [UInt8] {
    var session = spare.take()
    try encode(value, in: session)
    let layout = try layout(of: session, value)
    var array = [UInt8](repeating: 0, count: layout.size)
    var elements = array.mutableSpan
    var bytes = unsafe elements.mutableBytes
    session.tree.write(layout, into: &bytes)
    spare.keep(&session)
    return array
  }

  private func encode<Value: Encodable>(_ value: Value, in session: EncodingSession) throws {
    session.userInfo = userInfo
    let encoder = ValueEncoder(session: session)
    try encoder.encode(value)
    if let failure = session.failure { throw failure }
    let fault: String
    switch session.tree.topLevelFault {
    case .none: return
    case .empty: fault = "did not encode any values."
    case .fragment(let kind): fault = "encoded as \(kind) property list fragment."
    }
    throw EncodingError.invalidValue(
      value,
      EncodingError.Context(codingPath: [], debugDescription: "Top-level \(Value.self) \(fault)"))
  }

  private func layout(of session: EncodingSession, _ value: some Encodable) throws -> Layout {
    guard let layout = session.tree.layout(keyOrder: options.keyOrder) else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: EncodingFailure.Reason.tooManyObjects.description))
    }
    return layout
  }
}
