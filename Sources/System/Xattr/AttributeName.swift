/// The full name of an extended attribute, namespace included: `user.x-document-source`.
///
/// Linux takes only names in a namespace it knows and answers ENOTSUP for others, EINVAL for a
/// namespace with nothing behind it and ERANGE above 255 bytes (xattr(7)). Such names cannot be
/// made here.
public struct AttributeName: Hashable, Sendable, CustomStringConvertible {
  /// The name's bytes and a NUL.
  private let terminated: [UInt8]

  /// The longest name in bytes, `XATTR_NAME_MAX` of linux/limits.h.
  public static let maximumLength = 255

  /// The namespaces of xattr(7), and `osx.`, in which the hfsplus driver shows a Mac's attributes.
  static let namespaces: [StaticString] = ["user.", "trusted.", "security.", "system.", "osx."]

  /// Returns `nil` if Linux could not store an attribute of that name.
  public init?(_ name: String) { self.init(bytes: Array(name.utf8)[...]) }

  /// Makes a name of bytes, as in the kernel's list of names.
  public init?(bytes: ArraySlice<UInt8>) {
    let count = bytes.count
    guard count <= Self.maximumLength, !bytes.contains(0) else { return nil }
    let inNamespace = Self.namespaces.contains { namespace in
      count > namespace.utf8CodeUnitCount
        && namespace.withUTF8Buffer { unsafe bytes.starts(with: $0) }
    }
    guard inNamespace else { return nil }
    terminated = Array(bytes) + [0]
  }

  /// Whether only administrators may write the attribute, whoever owns the file (xattr(7)).
  var isForAdministrators: Bool {
    ["trusted.", "security."].contains { bytes.starts(with: $0.utf8) }
  }

  /// The name without its NUL.
  public var bytes: ArraySlice<UInt8> { terminated.dropLast() }

  /// Calls `body` with the name as a NUL-terminated C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe terminated.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("a name has its NUL") }
      return unsafe body(base.assumingMemoryBound(to: CChar.self))
    }
  }

  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
