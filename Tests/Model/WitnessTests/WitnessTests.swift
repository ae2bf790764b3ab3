import CLinux
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import Witness

@Suite struct WitnessTests {
  private typealias Records = WitnessRecordTests

  @Test func recordHoldsForItsFileOnly() throws {
    let record = try Records.record()
    let file = Records.file
    func judged(
      inode: UInt64 = file.inode, born: Int64? = file.born, size: UInt64 = file.size,
      modified: Int64 = file.modified, changed: Int64 = file.changed, isWritten: Bool = false
    ) -> Witness {
      Witness.judge(
        record,
        ContentVersion(inode: inode, born: born, size: size, modified: modified, changed: changed),
        isWritten: isWritten)
    }
    #expect(judged() == .valid(record))
    #expect(judged(changed: record.changeEnd) == .valid(record))
    #expect(judged(changed: record.changeEnd + 1) == .void(record, .something))
    #expect(judged(changed: file.changed - 1) == .void(record, .something))
    #expect(judged(inode: 13) == .void(record, .otherFile))
    #expect(judged(born: nil) == .void(record, .otherFile))
    #expect(judged(born: 1) == .void(record, .otherFile))
    #expect(judged(size: 35) == .void(record, .content))
    #expect(judged(modified: file.modified + 1) == .void(record, .content))
    #expect(judged(isWritten: true) == .void(record, .isWritten))
    #expect(
      Witness.judge(record, file, isWritten: false, subvolume: 5) == .void(record, .otherFile))
  }

  /// A record of a file as it is, as `watch` writes it.
  private static func write(_ file: String) throws {
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    let version = try ContentVersion(descriptor: descriptor)
    let now = timespec.now
    let record = try #require(
      WitnessRecord(
        boot: Records.boot,
        file: ContentVersion(
          inode: version.inode, born: version.born, size: version.size,
          modified: version.modified, changed: now - 50_000_000),
        changeEnd: now + 50_000_000, history: [Records.event],
        subvolume: try subvolume(of: descriptor)))
    let name = try #require(AttributeName(WitnessRecord.attribute))
    try ExtendedAttributes(of: .path(FilePath(file))).setValue(try #require(record.bytes), of: name)
    usleep(60_000)
  }

  /// The subvolume of a file on btrfs.
  static func subvolume(of file: CInt) throws -> Int64? {
    var system = clinux_system()
    try #require(clinux_system_of(file, &system) == 0)
    return WitnessRecord.subvolume(system.number, magic: system.magic)
  }

  private static func state(_ file: String) throws -> String {
    switch try Witness(of: .path(FilePath(file))) {
    case .none: "none"
    case .damaged: "damaged"
    case .valid: "valid"
    case .void(_, let voidness): "\(voidness)"
    }
  }

  @Test(.enabled(if: FileSystem.mayMount), arguments: [FileSystem.Kind.ext4, .xfs, .btrfs])
  func realFilesAreJudged(_ kind: FileSystem.Kind) throws {
    let place = try FileSystem(kind)
    let file = place.path("a")
    try Data("content".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try Self.state(file) == "none")
    try Self.write(file)
    #expect(try Self.state(file) == "valid")
    // Reading changes nothing.
    _ = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(try Self.state(file) == "valid")

    // Whoever has it open for writing can change it without a trace in its times.
    let writer = open(file, O_RDWR | O_CLOEXEC)
    #expect(try Self.state(file) == "isWritten")
    let mapped = mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, writer, 0)
    close(writer)
    #expect(mapped != MAP_FAILED)
    #expect(try Self.state(file) == "isWritten")
    munmap(mapped, 7)
    #expect(try Self.state(file) == "valid")

    // A change with its time set back.
    var status = stat()
    stat(file, &status)
    let changed = open(file, O_WRONLY | O_CLOEXEC)
    Glibc.write(changed, "CONTENT", 7)
    close(changed)
    #expect(try Self.state(file) == "content")
    let times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, file, times, 0) == 0)
    #expect(try Self.state(file) == "something")

    // Another name is a change that is not known to be harmless.
    try Self.write(file)
    #expect(rename(file, place.path("b")) == 0)
    #expect(try Self.state(place.path("b")) == "something")

    // Root's copy carries the attribute to another file.
    try Self.write(place.path("b"))
    let copy = try Execution.run(["cp", "-a", place.path("b"), place.path("c")])
    #expect(copy.status == 0)
    #expect(try Self.state(place.path("c")) == "otherFile")
    #expect(try Self.state(place.path("b")) == "valid")
    let name = try #require(AttributeName(WitnessRecord.attribute))
    try ExtendedAttributes(of: .path(FilePath(place.path("b")))).setValue([1], of: name)
    #expect(try Self.state(place.path("b")) == "damaged")
  }

  /// Whoever opens the file for writing during a lease waits, and nobody's process ends.
  @Test func leaseKeepsWritersWaiting() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("a")
    let reader = open(file, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    #expect(clinux_file_lease(reader, SIGURG) == 0)
    #expect(open(file, O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1)
    #expect(errno == EWOULDBLOCK)
    #expect(clinux_file_unlease(reader) == 0)
    let writer = open(file, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    #expect(writer >= 0)
    #expect(clinux_file_lease(reader, SIGURG) == -EAGAIN)
    close(writer)
    #expect(clinux_file_lease(reader, SIGURG) == 0)
    #expect(clinux_file_unlease(reader) == 0)
  }

  @Test func whatCannotBeLookedUpIsAnError() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: Errno.noSuchFile) {
      try Witness(of: .path(FilePath(directory.path("missing"))))
    }
    let file = try directory.file("a")
    #expect(try Self.state(file) == "none")
    #expect(try Self.state(directory.root) == "none")
    #expect(try Self.state("/proc/self/status") == "none")
  }
}

extension timespec {
  fileprivate static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
