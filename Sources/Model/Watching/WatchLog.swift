internal import CLinux
internal import DocumentSource
internal import Glibc
internal import JSON
package import LinuxSystem
internal import TextFormats

/// What watch has tagged for a user in the last day, a line of JSON for each file, in the user's own
/// runtime directory, which is emptied when the user logs out for good.
///
/// To be used on one thread.
package final class WatchLog {
  /// How long an entry is kept, in seconds.
  private static let age = 86_400
  /// How often entries that are too old are looked for, in seconds.
  private static let trimInterval = 3600
  /// The largest file, in bytes; of a larger one the later half is kept.
  private static let limit = 1 << 20
  private static let name = FilePath("docsource/watch.log")

  /// How much later than now an entry may be, in seconds: clocks are set.
  private static let tolerance = 300

  private let directory: FilePath
  private var pending: [UInt8] = []
  private var trimTime = 0

  /// - Parameter directory: the user's runtime directory, which may come later, when the user logs in.
  init(in directory: FilePath) { self.directory = directory }

  /// The path of the log of this process's own user; `nil` without a runtime directory.
  package static var ownPath: FilePath? {
    BaseDirectories.current().runtimeDirectory?.appending(name)
  }

  /// Removes that log.
  package static func removeOwn() {
    _ = ownPath.map { path in unsafe path.withCString { unsafe unlink($0) } }
  }

  /// Takes an entry, to be written by ``flush()``.
  func append(_ source: DocumentSource) {
    let now = Double(time(nil))
    let fields: JSONFields = [
      "time": .text(try? CalendarDate.text(sinceEpoch: now)),
      "identifier": .text(source.identifier),
      "name": .text(source.name), "path": .text(source.path),
    ]
    pending += Array((fields.text + "\n").utf8)
  }

  /// Writes what was taken; to be called with the user's rights. The files are tagged whether that
  /// works or not.
  func flush() {
    guard !pending.isEmpty else { return }
    defer { pending.removeAll() }
    let file = ReplacedFile(path: directory.appending(Self.name))
    guard FileFingerprint(directory)?.owner == geteuid(), (try? file.makeDirectories()) != nil
    else {
      return
    }
    // Opened anew each time, since the user may remove it. What a link leads to is left alone.
    let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = unsafe file.path.withCString { unsafe open($0, flags, 0o600) }
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = clinux_status()
    guard unsafe clinux_file_stat(descriptor, &status) == 0, WrittenFiles.isRegular(status),
      status.owner == geteuid()
    else { return }
    trim(descriptor)
    try? Descriptor.write(pending, to: descriptor)
  }

  /// From time to time, or if the file is large, leaves in it only what is to be kept.
  private func trim(_ descriptor: CInt) {
    let now = time(nil)
    let size = Descriptor.size(of: descriptor) ?? 0
    guard now >= trimTime || size + pending.count > Self.limit else { return }
    trimTime = now + Self.trimInterval
    let content = Descriptor.content(of: descriptor, limit: 2 * Self.limit) ?? []
    let lines = content.split(separator: UInt8(ascii: "\n"))
    var kept = lines.filter { Entry($0).map { Self.isOfLastDay($0.time, now) } ?? false }[...]
    if kept.reduce(pending.count, { $0 + $1.count + 1 }) > Self.limit {
      kept = kept.suffix(kept.count / 2)
    }
    guard kept.count < lines.count || size > content.count, ftruncate(descriptor, 0) == 0 else {
      return
    }
    try? Descriptor.write(kept.flatMap { $0 + [UInt8(ascii: "\n")] }, to: descriptor)
  }

  private static func isOfLastDay(_ time: Int, _ now: Int) -> Bool {
    (now - age...now + tolerance).contains(time)
  }

  // MARK: Reading

  /// How many files of an application were tagged.
  package struct Count: Hashable {
    package let identifier: String
    package var name: String?
    package var count: Int
  }

  /// The applications whose files were tagged in the last day, those with the most files first.
  package static func counts(at path: FilePath) -> [Count] {
    let content = InstalledFile(path: path).content(limit: 2 * limit) ?? []
    let now = time(nil)
    var counts: [String: Count] = [:]
    for line in content.split(separator: UInt8(ascii: "\n")) {
      guard let entry = Entry(line), isOfLastDay(entry.time, now) else { continue }
      let key = entry.identifier
      counts[key, default: Count(identifier: key, name: entry.name, count: 0)].count += 1
    }
    return counts.values.sorted {
      ($1.count, $0.identifier) < ($0.count, $1.identifier)
    }
  }

  private struct Entry {
    /// In seconds since 1970-01-01T00:00:00Z.
    let time: Int
    let identifier: String
    let name: String?

    init?(_ line: ArraySlice<UInt8>) {
      guard let root = try? JSONValue.parse(line, .uniqueKeys), root.isObject,
        let seconds = root["time"]?.text.flatMap({ CalendarDate.secondsSinceEpoch(of: $0) }),
        let identifier = root["identifier"]?.text
      else { return nil }
      time = Int(seconds)
      self.identifier = identifier
      name = root["name"]?.text
    }
  }
}
