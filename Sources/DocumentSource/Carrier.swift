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

  /// The stream forms among a file's attributes, whatever their case. Samba makes one only.
  static func sambaStreams(among names: [AttributeName]) -> [Carrier] {
    let wanted = sambaStreamName.bytes
    return names.filter { name in
      name.bytes.count == wanted.count
        && zip(name.bytes, wanted).allSatisfy { lowercased($0) == lowercased($1) }
    }.map { .sambaStream($0) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func knownName(_ name: String) -> AttributeName {
    guard let name = AttributeName(name) else { preconditionFailure("\(name) is no name") }
    return name
  }
}
