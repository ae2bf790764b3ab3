/// The control groups of a process, by the text of /proc/PID/cgroup; see cgroups(7).
struct ControlGroups {
  /// The components of those that systemd's units are in: of version 2, and where version 1 is used
  /// beside it or instead, of the hierarchy that systemd names.
  let paths: [[Substring]]

  init(_ text: [UInt8]) {
    var unified: [[Substring]] = []
    var named: [[Substring]] = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      if fields[0].elementsEqual("0".utf8), fields[1].isEmpty {
        unified.append(Self.components(fields[2]))
      } else if fields[1].elementsEqual("name=systemd".utf8) {
        named.append(Self.components(fields[2]))
      }
    }
    paths = unified + named
  }

  /// What the nearest unit of the process says.
  var claim: UnitClaim? { paths.lazy.compactMap { UnitClaim($0) }.first }

  /// Those that are not UTF-8 are no units of ours.
  private static func components(_ path: ArraySlice<UInt8>) -> [Substring] {
    // A zombie is in a group that may be gone.
    let deleted = Array(" (deleted)".utf8)
    let path =
      path.suffix(deleted.count).elementsEqual(deleted)
      ? path.dropLast(deleted.count) : path
    return path.split(separator: UInt8(ascii: "/")).compactMap {
      String(validating: $0, as: UTF8.self).map { $0[...] }
    }
  }
}
