public import Xattr

/// A place on a Linux file where the attribute's value stands.
public enum Carrier: Hashable, Sendable {
  /// `user.x-document-source`.
  case native
  /// The named stream that Samba's `streams_xattr` keeps for SMB clients, by the exact name it has
  /// on this file: Samba's names differ in case. Its value has one NUL behind it.
  case sambaStream(AttributeName)

  /// The native attribute's name.
  public static let nativeName = knownName("user.x-document-source")
  /// The stream form's name as Samba writes it for an iOS or macOS client.
  public static let sambaStreamName = knownName("user.DosStream.x-document-source:$DATA")

  /// The attribute's full name.
  public var attributeName: AttributeName {
    switch self {
    case .native: Self.nativeName
    case .sambaStream(let name): name
    }
  }

  /// The carrier of a name, `nil` where the name is none's.
  init?(_ name: AttributeName) {
    if name == Self.nativeName {
      self = .native
    } else if unsafe Self.isStream(name.bytes.span.bytes) {
      self = .sambaStream(name)
    } else {
      return nil
    }
  }

  /// Whether a name may be a carrier's: no other's needs to be looked at.
  static func mayBe(_ name: RawSpan) -> Bool {
    name.byteCount == nativeName.bytes.count || isStream(name)
  }

  /// Whether it is the stream form's name, in whatever case. Samba makes one only.
  private static func isStream(_ name: RawSpan) -> Bool {
    let wanted = sambaStreamName.bytes
    guard name.byteCount == wanted.count else { return false }
    return wanted.enumerated().allSatisfy { position, byte in
      lowercased(unsafe name.unsafeLoad(fromByteOffset: position, as: UInt8.self))
        == lowercased(byte)
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
