internal import CGit2

/// Why a repository cannot be read.
package struct RepositoryFlaw: Error, Hashable, CustomStringConvertible {
  package let reason: String

  package var description: String { reason }

  /// There is no repository.
  static let missing = RepositoryFlaw(reason: "no repository")
  static let late = RepositoryFlaw(reason: "reading took too long")

  init(reason: String) { self.reason = reason }

  /// Of a result of libgit2, with its words.
  init(_ result: CInt) {
    if result == GIT_EUSER.rawValue {
      self = .late
      return
    }
    let error = unsafe git_error_last()
    let message = unsafe error.flatMap { unsafe $0.pointee.message }
    reason = unsafe message.map { unsafe String(cString: $0) } ?? "error \(result) of libgit2"
  }

  static func check(_ result: CInt) throws(RepositoryFlaw) {
    guard result >= 0 else { throw RepositoryFlaw(result) }
  }
}
