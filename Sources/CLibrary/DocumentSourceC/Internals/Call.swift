internal import CDocumentSource

/// A function's body, with its failure given to the caller.
enum Call {
  static func perform(
    _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Void
  ) -> docsource_status {
    unsafe error?.pointee = nil
    do throws(Failure) {
      try body()
      return DOCSOURCE_OK
    } catch let failure {
      unsafe Handle.give(Failed(failure), error)
      return failure.status
    }
  }
}
