internal import AppIcon
internal import CCurl
private import Glibc

/// The answer to one request as it comes in, and the judgement of its sender.
final class Transfer {
  /// How much of an error page is waited for, in bytes.
  private static let unwantedBody = 4096

  private let target: FetchTarget
  private let limits: FetchLimits
  private let override: TestOverride?
  private var headerLength = 0
  private var headerLines = 0
  private var unwanted = 0

  /// The header of the last response; those of interim ones (1xx) before it are dropped.
  private var header: [UInt8] = []
  /// The fields of the last header, once it is complete.
  private(set) var fields = HTTPHeaderFields()
  private(set) var isHeaderComplete = false
  /// 0 until a status line has come.
  private(set) var status = 0
  private(set) var body: [UInt8] = []
  /// Why this side ended the transfer.
  private(set) var end: FetchFailure.Kind?
  /// The first address that was refused.
  private(set) var refusal: FetchRefusal?
  /// Whether there was an address that was not refused.
  private(set) var hasConnected = false

  init(_ target: FetchTarget, _ limits: FetchLimits, _ override: TestOverride?) {
    self.target = target
    self.limits = limits
    self.override = override
  }

  /// Whether a redirect's status has been received.
  var isRedirect: Bool { isHeaderComplete && [301, 302, 303, 307, 308].contains(status) }

  /// Judges an address that the host has, before anything is sent there.
  ///
  /// - Parameter bytes: a socket address, with the port.
  func acceptsSocket(to bytes: UnsafeRawBufferPointer) -> Bool {
    // Both families have the port after the family, in network order.
    let port = unsafe bytes.count >= 4 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 0
    let isAccepted = accepts(unsafe InternetAddress(socketAddress: bytes), port: port)
    if isAccepted { hasConnected = true }
    return isAccepted
  }

  /// Judges the address of a connection that stands, a second time.
  func acceptsRequest(to address: String, port: Int) -> Bool {
    let isAccepted = accepts(InternetAddress(address), port: UInt16(exactly: port) ?? 0)
    if !isAccepted { end = .refused(refusal ?? .unknownAddress) }
    return isAccepted
  }

  private func accepts(_ address: InternetAddress?, port: UInt16) -> Bool {
    guard let address else {
      refusal = refusal ?? .unknownAddress
      return false
    }
    guard let block = AddressPolicy.refusal(of: address) else { return true }
    if override?.permits(target, at: address, port: port) == true { return true }
    refusal = refusal ?? .address(address, in: block)
    return false
  }

  /// Takes a line of a header or a trailer; `false` ends the transfer.
  func takeHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headerLength += line.count
    headerLines += 1
    guard headerLength <= limits.header, headerLines <= limits.headerLines else {
      return finish(.headerTooLarge(limits.header, lines: limits.headerLines))
    }
    // The lines after the body are a trailer, which is not used.
    if isHeaderComplete { return true }
    let bytes = unsafe Array(line)
    if bytes.starts(with: "HTTP/".utf8) {
      header = []
      status = Self.status(bytes)
    }
    header += bytes
    guard bytes.allSatisfy({ $0 == 0x0d || $0 == 0x0a }), status / 100 != 1 else { return true }
    isHeaderComplete = true
    do throws(HTTPHeaderFields.Excess) {
      fields = try HTTPHeaderFields(parsing: header)
    } catch {
      return finish(.headerTooLarge(limits.header, lines: limits.headerLines))
    }
    guard status == 200, let coding = Self.coding(fields) else { return true }
    return finish(.encoded(coding))
  }

  /// Takes a piece of the body; `false` ends the transfer.
  func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard status == 200 else {
      unwanted += piece.count
      if isRedirect { return unwanted <= limits.body || finish(.bodyTooLarge(limits.body)) }
      return unwanted <= Self.unwantedBody || finish(.status(status))
    }
    guard piece.count <= limits.largestBody - body.count else {
      return finish(.bodyTooLarge(limits.largestBody))
    }
    unsafe body.append(contentsOf: piece)
    let limit = PNGHeader.begins(body) ? limits.picture ?? limits.body : limits.body
    return body.count <= limit || finish(.bodyTooLarge(limit))
  }

  private func finish(_ end: FetchFailure.Kind) -> Bool {
    self.end = self.end ?? end
    return false
  }

  /// The number after the first space, 0 where there is none.
  private static func status(_ line: [UInt8]) -> Int {
    let digits = line.drop { $0 != 0x20 }.dropFirst().prefix(3)
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }

  /// The first coding besides what HTTP/1.1 itself needs, or `nil`.
  private static func coding(_ fields: HTTPHeaderFields) -> String? {
    let expectations = [("content-encoding", "identity"), ("transfer-encoding", "chunked")]
    let unasked = expectations.flatMap { name, expected in
      fields.values(name).filter { !["", expected].contains($0.lowercased()) }
    }
    return unasked.first
  }
}

/// The functions that libcurl calls during a transfer. The context is a `Transfer`.
///
/// They must not trap, whatever they are given: a missing pointer is a refusal.
enum TransferCallbacks {
  /// `CURLOPT_WRITEFUNCTION` for the body, and `CURLOPT_HEADERFUNCTION` once for each header line.
  ///
  /// - Returns: `size * count`; any other number ends the transfer.
  static func take(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?, _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    let (total, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let transfer = unsafe transfer(context) else { return 0 }
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : total)
    if unsafe take(transfer, piece) { return total }
    return total == 0 ? 1 : 0
  }

  /// `CURLOPT_OPENSOCKETFUNCTION`, for each address of the host until one can be connected to.
  static func socket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
  ) -> curl_socket_t {
    guard purpose == CURLSOCKTYPE_IPCXN, let transfer = unsafe transfer(context),
      let address = unsafe address,
      let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
    else { return CURL_SOCKET_BAD }
    // libcurl has a `sockaddr_storage` there, of which `addrlen` bytes are the address.
    let length = unsafe min(Int(address.pointee.addrlen), MemoryLayout<sockaddr_storage>.size)
    let bytes = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(address) + offset, count: length)
    guard unsafe transfer.acceptsSocket(to: bytes) else { return CURL_SOCKET_BAD }
    return unsafe Glibc.socket(
      address.pointee.family, address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue),
      address.pointee.`protocol`)
  }

  /// `CURLOPT_PREREQFUNCTION`, when a connection stands, before the request is sent.
  static func request(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?, _ port: CInt, _ localPort: CInt
  ) -> CInt {
    guard let transfer = unsafe transfer(context), let address = unsafe address,
      unsafe transfer.acceptsRequest(to: String(cString: address), port: Int(port))
    else { return CURL_PREREQFUNC_ABORT }
    return CURL_PREREQFUNC_OK
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }
}
