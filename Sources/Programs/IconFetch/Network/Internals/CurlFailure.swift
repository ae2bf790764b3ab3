internal import CCurl

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
