internal import CLinux
internal import Glibc
package import LinuxSystem
internal import Xattr

/// Writes the record of who wrote a file while nobody can write to the file.
///
/// It is done in this order: a read lease on the file keeps everybody from opening it for writing and says
/// that nobody has it open so; `confirm` says that its content is still whose it was, since whatever was
/// written is reported by then; the record gets a window of time that the time of the file's last change,
/// which writing the record sets, will be in; the lease ends after that window. A later change, whoever
/// sets back its time, is outside the window.
package final class WitnessSeal {
  /// Why no record was written.
  package enum Refusal: Error, Hashable, Sendable {
    /// Somebody has the file open for writing, or mapped so.
    case isWritten
    /// `confirm` says no.
    case unconfirmed
    /// The file system does not record when files were made.
    case noBirth
    /// The kernel's time of the change is outside of the window.
    case clock
    case errno(Errno)
  }

  /// How long writing the record may take, in nanoseconds. The kernel's coarse clock stands still for up
  /// to 10 ms.
  private static let window: Int64 = 12_000_000

  private let file: CInt
  /// The end of the window, in nanoseconds since 1970-01-01T00:00:00Z.
  private let end: Int64

  /// Whether the lease may end: what is changed from now on gets a time after the window. The kernel takes
  /// that time from its coarse clock, which is some milliseconds late.
  package var isOver: Bool { Self.now(CLOCK_REALTIME_COARSE) > end }

  /// Writes a record, in place of one that is there.
  ///
  /// - Parameters:
  ///   - file: open for reading only, and for as long as the seal.
  ///   - confirm: whether the content is still whose it was.
  package init(
    _ history: [WitnessRecord.Event], on file: CInt, boot: String, confirm: () -> Bool
  ) throws(Refusal) {
    let leased = clinux_file_lease(file)
    guard leased == 0 else {
      throw leased == -EAGAIN ? .isWritten : .errno(Errno(rawValue: -leased))
    }
    do throws(Refusal) {
      end = try Self.write(history, file, boot, confirm)
    } catch {
      _ = clinux_file_unlease(file)
      throw error
    }
    self.file = file
  }

  /// Ends the lease, and waits for that as long as it must: some milliseconds.
  deinit {
    while !isOver { usleep(1000) }
    _ = clinux_file_unlease(file)
  }

  private static func write(
    _ history: [WitnessRecord.Event], _ file: CInt, _ boot: String, _ confirm: () -> Bool
  ) throws(Refusal) -> Int64 {
    guard confirm() else { throw .unconfirmed }
    let before = try version(file)
    guard before.born != nil else { throw .noBirth }
    let start = now(CLOCK_REALTIME_COARSE)
    let end = now(CLOCK_REALTIME) + window
    let record = WitnessRecord(
      boot: boot,
      file: ContentVersion(
        inode: before.inode, born: before.born, size: before.size, modified: before.modified,
        changed: start),
      changeEnd: end, history: history)
    guard let value = record?.bytes, let name = AttributeName(WitnessRecord.attribute) else {
      throw .errno(.invalidArgument)
    }
    do throws(XattrError) {
      try ExtendedAttributes(of: .descriptor(file, path: FilePath(""))).setValue(value, of: name)
    } catch {
      throw .errno(error.errno)
    }
    let after = try version(file)
    guard after.size == before.size, after.modified == before.modified,
      (start...end).contains(after.changed)
    else { throw .clock }
    return end
  }

  private static func version(_ file: CInt) throws(Refusal) -> ContentVersion {
    do throws(Errno) {
      return try ContentVersion(descriptor: file)
    } catch {
      throw .errno(error)
    }
  }

  /// In nanoseconds. The corresponding C function is clock_gettime(2).
  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension WitnessRecord {
  /// The identifier of the machine's present start; `nil` without /proc.
  package static var currentBoot: String? {
    guard let file = try? Descriptor.open(FilePath("/proc/sys/kernel/random/boot_id")) else {
      return nil
    }
    defer { close(file) }
    guard let text = try? Descriptor.read(file, limit: 64) else { return nil }
    let boot = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return boot.isEmpty ? nil : boot
  }
}
