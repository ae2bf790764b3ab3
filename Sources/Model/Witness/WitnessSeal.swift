package import CLinux
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
  package static let window: Int64 = 12_000_000
  private static let noPath = FilePath("")
  private static let name = AttributeName(WitnessRecord.attribute)

  /// In milliseconds; if the window has not passed then, somebody has set the clock back.
  private static let patience = 1000

  /// The file under the lease, which is closed with the seal; -1 after that.
  package private(set) var descriptor: CInt
  /// That of the file.
  package let handle: clinux_handle
  /// The end of the window, in nanoseconds since 1970-01-01T00:00:00Z; `nil` if no record was written.
  private var end: Int64?
  /// When the lease ends in any case, in milliseconds of the clock that nobody sets.
  private var latest = 0

  /// How long the lease must last, in nanoseconds; 0 if it may end: what is changed from now on gets a time
  /// after the window. The kernel takes that time from its coarse clock, which is some milliseconds late.
  package var rest: Int64 {
    let rest = windowRest
    return rest > 0 && isLate ? 0 : rest
  }

  private var windowRest: Int64 {
    end.map { max(0, $0 + 1 - Clock.nanoseconds(of: CLOCK_REALTIME_COARSE)) } ?? 0
  }

  private var isLate: Bool { Clock.milliseconds >= latest }

  /// Lets this process take leases: others are not to end it when they wait for one.
  package static func prepare() { signal(SIGIO, SIG_IGN) }

  /// Takes the lease, after ``prepare()``. The file is opened anew: a lease belongs to an open file, and who else
  /// has a descriptor of that could end it.
  ///
  /// - Parameter descriptor: on a file system that the kernel keeps, which answers at any time.
  package init(on descriptor: CInt) throws(Refusal) {
    var handle = clinux_handle()
    let known = unsafe clinux_file_handle(descriptor, &handle)
    guard known == 0 else { throw .errno(Errno(rawValue: -known)) }
    let file = unsafe clinux_file_reopen(descriptor, &handle)
    guard file >= 0 else { throw .errno(Errno(rawValue: -file)) }
    let leased = clinux_file_lease(file, 0)
    guard leased == 0 else {
      close(file)
      throw leased == -EAGAIN ? .isWritten : .errno(Errno(rawValue: -leased))
    }
    self.descriptor = file
    self.handle = handle
  }

  /// Ends the lease, and waits for that as long as it must: some milliseconds. A record whose window may come
  /// again is removed.
  deinit {
    guard descriptor >= 0 else { return }
    while rest > 0 { usleep(1000) }
    if windowRest > 0, let name = Self.name { _ = try? attributes.removeValue(of: name) }
    // Which ends the lease: nobody else has a descriptor of the open file.
    close(descriptor)
  }

  /// Ends the leases of those whose windows are over, together.
  package static func end(_ seals: ArraySlice<WitnessSeal>) {
    let over = seals.filter { $0.windowRest == 0 }
    Descriptor.close(over.map(\.descriptor))
    for seal in over { seal.descriptor = -1 }
  }

  /// The file under the lease.
  package func version() throws(Refusal) -> ContentVersion {
    do throws(Errno) {
      return try ContentVersion(descriptor: descriptor)
    } catch {
      throw .errno(error)
    }
  }

  private var attributes: ExtendedAttributes {
    ExtendedAttributes(of: .descriptor(descriptor, path: Self.noPath))
  }

  /// Writes a record, in place of one that is there.
  ///
  /// - Parameters:
  ///   - time: when the last event of the history happened, in nanoseconds since 1970-01-01T00:00:00Z.
  ///   - before: the file under the lease.
  ///   - window: how long writing may take, in nanoseconds.
  package func write(
    _ template: RecordTemplate, time: Int64, _ before: ContentVersion, window: Int64 = window
  ) throws(Refusal) {
    guard let born = before.born else { throw .noBirth }
    let start = Clock.nanoseconds(of: CLOCK_REALTIME_COARSE)
    let end = Clock.nanoseconds(of: CLOCK_REALTIME) + window
    self.end = end
    latest = Clock.milliseconds + Self.patience
    let sealed = ContentVersion(
      inode: before.inode, born: born, size: before.size, modified: before.modified, changed: start)
    guard let value = template.value(sealed, changeEnd: end, time: time), let name = Self.name
    else {
      throw .errno(.invalidArgument)
    }
    do throws(XattrError) {
      try attributes.setValue(value, of: name)
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
