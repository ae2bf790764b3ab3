private import Glibc

/// Where the certificates are that a server's may be signed with.
struct CertificateStore: Equatable {
  /// A directory where each file or link is named for the hash of its certificate's subject.
  private(set) var directory: String?
  /// One PEM file of all certificates.
  private(set) var bundle: String?

  /// Reading all certificates of Debian's bundle takes 40 ms, looking up one by its hash 0.1 ms.
  static let system = CertificateStore(
    directory: "/etc/ssl/certs",
    bundles: [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ])

  /// Chooses the directory where it holds hash links, else the first bundle there is.
  init(directory: String, bundles: [String]) {
    if Self.holdsHashLinks(directory) {
      self.directory = directory
    } else {
      bundle = bundles.first { unsafe access($0, R_OK) == 0 }
    }
  }

  /// The corresponding C functions are opendir(3) and readdir(3).
  private static func holdsHashLinks(_ directory: String) -> Bool {
    guard let stream = unsafe opendir(directory) else { return false }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let isHashLink = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe isHashName(Array(bytes.prefix { $0 != 0 }))
      }
      if isHashLink { return true }
    }
    return false
  }

  /// Whether a name is like `5ad8a5d6.0`, as openssl-rehash(1) makes them.
  static func isHashName(_ name: [UInt8]) -> Bool {
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) }
    return name.count > 9 && name[8] == UInt8(ascii: ".") && name[9...].allSatisfy(isDigit)
      && name[..<8].allSatisfy { isDigit($0) || isLetter($0) }
  }
}
