internal import CCurl
private import Glibc

/// What libcurl calls during a transfer. The context is a `Transfer`.
///
/// They must not trap, whatever they are given: a missing pointer is a refusal.
enum TransferCallbacks {
  /// `CURLOPT_WRITEFUNCTION`. Another count than the one given ends the transfer.
  static func body(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    let total = size.multipliedReportingOverflow(by: count)
    guard !total.overflow, let transfer = unsafe transfer(context) else { return 0 }
    let received = unsafe UnsafeRawBufferPointer(
      start: bytes, count: bytes == nil ? 0 : total.partialValue)
    return unsafe transfer.takeBody(received) ? total.partialValue : endingCount(total.partialValue)
  }

  /// `CURLOPT_HEADERFUNCTION`, once for each line.
  static func header(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    let total = size.multipliedReportingOverflow(by: count)
    guard !total.overflow, let transfer = unsafe transfer(context) else { return 0 }
    let line = unsafe UnsafeRawBufferPointer(
      start: bytes, count: bytes == nil ? 0 : total.partialValue)
    return unsafe transfer.takeHeaderLine(line)
      ? total.partialValue : endingCount(total.partialValue)
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

  /// A count that says that not all was taken.
  private static func endingCount(_ count: Int) -> Int { count == 0 ? 1 : 0 }
}
