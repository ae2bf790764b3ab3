internal import Glibc

/// Follows paths without asking any file system but those that the kernel keeps by itself: a FUSE
/// mount or a server may never answer.
package struct LocalPaths {
  /// Where a path leads.
  package enum Place: Equatable {
    /// To this path without links, which has no slash at its end, so that `/` is empty.
    case local([UInt8])
    /// To or through a mount that may not answer, at this path.
    case remote([UInt8])
    /// Nowhere, or to where this process may not look.
    case missing
  }

  /// As many links in one path as the kernel follows.
  private static let linkLimit = 40
  private static let slash = UInt8(ascii: "/")

  package let mounts: [Mount]
  /// Of several mounts at one path the last one counts.
  private let remotes: Set<[UInt8]>

  package init(_ mounts: [Mount]) {
    self.mounts = mounts
    var remotes: Set<[UInt8]> = []
    for mount in mounts {
      let path = Self.withoutSlash(mount.point)
      if mount.keeper == .another { remotes.insert(path) } else { remotes.remove(path) }
    }
    self.remotes = remotes
  }

  /// - Parameter path: absolute.
  package func place(of path: FilePath) -> Place {
    if remotes.contains([]) { return .remote([]) }
    var done: [UInt8] = []
    var rest = Self.components(path.bytes)
    var links = 0
    while let component = rest.popLast() {
      if component.elementsEqual(".".utf8) { continue }
      if component.elementsEqual("..".utf8) {
        done = Array(done.prefix(done.lastIndex(of: Self.slash) ?? 0))
        continue
      }
      let next = done + [Self.slash] + component
      if remotes.contains(next) { return .remote(next) }
      guard let nextPath = FilePath(bytes: next) else { return .missing }
      do throws(Errno) {
        let target = try nextPath.linkTarget(in: AT_FDCWD)
        links += 1
        guard links <= Self.linkLimit else { return .missing }
        rest += Self.components(target.bytes)
        if target.bytes.first == Self.slash { done = [] }
      } catch {
        // readlink(2) of what is no link.
        guard error == .invalidArgument else { return .missing }
        done = next
      }
    }
    return .local(done)
  }

  /// The mount that may not answer and that a path without links is in; `nil` if there is none.
  package func remote(above path: [UInt8]) -> [UInt8]? {
    if remotes.contains([]) { return [] }
    guard !remotes.isEmpty else { return nil }
    var end = path.startIndex
    while end < path.endIndex {
      let next = path[(end + 1)...].firstIndex(of: Self.slash) ?? path.endIndex
      let prefix = Array(path[..<next])
      if remotes.contains(prefix) { return prefix }
      end = next
    }
    return nil
  }

  /// An absolute path without a slash at its end, so that `/` is empty.
  package static func withoutSlash(_ path: FilePath) -> [UInt8] {
    path.bytes == [slash] ? [] : Array(path.bytes)
  }

  /// The last one first.
  private static func components(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    path.split(separator: slash).reversed()
  }
}
