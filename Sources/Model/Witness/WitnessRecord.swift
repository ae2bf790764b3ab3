internal import BinaryPropertyList
package import LinuxSystem

/// What was seen of a file while it was written, as it stands in the attribute `security.docsource`.
///
/// The value is a binary property list: a dictionary with the integers `version`, `inode`, `born`, `size`,
/// `modified`, `changedFrom` and `changedTo`, and on btrfs `subvolume`, the string `boot`, and the array
/// `history` of dictionaries with the strings `application`, `executable`, `known` and `action` and the
/// integer `time`. Times are in nanoseconds since 1970-01-01T00:00:00Z. Other keys are passed over.
public struct WitnessRecord: Hashable, Sendable {
  /// How it is known which application a process belongs to.
  public enum Knowledge: String, Hashable, Sendable {
    /// A desktop entry that packages have installed starts the program that the process runs.
    case executable
    /// The unit of systemd.
    case unit
    /// The sandbox of flatpak or snap.
    case sandbox
    /// The document portal.
    case portal
  }

  public enum Action: String, Hashable, Sendable {
    /// The file was made and written by the application, and by nobody else.
    case created
    /// The same, but the file took the place of an earlier one, whose document source it has.
    case replaced
    /// The application was the last to write the file, which had a record before.
    case changed
  }

  /// An application that was seen writing the file.
  public struct Event: Hashable, Sendable {
    /// The identifier of the application's desktop entry; `nil` if several applications run the program.
    public let application: String?
    /// The path of the program that ran.
    public let executable: String
    public let knowledge: Knowledge
    public let action: Action
    /// When that was recorded, in nanoseconds since 1970-01-01T00:00:00Z.
    public let time: Int64

    package init(
      application: String?, executable: String, knowledge: Knowledge, action: Action, time: Int64
    ) {
      self.application = application
      self.executable = executable
      self.knowledge = knowledge
      self.action = action
      self.time = time
    }

    /// The same event at another time.
    package func at(_ time: Int64) -> Event {
      Event(
        application: application, executable: executable, knowledge: knowledge, action: action,
        time: time)
    }
  }

  /// Why a value cannot be read.
  public enum Flaw: Error, Hashable, Sendable, CustomStringConvertible {
    case list(String)
    /// A key that is missing, or whose value cannot be.
    case key(String)
    /// The format is that of another version of docsource.
    case version(Int64)

    public var description: String {
      switch self {
      case .list(let reason): reason
      case .key(let key): "'\(key)' is missing or malformed"
      case .version(let version): "format \(version) is not known to this version of docsource"
      }
    }
  }

  /// The attribute's name. Only who has CAP_SYS_ADMIN can write it, and everybody can read it: xattr(7).
  package static let attribute = "security.docsource"
  /// Whether a file system, by its number in statfs(2), has attributes that only root can write, and notes every
  /// change of a file's content in the file's times, also by mapped memory. tmpfs and network file systems do not
  /// the second; FUSE shows what its owner wants, and a user can mount tmpfs and overlayfs in a namespace of his
  /// own, where he is root.
  package static func isKept(onFileSystem magic: UInt64) -> Bool {
    // ext4, xfs, btrfs.
    [0xef53, 0x5846_5342, btrfs].contains(magic)
  }

  /// The subvolume of a file on btrfs; `nil` for other file systems.
  ///
  /// - Parameter number: that of the file system in statfs(2).
  package static func subvolume(_ number: UInt64, magic: UInt64) -> Int64? {
    magic == btrfs ? Int64(bitPattern: number) : nil
  }

  private static let btrfs: UInt64 = 0x9123_683e

  /// So many events are kept.
  package static let historyLimit = 8
  private static let formatVersion: Int64 = 1

  /// The machine's start during which the record was written: /proc/sys/kernel/random/boot_id.
  public let boot: String
  /// The file when the record was written; `changed` is when that began.
  package let file: ContentVersion
  /// When the writing of the record was over.
  package let changeEnd: Int64
  /// The subvolume of btrfs that the file is in: a snapshot has files with the same numbers and times.
  package let subvolume: Int64?
  /// The oldest first; never empty.
  public let history: [Event]

  /// Those who wrote the present content: what was there before them is gone.
  package var writers: ArraySlice<Event> {
    history[(history.lastIndex { $0.action != .changed } ?? 0)...]
  }

  /// The identifier of the one application that has made the document and changed it since; `nil` if there
  /// were others, if it was there before anybody was seen, or if the application of a program is not known.
  public var maker: String? {
    guard let first = history.first, first.action == .created else { return nil }
    return history.allSatisfy { $0.application == first.application } ? first.application : nil
  }

