import Glibc
import LinuxSystem
import Synchronization

/// A path that the user named, and where it really is.
final class NamedPath: Sendable {
  let path: FilePath
  let links: Links

  /// The real path's components, without links, `.` or `..`; `nil` where it cannot be found. A link
  /// that is not followed keeps its name.
  ///
  /// It is looked up once: what is met on a walk below is named relative to it, so that a component
  /// swapped for a link meanwhile cannot change what is recorded.
  var realComponents: [ArraySlice<UInt8>]? {
    known.withLock { known in
      if let known { return known.components }
      let answer = Answer(components: findRealComponents())
      known = answer
      return answer.components
    }
  }

  /// A class: what it takes to release an array would be made ready in each start of the tool.
  private final class Answer: Sendable {
    let components: [ArraySlice<UInt8>]?

    init(components: [ArraySlice<UInt8>]?) { self.components = components }
  }

  private let known = Mutex<Answer?>(nil)

  private func findRealComponents() -> [ArraySlice<UInt8>]? {
    let name = path.lastComponent
    guard links == .noFollow, isLink else { return Self.realComponents(path) }
    let lead = path.bytes[..<name.startIndex]
    let directory = lead.isEmpty ? FilePath(".") : FilePath(bytes: lead)
    return directory.flatMap(Self.realComponents).map { $0 + [name] }
  }

  init(_ path: FilePath, links: Links) {
    self.path = path
    self.links = links
  }

  private var isLink: Bool {
    var status = stat()
    let result = unsafe path.withCString { unsafe lstat($0, &status) }
    return result == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  static func realComponents(_ path: FilePath) -> [ArraySlice<UInt8>]? {
    path.realPath?.bytes.split(separator: UInt8(ascii: "/"))
  }
}
