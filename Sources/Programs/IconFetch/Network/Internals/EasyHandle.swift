internal import CCurl

/// One of libcurl's easy handles, with the memory that it refers to.
///
/// The corresponding C functions are those of libcurl-easy(3).
@safe final class EasyHandle {
  private let handle: UnsafeMutableRawPointer
  private let words: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>?] = unsafe []

  /// libcurl asks for it once in a process, before all else.
  private static let initialization = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  init() throws(CurlFailure) {
    guard Self.initialization == CURLE_OK else { throw CurlFailure(Self.initialization) }
    guard let handle = unsafe curl_easy_init() else { throw CurlFailure(CURLE_FAILED_INIT) }
    unsafe self.handle = unsafe handle
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    freeLists()
    unsafe words.deallocate()
  }

  /// Takes back all options. Connections stay open for the next transfer.
  func reset() throws(CurlFailure) {
    unsafe curl_easy_reset(handle)
    freeLists()
    unsafe words.pointee = 0
    try check(unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, words))
  }

  func set(_ option: CURLoption, _ number: Int) throws(CurlFailure) {
    try check(unsafe ccurl_set_long(handle, option, number))
  }

  func set(_ option: CURLoption, offset: Int) throws(CurlFailure) {
    try check(unsafe ccurl_set_offset(handle, option, curl_off_t(offset)))
  }

  func set(_ option: CURLoption, _ text: String?) throws(CurlFailure) {
    guard let text else {
      return try check(unsafe ccurl_set_string(handle, option, nil))
    }
    try check(unsafe ccurl_set_string(handle, option, text))
  }

  func set(_ option: CURLoption, _ lines: [String]) throws(CurlFailure) {
    var list: UnsafeMutablePointer<curl_slist>? = nil
    defer { unsafe lists.append(list) }
    for line in lines {
      guard let longer = unsafe curl_slist_append(list, line) else {
        throw CurlFailure(CURLE_OUT_OF_MEMORY)
      }
      unsafe list = unsafe longer
    }
    try check(unsafe ccurl_set_list(handle, option, list))
  }

  /// Lets `transfer` take what comes in and judge whom it comes from.
  ///
  /// libcurl keeps no reference of its own: whoever performs must keep `transfer` until it is done.
  func deliver(to transfer: Transfer) throws(CurlFailure) {
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    for option in [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
    ] {
      try check(unsafe ccurl_set_pointer(handle, option, context))
    }
    try check(
      unsafe ccurl_set_write_callback(handle, CURLOPT_WRITEFUNCTION) {
        unsafe TransferCallbacks.body($0, $1, $2, $3)
      })
    try check(
      unsafe ccurl_set_write_callback(handle, CURLOPT_HEADERFUNCTION) {
        unsafe TransferCallbacks.header($0, $1, $2, $3)
      })
    try check(
      unsafe ccurl_set_socket_callback(handle) { unsafe TransferCallbacks.socket($0, $1, $2) })
    try check(
      unsafe ccurl_set_request_callback(handle) {
        unsafe TransferCallbacks.request($0, $1, $2, $3, $4)
      })
  }

  /// Does the transfer, and blocks until it is done.
  func perform() throws(CurlFailure) {
    let code = unsafe curl_easy_perform(handle)
    guard code != CURLE_OK else { return }
    throw unsafe CurlFailure(code, words: String(cString: words))
  }

  /// The URL that a redirect leads to, made absolute.
  var redirectURL: String? {
    var text: UnsafePointer<CChar>? = nil
    guard unsafe ccurl_get_string(handle, CURLINFO_REDIRECT_URL, &text) == CURLE_OK else {
      return nil
    }
    return unsafe text.map { unsafe String(cString: $0) }
  }

  private func freeLists() {
    for index in unsafe lists.indices { unsafe curl_slist_free_all(lists[index]) }
    unsafe lists.removeAll()
  }

  private func check(_ code: CURLcode) throws(CurlFailure) {
    guard code == CURLE_OK else { throw CurlFailure(code) }
  }
}
