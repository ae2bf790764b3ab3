import Attribution
import Glibc
import LinuxSystem

/// Directories that programs have marked as caches by a file `CACHEDIR.TAG`, as backups heed it;
/// see <https://bford.info/cachedir/>.
///
/// It is for one thread.
final class MarkedCaches {
  private static let name = "/CACHEDIR.TAG"
  private static let signature = Array("Signature: 8a477f597d28d172789f06886806bc55".utf8)
  /// Directories are marked when they are made, which may be after the first file in them.
  private static let age = 5000
  private static let limit = 4096

  private let account: UserAccount
  private var known: [ArraySlice<UInt8>: Bool] = [:]
  private var end = 0
  private var last: (directory: ArraySlice<UInt8>, isMarked: Bool) = ([], false)

  /// - Parameter account: with whose rights the marks are read.
  init(_ account: UserAccount) { self.account = account }

  /// Whether a directory is marked, or one that it is in.
  ///
  /// - Parameters:
  ///   - directory: its path, without links.
  ///   - first: of how many bytes the path of the outermost directory is that counts.
  func contain(_ directory: ArraySlice<UInt8>, _ first: Int) -> Bool {
    let now = Clock.milliseconds
    if now >= end || known.count >= Self.limit {
      known.removeAll(keepingCapacity: true)
      last = ([], false)
      end = now + Self.age
    }
    // Files are often written one after the other in the same directory.
    if last.directory == directory { return last.isMarked }
    let answer =
      known[directory]
      ?? FileRights.ofUser(account.user, group: account.group) { isMarked(directory, first) }
    last = (directory, answer)
    return answer
  }

  private func isMarked(_ directory: ArraySlice<UInt8>, _ first: Int) -> Bool {
    if let answer = known[directory] { return answer }
    var answer = Self.hasMark(directory)
    if !answer, directory.count > first,
      let slash = directory.lastIndex(of: UInt8(ascii: "/")), slash >= first
    {
      answer = isMarked(directory[..<slash], first)
    }
    known[directory] = answer
    return answer
  }

  /// A link is no mark, and a FIFO does not block.
  private static func hasMark(_ directory: ArraySlice<UInt8>) -> Bool {
    guard let path = FilePath(bytes: directory + Array(name.utf8)) else { return false }
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file = unsafe path.withCString { unsafe open($0, flags) }
    guard file >= 0 else { return false }
    defer { close(file) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: signature.count, alignment: 1) {
      let count = unsafe pread(file, $0.baseAddress, $0.count, 0)
      return unsafe count == signature.count && signature.elementsEqual($0)
    }
  }
}
