package import BinaryPropertyList
public import Xattr

/// The bytes of the attribute, and the carrier that holds them.
public struct StoredValue: Hashable, Sendable {
  public let carrier: SourceAttribute
  /// The value whole, a trailing NUL included.
  public let bytes: [UInt8]

  /// The value as the native form has it: without the NUL that Samba adds to a stream.
  public var nativeBytes: [UInt8] {
    guard case .sambaStream = carrier, bytes.last == 0 else { return bytes }
    return Array(bytes.dropLast())
  }

  /// Whether the value is that of the native form, but for a NUL after either.
  func isInStep(with native: StoredValue?) -> Bool {
    let own = native?.bytes ?? []
    if nativeBytes == own { return true }
    return AttributeValue.hasTrailingNUL(own) && nativeBytes.elementsEqual(own.dropLast())
  }

  /// Whether the value is only what a failed or empty write leaves.
  public var isEmpty: Bool { Self.isEmpty(bytes) }

  /// Whether a value is no byte, or the one NUL that Samba leaves when a write did not fit.
  // By way of a span this would take 5 of the 200 ns in which a source is read.
  @inline(__always)
  package static func isEmpty(_ bytes: [UInt8]) -> Bool { bytes.isEmpty || bytes == [0] }

  @inline(__always)
  static func isEmpty(_ bytes: Span<UInt8>) -> Bool {
    bytes.isEmpty || (bytes.count == 1 && bytes[0] == 0)
  }
}

/// A place on a Linux file where the attribute's value stands.
public enum SourceAttribute: Hashable, Sendable {
  /// `user.x-document-source`.
  case native
  /// The named stream that Samba's `streams_xattr` keeps for SMB clients, by the exact name it has
  /// on this file: Samba's names differ in case. Its value has one NUL after it.
  case sambaStream(AttributeName)

  /// The native attribute's name.
  public static let nativeName = knownName("user.x-document-source")
  /// The name of the stream form as Samba writes it for an iOS or macOS client.
  public static let sambaStreamName = knownName("user.DosStream.x-document-source:$DATA")

  /// The attribute's full name.
  public var attributeName: AttributeName {
    switch self {
    case .native: Self.nativeName
    case .sambaStream(let name): name
    }
  }

  /// The carrier of a name; `nil` for any other attribute's name.
  init?(_ name: AttributeName) {
    if name == Self.nativeName {
      self = .native
    } else if unsafe Self.isStream(name.bytes.span.bytes) {
      self = .sambaStream(name)
    } else {
      return nil
    }
  }

  /// Whether a name may be a carrier's; other names need not be looked at.
  static func mayBe(_ name: RawSpan) -> Bool {
    name.byteCount == nativeName.bytes.count || isStream(name)
  }

  /// Whether the value stands under a name in any form, also in one that is no carrier since only
  /// other servers or systems write it.
  static func isForm(_ name: RawSpan) -> Bool {
    isEqual(name, nativeName, .kept) || isStream(name)
      || otherStreams.contains { isEqual(name, $0, .ignored) }
      || otherForms.contains { isEqual(name, $0, .kept) }
  }

  /// The stream where Samba is set up to leave out the type after its name, or `DosStream.`.
  private static let otherStreams = [
    "user.DosStream.x-document-source", "user.x-document-source:$DATA",
  ].map(knownName)

  /// What ntfs-3g makes of the native name, and what the kernel shows of a Mac's file system.
  private static let otherForms = ["user.user.x-document-source", "osx.x-document-source"]
    .map(knownName)

  /// Whether the name is the stream form's, in any case. Samba makes one only.
  private static func isStream(_ name: RawSpan) -> Bool {
    isEqual(name, sambaStreamName, .ignored)
  }

  private enum LetterCase { case kept, ignored }

  private static func isEqual(
    _ name: RawSpan, _ wanted: AttributeName, _ letterCase: LetterCase
  ) -> Bool {
    let wanted = wanted.bytes
    guard name.byteCount == wanted.count else { return false }
    return wanted.enumerated().allSatisfy { position, byte in
      let found = unsafe name.unsafeLoad(fromByteOffset: position, as: UInt8.self)
      return found == byte
        || letterCase == .ignored && lowercased(found) == lowercased(byte)
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func knownName(_ name: String) -> AttributeName {
    guard let name = AttributeName(name) else { preconditionFailure("\(name) is no name") }
    return name
  }
}

/// Reads the attribute's bytes as a whole property list, for rewriting.
package enum AttributeValue {
  /// Accepts one departure from the format: the trailing NUL that Samba adds to every value.
  package static let tolerant = {
    var options = DecodingOptions()
    options.toleratesTrailingNUL = true
    // No attribute is larger than 64 KiB; a tree of more values is not meant for reading.
    options.expansionLimit = 1 << 16
    options.countsText = true
    return options
  }()

  /// Accepts also what the readers on Apple's systems pass over.
  static let lenient = {
    var options = DecodingOptions.lenient
    options.expansionLimit = tolerant.expansionLimit
    options.countsText = tolerant.countsText
    return options
  }()

  /// Whether a value begins as an XML property list does, which the readers on Apple's systems take
  /// as well.
  package static func isXML(_ bytes: [UInt8]) -> Bool {
    let text = bytes.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
    return ["<?xml", "<!DOCTYPE plist", "<plist", "\u{feff}<?xml"].contains { opening in
      text.starts(with: opening.utf8)
    }
  }

  /// Decodes a value whole, as the readers on Apple's systems do.
  static func propertyList(_ bytes: [UInt8]) throws(DamagedValue) -> PropertyList {
    do throws(DecodingFailure) {
      return try PropertyList(binary: bytes, options: tolerant)
    } catch {
      if let value = decoded(bytes, lenient) { return value }
      throw DamagedValue(failure: error, bytes: bytes)
    }
  }

  /// Whether the value is a property list with one NUL after it.
  package static func hasTrailingNUL(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == 0 else { return false }
    return decoded(bytes, DecodingOptions()) == nil && decoded(bytes) != nil
  }

  /// The value, or `nil` if it is damaged.
  static func decoded(
    _ bytes: [UInt8], _ options: DecodingOptions = AttributeValue.tolerant
  ) -> PropertyList? {
    try? PropertyList(binary: bytes, options: options)
  }
}
