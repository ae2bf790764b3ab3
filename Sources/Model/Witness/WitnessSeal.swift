internal import CLinux
internal import Glibc
package import LinuxSystem
internal import Xattr

/// Writes the record of who wrote a file while nobody can write to the file.
///
/// It is done in this order: a read lease on the file keeps everybody from opening it for writing and says
/// that nobody has it open so; the caller makes sure that the file's content is still whose it was, since
/// whatever was written is reported by then; the record gets a window of time that the time of the file's
/// last change, which writing the record sets, will be in; the lease ends after that window. A later change,
/// whoever sets back its time, is outside the window.
package final class WitnessSeal {
  /// Why no record was written.
  package enum Refusal: Error, Hashable, Sendable {
    /// Somebody has the file open for writing, or mapped so.
    case isWritten
    /// The file system does not record when files were made.
    case noBirth
    /// The kernel's time of the change is outside of the window.
    case clock
    case errno(Errno)
  }

  /// How long writing the record may take, in nanoseconds. The kernel's coarse clock stands still for up
  /// to 10 ms.
  private static let window: Int64 = 12_000_000
  private static let noPath = FilePath("")
  private static let name = AttributeName(WitnessRecord.attribute)

  private let file: CInt
  /// The end of the window, in nanoseconds since 1970-01-01T00:00:00Z.
  private var end: Int64 = 0

  /// How long the lease must last, in nanoseconds; 0 if it may end: what is changed from now on gets a time
  /// after the window. The kernel takes that time from its coarse clock, which is some milliseconds late.
  package var rest: Int64 { max(0, end - Clock.nanoseconds(of: CLOCK_REALTIME_COARSE)) }

  /// Lets this process take leases: others are not to end it when they wait for one.
  package static func prepare() { signal(SIGIO, SIG_IGN) }

  /// Takes the lease, after ``prepare()``.
  ///
  /// - Parameter file: open for reading only; closed with the seal.
  package init(on file: CInt) throws(Refusal) {
    let leased = clinux_file_lease(file, 0)
    guard leased == 0 else {
      close(file)
      throw leased == -EAGAIN ? .isWritten : .errno(Errno(rawValue: -leased))
    }
    self.file = file
  }

  /// Ends the lease, and waits for that as long as it must: some milliseconds.
  deinit {
    while rest > 0 { usleep(1000) }
    _ = clinux_file_unlease(file)
    close(file)
  }

  /// Lets the lease last as long as that of a later seal of the same file, which may be the same lease: it
  /// belongs to the open file, of which there can be several descriptors.
  package func last(asLongAs other: WitnessSeal) { end = max(end, other.end) }

  /// The file under the lease.
  package func version() throws(Refusal) -> ContentVersion {
    do throws(Errno) {
      return try ContentVersion(descriptor: file)
    } catch {
      throw .errno(error)
    }
  }

  /// The file under the lease, which is closed with the seal.
  package var descriptor: CInt { file }

  /// Writes a record, in place of one that is there.
  ///
  /// - Parameters:
  ///   - time: when the last event of the history happened, in nanoseconds since 1970-01-01T00:00:00Z.
  ///   - before: the file under the lease.
  package func write(
    _ template: RecordTemplate, time: Int64, _ before: ContentVersion
  ) throws(Refusal) {
    guard let born = before.born else { throw .noBirth }
    let start = Clock.nanoseconds(of: CLOCK_REALTIME_COARSE)
    end = Clock.nanoseconds(of: CLOCK_REALTIME) + Self.window
    let sealed = ContentVersion(
      inode: before.inode, born: born, size: before.size, modified: before.modified, changed: start)
    guard let value = template.value(sealed, changeEnd: end, time: time), let name = Self.name
    else {
      throw .errno(.invalidArgument)
    }
    do throws(XattrError) {
      try ExtendedAttributes(of: .descriptor(file, path: Self.noPath)).setValue(value, of: name)
    } catch {
      throw .errno(error.errno)
    }
    let after = try version()
    guard after.size == before.size, after.modified == before.modified,
      (start...end).contains(after.changed)
    else { throw .clock }
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