  /// - Parameters:
  ///   - boot: not empty.
  ///   - file: with a time when it was made.
  ///   - history: not empty. Of too many events, the oldest changes are left out by applications that others
  ///     name; if all name different ones, the first, so that the history is no longer known from its beginning.
  package init?(
    boot: String, file: ContentVersion, changeEnd: Int64, history: [Event], subvolume: Int64? = nil
  ) {
    guard !boot.isEmpty, file.born != nil, !history.isEmpty,
      file.changed <= changeEnd
    else { return nil }
    self.boot = boot
    self.file = file
    self.changeEnd = changeEnd
    self.subvolume = subvolume
    var kept = history
    while kept.count > Self.historyLimit {
      let spare = kept.indices.dropFirst().dropLast().first { index in
        kept.indices.contains { $0 != index && kept[$0].application == kept[index].application }
      }
      kept.remove(at: spare ?? 0)
    }
    self.history = kept
  }

  /// A history with what happened next. Changes by one program, one after the other, are one event.
  package static func history(_ history: [Event], adding event: Event) -> [Event] {
    guard event.action == .changed, let last = history.last, last.action == .changed,
      last.application == event.application, last.executable == event.executable
    else { return history + [event] }
    return history.dropLast() + [event]
  }

  /// Reads a value.
  package init(_ bytes: [UInt8]) throws(Flaw) {
    let value: PropertyList
    do throws(DecodingFailure) {
      value = try PropertyList(binary: bytes)
    } catch {
      throw .list(error.description)
    }
    guard case .dictionary(let root) = value else { throw .list("not a dictionary") }
    let version = try Self.integer("version", root)
    guard version == Self.formatVersion else { throw .version(version) }
    let boot = try Self.text("boot", root)
    guard let inode = UInt64(exactly: try Self.integer("inode", root)) else { throw .key("inode") }
    guard let size = UInt64(exactly: try Self.integer("size", root)) else { throw .key("size") }
    guard case .array(let entries)? = root["history"], entries.count <= Self.historyLimit else {
      throw .key("history")
    }
    var history: [Event] = []
    for entry in entries { history.append(try Self.event(entry)) }
    let record = WitnessRecord(
      boot: boot,
      file: ContentVersion(
        inode: inode, born: try Self.integer("born", root), size: size,
        modified: try Self.integer("modified", root),
        changed: try Self.integer("changedFrom", root)),
      changeEnd: try Self.integer("changedTo", root), history: history,
      subvolume: root["subvolume"] == nil ? nil : try Self.integer("subvolume", root))
    guard let record else {
      throw .key(history.isEmpty ? "history" : "changedTo")
    }
    self = record
  }

  private static func event(_ value: PropertyList) throws(Flaw) -> Event {
    guard case .dictionary(let entry) = value else { throw .key("history") }
    guard let knowledge = Knowledge(rawValue: try text("known", entry)) else { throw .key("known") }
    guard let action = Action(rawValue: try text("action", entry)) else { throw .key("action") }
    return Event(
      application: entry["application"] == nil ? nil : try text("application", entry),
      executable: try text("executable", entry),
      knowledge: knowledge, action: action, time: try integer("time", entry))
  }

  private static func integer(
    _ key: String, _ dictionary: PropertyList.Dictionary
  ) throws(Flaw) -> Int64 {
    guard case .integer(let value)? = dictionary[key] else { throw .key(key) }
    return value
  }

  private static func text(
    _ key: String, _ dictionary: PropertyList.Dictionary
  ) throws(Flaw) -> String {
    guard case .string(let value)? = dictionary[key], !value.isEmpty else { throw .key(key) }
    return value
  }

  /// The value of the attribute; `nil` if a number does not fit.
  package var bytes: [UInt8]? {
    guard let born = file.born, let inode = Int64(exactly: file.inode),
      let size = Int64(exactly: file.size)
    else { return nil }
    let events = history.map { event -> PropertyList in
      var entry: PropertyList.Dictionary = [
        "executable": .string(event.executable), "known": .string(event.knowledge.rawValue),
        "action": .string(event.action.rawValue), "time": .integer(event.time),
      ]
      if let application = event.application { entry["application"] = .string(application) }
      return .dictionary(entry)
    }
    var root: PropertyList.Dictionary = [
      "version": .integer(Self.formatVersion), "boot": .string(boot), "inode": .integer(inode),
      "born": .integer(born), "size": .integer(size), "modified": .integer(file.modified),
      "changedFrom": .integer(file.changed), "changedTo": .integer(changeEnd),
      "history": .array(events),
    ]
    if let subvolume { root["subvolume"] = .integer(subvolume) }
    return try? PropertyList.dictionary(root).binary()
  }
}
