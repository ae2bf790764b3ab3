internal import DocumentSource
internal import ForeignFormats
public import Xattr

/// The name of another system's attribute, as it is written on a Linux file.
///
/// `com.apple.quarantine` stands as `user.com.apple.quarantine`, as
/// `user.DosStream.com.apple.quarantine:$DATA` where Samba keeps a stream for SMB clients, or as
/// `osx.com.apple.quarantine` where the kernel shows a Mac's own file system.
public struct ForeignAttributeName: Hashable, Sendable {
  /// The writer of the name.
  public enum Style: Hashable, Sendable {
    /// `user.` before the name: native to Linux, or by ntfs-3g, Netatalk, or Samba where it is set
    /// up so.
    case plain
    /// `user.user.` before it: ntfs-3g puts `user.` before the name of a stream, which another
    /// program has called by the name that a mark has on Linux.
    case doubled
    /// `user.DosStream.` before it and `:$DATA` after it: Samba's streams_xattr. The value has one
    /// NUL after it.
    case sambaStream
    /// `osx.` before it: the kernel's hfsplus, linux-apfs-rw.
    case hfsplus

    /// The form of a carrier that is an attribute so named.
    var form: MarkCarrier.Form {
      switch self {
      case .plain, .doubled: .attribute
      case .sambaStream: .sambaStream
      case .hfsplus: .hfsplus
      }
    }
  }

  public let style: Style
  /// The name as the other system has it, without prefixes: `com.apple.quarantine`.
  public var name: [UInt8] { Array(bytes) }
  /// The same, without a copy of what the attribute's name has of it.
  private let bytes: ArraySlice<UInt8>

  /// What follows `user.` there.
  private static let streamPrefix = "DosStream."
  private static let streamSuffix = ":$DATA"
  private static let plainPrefix = Array("user.".utf8)

  /// - Returns: `nil` for names in namespaces that hold no other system's attributes.
  public init?(_ attribute: AttributeName) {
    let whole = attribute.bytes
    // No other namespace that Linux knows begins with one of these letters.
    switch whole.first {
    case UInt8(ascii: "o"):
      style = .hfsplus
      bytes = whole.dropFirst(4)
      return
    case UInt8(ascii: "u"): break
    default: return nil
    }
    let plain = whole.dropFirst(5)
    // A look at one byte spares most names a comparison.
    let isStream =
      plain.first.map { $0 | 0x20 } == UInt8(ascii: "d")
      && MarkText.matches(plain.prefix(Self.streamPrefix.utf8.count), Self.streamPrefix)
    // Samba has the type of the stream after its name unless that is switched off.
    let hasType =
      whole.last.map { $0 | 0x20 } == UInt8(ascii: "a")
      && MarkText.matches(whole.suffix(Self.streamSuffix.utf8.count), Self.streamSuffix)
    guard isStream || hasType else {
      let inner = plain.dropFirst(5)
      let isDoubled = plain.starts(with: Self.plainPrefix) && MarkKind(name: inner) != nil
      style = isDoubled ? .doubled : .plain
      bytes = isDoubled ? inner : plain
      return
    }
    style = .sambaStream
    let start = isStream ? Self.streamPrefix.utf8.count : 0
    let end = hasType ? Self.streamSuffix.utf8.count : 0
    bytes = Self.withoutPrivateUse(plain.dropFirst(start).dropLast(end))[...]
  }

  /// The name as the client wrote it: Samba stores characters that Windows forbids in names as
  /// characters of the private use area.
  private static func withoutPrivateUse(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      // U+F000 to U+F03F are EF 80 80 to EF 80 BF.
      guard byte == 0xef, rest.first == 0x80, let last = rest.dropFirst().first,
        let character = character(last & 0x3f), last & 0xc0 == 0x80
      else {
        result.append(byte)
        continue
      }
      result.append(character)
      rest = rest.dropFirst(2)
    }
    return result
  }

  private static func character(_ number: UInt8) -> UInt8? {
    switch number {
    case 0x01...0x1f: number
    case 0x20...0x27: Array("\"*:<>?\\|".utf8)[Int(number) - 0x20]
    default: nil
    }
  }

  /// The kind of mark that the attribute is; `nil` if it is none.
  public var kind: MarkKind? {
    MarkKind(name: bytes, letterCase: style == .sambaStream ? .ignored : .kept)
  }

  /// The attribute's native name on Linux; `nil` if Linux cannot store one of that name.
  public var nativeName: AttributeName? {
    AttributeName(bytes: (Array("user.".utf8) + (kind.map { Array($0.name.utf8) } ?? name))[...])
  }

  /// The value as the other system has it: without the NUL that Samba adds to every stream, also
  /// where it stores a mark under the plain name.
  public func nativeValue(_ stored: [UInt8]) -> [UInt8] {
    let hasNUL =
      switch style {
      case .plain, .doubled: kind.map { Self.hasTrailingNUL(stored, $0) } ?? false
      case .sambaStream: stored.last == 0
      case .hfsplus: false
      }
    return hasNUL ? Array(stored.dropLast()) : stored
  }

  /// Whether a NUL follows the value of a mark, rather than at its end.
  private static func hasTrailingNUL(_ value: [UInt8], _ kind: MarkKind) -> Bool {
    guard value.last == 0 else { return false }
    return switch kind {
    case .documentSource, .whereFroms, .downloadedDate, .userTags, .finderComment,
      .metadataCreator, .originSubject, .shareItem:
      AttributeValue.hasTrailingNUL(value)
    case .note(let name) where name.hasPrefix("com.apple.metadata:"):
      AttributeValue.hasTrailingNUL(value)
    case .lastUsedDate: value.count == 17
    case .applicationKey: value.count == 12
    case .zoneIdentifier where ZoneIdentifier.isUTF16(value): value.count % 2 == 1
    // Text holds none. Of several one is not what Samba adds, and the rest would have to go next.
    default: !StoredValue.isEmpty(value) && value.dropLast().last != 0
    }
  }
}
