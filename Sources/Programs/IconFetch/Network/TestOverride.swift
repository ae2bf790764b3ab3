private import AppIcon
private import Glibc

/// An exception that lets tests reach a server of their own on the loopback interface.
///
/// It is made from two variables of the environment and cannot come from a file:
///
/// - `DOCSOURCE_FETCH_TEST_CONNECT=HOST:PORT=ADDRESS:PORT[,…]`: a URL that names the first host and
///   port is fetched from the second address and port, which must be in 127.0.0.0/8 or `[::1]`.
///   The host is not looked up; the URL, its port, the host's name and the server's certificate
///   are checked as ever.
/// - `DOCSOURCE_FETCH_TEST_CAFILE=FILE`: the certificates in that PEM file are trusted besides the
///   system's.
///
/// Every other host, address and port stays refused.
package struct TestOverride: Hashable, Sendable {
  /// A variable that makes no sense, in words.
  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  struct Connection: Hashable, Sendable {
    /// In lower case.
    let host: String
    let port: UInt16
    let address: InternetAddress
    let addressPort: UInt16

    /// As `CURLOPT_CONNECT_TO` takes it.
    var text: String {
      let shown = if case .v6 = address { "[\(address)]" } else { "\(address)" }
      return "\(host):\(port):\(shown):\(addressPort)"
    }
  }

  package static let connectVariable = FetchEnvironment.connectVariable
  package static let certificatesVariable = FetchEnvironment.certificatesVariable

  let connections: [Connection]
  /// The PEM file's path.
  let certificates: String?

  /// - Throws: `Malformed` where `connect` is not `HOST:PORT=ADDRESS:PORT,…`, or an address is not
  ///   of the loopback interface.
  package init(connect: String, certificates: String? = nil) throws(Malformed) {
    connections = try connect.split(separator: ",").map(Self.connection)
    self.certificates = certificates
  }

  /// The override that the process's environment asks for, or `nil`.
  ///
  /// The corresponding C function is getenv(3).
  package static func fromEnvironment() throws(Malformed) -> TestOverride? {
    let value = { (name: String) in unsafe getenv(name).map { unsafe String(cString: $0) } }
    let connect = value(connectVariable)
    let certificates = value(certificatesVariable)
    guard connect != nil || certificates != nil else { return nil }
    return try TestOverride(connect: connect ?? "", certificates: certificates)
  }

  /// A warning to show while the override is in use.
  package var warning: String {
    "warning: \(Self.connectVariable) or \(Self.certificatesVariable) is set, for tests only"
  }

  /// Whether a target may be fetched from this address though it is refused to all others.
  func permits(_ target: FetchTarget, at address: InternetAddress, port: UInt16) -> Bool {
    connections.contains {
      $0.host == target.host && $0.port == target.port && $0.address == address
        && $0.addressPort == port
    }
  }

  private static func connection(_ text: Substring) throws(Malformed) -> Connection {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, let (host, port) = hostAndPort(sides[0]),
      let (literal, addressPort) = hostAndPort(sides[1]),
      let address = InternetAddress(literal.trimmingBrackets)
    else {
      throw Malformed(
        description: "\(connectVariable): '\(text)' is not HOST:PORT=ADDRESS:PORT")
    }
    guard AddressPolicy.refusal(of: address)?.purpose == "loopback" else {
      throw Malformed(description: "\(connectVariable): \(address) is not a loopback address")
    }
    return Connection(
      host: host.lowercased(), port: port, address: address, addressPort: addressPort)
  }

  private static func hostAndPort(_ text: Substring) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    return (String(text[..<colon]), port)
  }
}

extension String {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
  }
}
