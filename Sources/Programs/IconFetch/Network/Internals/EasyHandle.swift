internal import CCurl
private import Glibc

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

  /// Lets `transfer` take the answer and judge its sender.
  ///
  /// libcurl keeps no reference of its own: the caller of `perform` must keep `transfer` alive.
  func deliver(to transfer: Transfer) throws(CurlFailure) {
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    for option in [
      CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
    ] {
      try check(unsafe ccurl_set_pointer(handle, option, context))
    }
    try check(
      unsafe ccurl_set_write_callback(handle, CURLOPT_WRITEFUNCTION) {
        unsafe TransferCallbacks.take($0, $1, $2, $3) { unsafe $0.takeBody($1) }
      })
    try check(
      unsafe ccurl_set_write_callback(handle, CURLOPT_HEADERFUNCTION) {
        unsafe TransferCallbacks.take($0, $1, $2, $3) { unsafe $0.takeHeaderLine($1) }
      })
    try check(
      unsafe ccurl_set_socket_callback(handle) { unsafe TransferCallbacks.socket($0, $1, $2) })
    try check(
      unsafe ccurl_set_request_callback(handle) {
        unsafe TransferCallbacks.request($0, $1, $2, $3, $4)
      })
  }

  /// Does the transfer and blocks until it has ended.
  func perform() throws(CurlFailure) {
    let code = unsafe curl_easy_perform(handle)
    guard code != CURLE_OK else { return }
    throw unsafe CurlFailure(code, words: String(cString: words))
  }

  /// The URL that a redirect leads to, made absolute.
  var redirectURL: String? {
    var text: UnsafePointer<CChar>? = nil
    let code = unsafe ccurl_get_string(handle, CURLINFO_REDIRECT_URL, &text)
    return code == CURLE_OK ? unsafe text.map { unsafe String(cString: $0) } : nil
  }

  private func freeLists() {
    for index in unsafe lists.indices { unsafe curl_slist_free_all(lists[index]) }
    unsafe lists.removeAll()
  }

  private func check(_ code: CURLcode) throws(CurlFailure) {
    guard code == CURLE_OK else { throw CurlFailure(code) }
  }
}

/// A call of libcurl that failed.
struct CurlFailure: Error {
  let code: CURLcode
  /// libcurl's words, more exact than those of the code where it gave some.
  let words: String

  init(_ code: CURLcode, words: String = "") {
    self.code = code
    self.words = words.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : words
  }
}

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
