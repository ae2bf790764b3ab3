internal import Provenance

/// The names of attributes in pax headers.
enum PaxAttributeName {
  /// The name without a namespace: Linux's tars write `user.NAME`, those of macOS `NAME`.
  ///
  /// - Returns: `nil` for other namespaces of Linux.
  static func name(_ name: [UInt8]) -> [UInt8]? {
    let user = Array("user.".utf8)
    if name.starts(with: user) { return Array(name.dropFirst(user.count)) }
    let isMac = name.starts(with: "com.apple.".utf8) || name.elementsEqual("x-document-source".utf8)
    return isMac ? name : nil
  }
}
