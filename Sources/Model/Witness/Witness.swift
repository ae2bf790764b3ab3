internal import CLinux
internal import Glibc
public import LinuxSystem
internal import Xattr

/// What is known on this machine of who wrote a file's present content.
public enum Witness: Hashable, Sendable {
  /// Why a record says nothing of the present content.
  public enum Voidness: Hashable, Sendable {
    /// The value was written for another file and came here by a copy or a backup.
    case otherFile
    /// The content has changed since.
    case content
    /// Something has changed since: perhaps only the file's name, mode or attributes, but the content can
    /// have changed too, since whoever changes it can set the time of its last change.
    case something
    /// A program has the file open for writing, or mapped so.
    case isWritten
  }

  /// How a document source and the record go together.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The application that the source names wrote the file's present content, and nobody else did.
    case agrees
    /// Nothing was seen, it no longer holds, an application is not known, or several have written the file.
    case unknown
    /// Other applications have made the file and changed it since.
    case disagrees
  }

  /// Nothing was recorded, or on a file system where others than root could have done so.
  case none
  /// The value cannot be read.
  case damaged(WitnessRecord.Flaw)
  case void(WitnessRecord, Voidness)
  /// The record's history says who wrote the present content.
  case valid(WitnessRecord)

  /// Reads the record of a file and compares it with the file.
  ///
  /// Whether the file is open for writing is known only to its owner and to root, and of files that may be
  /// read: fcntl(2), F_SETLEASE.
  ///
  /// - Throws: `Errno` if the file cannot be looked up; EINVAL for a symbolic link.
  public init(of file: FileReference) throws(Errno) { try self.init(of: HeldFile(file)) }

  /// The same of a file that is held.
  package init(of held: HeldFile) throws(Errno) {
    guard let name = AttributeName(WitnessRecord.attribute) else { throw Errno.invalidArgument }
    let value: [UInt8]?
    do throws(XattrError) {
      value = try ExtendedAttributes(of: .held(held)).value(of: name)
    } catch {
      // Also where the file system has no attributes.
      value = nil
    }
    var system = clinux_system()
    guard let value, unsafe clinux_system_of(held.descriptor, &system) == 0,
      WitnessRecord.isKept(onFileSystem: system.magic)
    else {
      self = .none
      return
    }
    let record: WitnessRecord
    do throws(WitnessRecord.Flaw) {
      record = try WitnessRecord(value)
    } catch {
      self = .damaged(error)
      return
    }
    let isWritten = Self.isWritten(held)
    // Asked for last, so that what changes meanwhile is seen.
    self = Self.judge(
      record, try ContentVersion(descriptor: held.descriptor), isWritten: isWritten,
      subvolume: WitnessRecord.subvolume(system.number, magic: system.magic))
  }

  /// Compares the record with the identifier of the application that a document source names. The letters of
  /// identifiers match in either case.
  public func verdict(naming identifier: String?) -> Verdict {
    guard case .valid(let record) = self, let identifier = identifier?.lowercased() else {
      return .unknown
    }
    func isNamed(_ event: WitnessRecord.Event) -> Bool {
      event.application?.lowercased() == identifier
    }
    if record.writers.allSatisfy(isNamed), record.writers.first?.action != .changed {
      return .agrees
    }
    // Whoever made what is not seen may be the one.
    let isWhole = record.history.first?.action == .created
    let isKnown = record.history.allSatisfy { $0.application != nil }
    return isWhole && isKnown && !record.history.contains(where: isNamed) ? .disagrees : .unknown
  }

  /// Compares a record with a file as it is now.
  static func judge(
    _ record: WitnessRecord, _ version: ContentVersion, isWritten: Bool, subvolume: Int64? = nil
  ) -> Witness {
    guard version.inode == record.file.inode, version.born == record.file.born else {
      return .void(record, .otherFile)
    }
    guard subvolume == record.subvolume else { return .void(record, .otherFile) }
    guard version.size == record.file.size, version.modified == record.file.modified else {
      return .void(record, .content)
    }
    guard !isWritten else { return .void(record, .isWritten) }
    // Writing the record itself changes that time.
    let changes = record.file.changed...record.changeEnd
    guard changes.contains(version.changed) else { return .void(record, .something) }
    return .valid(record)
  }

  private static func isWritten(_ file: HeldFile) -> Bool {
    guard let opened = try? file.opened() else { return false }
    defer { close(opened) }
    let result = clinux_file_lease(opened, SIGURG)
    if result == 0 { _ = clinux_file_unlease(opened) }
    return result == -EAGAIN
  }
}
