import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import Witness

@Suite(.enabled(if: FileSystem.mayMount)) struct WitnessSealTests {
  private static let history = [WitnessRecordTests.event]
  /// F_SETLEASE, which the module Glibc lacks.
  private static let setLease: CInt = 1024

  private static func seal(
    _ path: String, isPatient: Bool = true, confirm: () -> Bool = { true }
  ) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let boot = try #require(WitnessRecord.currentBoot)
    #expect(boot.utf8.count == 36)
    let template = try #require(
      RecordTemplate(boot: boot, history, subvolume: try WitnessTests.subvolume(of: file)))
    WitnessSeal.prepare()
    // A program that another test has just started may have the file open for a moment.
    var attempts = isPatient ? 100 : 1
    while attempts > 0 {
      attempts -= 1
      do {
        let seal = try WitnessSeal(on: file)
        if confirm() { try seal.write(template, time: history[0].time, try seal.version()) }
        return
      } catch {
        if error != .isWritten || attempts == 0 { throw error }
      }
      usleep(10_000)
    }
  }

  /// A program that another test has just started may have the file open for a moment.
  private static func laterState(_ path: String) throws -> String {
    for _ in 0..<500 where try state(path) == "isWritten" { usleep(10_000) }
    return try state(path)
  }

  private static func placeWithFile() throws -> (place: FileSystem, path: String) {
    let place = try FileSystem(.ext4)
    try Data("content".utf8).write(to: URL(fileURLWithPath: place.path("a")))
    return (place, place.path("a"))
  }

  private static func state(_ path: String) throws -> String {
    switch try Witness(of: .path(FilePath(path))) {
    case .none: "none"
    case .damaged: "damaged"
    case .valid(let record): record.history == history ? "valid" : "other"
    case .void(_, let voidness): "\(voidness)"
    }
  }

  @Test(arguments: [FileSystem.Kind.ext4, .xfs, .btrfs])
  func sealedFileIsValidUntilItIsChanged(_ kind: FileSystem.Kind) throws {
    let place = try FileSystem(kind)
    for number in 0..<20 {
      let path = place.path("a\(number)")
      try Data("content".utf8).write(to: URL(fileURLWithPath: path))
      try Self.seal(path)
      #expect(try Self.state(path) == "valid")
      // At once, with the time set back.
      var status = stat()
      stat(path, &status)
      let writer = open(path, O_WRONLY | O_CLOEXEC)
      Glibc.write(writer, "CONTENT", 7)
      close(writer)
      let times = [status.st_atim, status.st_mtim]
      #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
      let state = try Self.laterState(path)
      #expect(state == "something")
      try Self.seal(path)
      #expect(try Self.state(path) == "valid")
    }
  }

  @Test func fileIsNotSealedWhileSomebodyMayWrite() throws {
    let (place, path) = try Self.placeWithFile()
    defer { withExtendedLifetime(place) {} }
    let writer = open(path, O_RDWR)
    #expect(throws: WitnessSeal.Refusal.isWritten) { try Self.seal(path, isPatient: false) }
    let mapped = mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, writer, 0)
    close(writer)
    #expect(throws: WitnessSeal.Refusal.isWritten) { try Self.seal(path, isPatient: false) }
    munmap(mapped, 7)
    try Self.seal(path) { false }
    #expect(try Self.state(path) == "none")
    // Nobody waits for a lease that is left.
    let again = open(path, O_WRONLY | O_NONBLOCK)
    #expect(again >= 0)
    close(again)
    // Nor can anybody open it for writing meanwhile.
    try Self.seal(path) { open(path, O_WRONLY | O_NONBLOCK) == -1 && errno == EWOULDBLOCK }
    #expect(try Self.state(path) == "valid")
  }

  @Test func fileThatNobodyMaySealIsLeft() throws {
    let directory = try TemporaryDirectory(in: "/dev/shm")
    let path = try directory.file("a")
    // tmpfs may lack the time when files were made.
    do {
      try Self.seal(path)
      // Where a user can be root of a file system of his own, a record does not count.
      #expect(try Self.state(path) == "none")
    } catch {
      #expect(error as? WitnessSeal.Refusal == .noBirth)
      #expect(try Self.state(path) == "none")
    }
    #expect(throws: WitnessSeal.Refusal.errno(.invalidArgument)) {
      _ = try WitnessSeal(on: open(directory.root, O_RDONLY))
    }
  }

  /// A lease belongs to an open file, of which others may have descriptors.
  @Test func leaseIsNobodyElsesToEnd() throws {
    let (place, path) = try Self.placeWithFile()
    defer { withExtendedLifetime(place) {} }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let template = try #require(RecordTemplate(boot: "b", Self.history))
    func seal() throws -> WitnessSeal {
      let seal = try WitnessSeal(on: file)
      try seal.write(template, time: Self.history[0].time, try seal.version())
      return seal
    }
    // Opening the file would break the leases.
    let version = try ContentVersion(descriptor: file)
    let (major, minor) = (version.device >> 32, version.device & 0xffff_ffff)
    let own = String(format: " %02lx:%02lx:%lu ", major, minor, version.inode)
    func leases() throws -> Int {
      try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
        .count { $0.contains("LEASE") && $0.contains(" \(getpid()) ") && $0.contains(own) }
    }
    WitnessSeal.prepare()
    var seals = [try seal()]
    // By another seal that ends at once, and by whoever has the file that was handed over.
    _ = try WitnessSeal(on: file)
    #expect(fcntl(file, Self.setLease, F_UNLCK) == -1)
    #expect(fcntl(file, Self.setLease, F_RDLCK) == 0)
    #expect(try leases() == 2)
    #expect(fcntl(file, Self.setLease, F_UNLCK) == 0)
    #expect(try leases() == 1)
    usleep(8000)
    seals.append(try seal())
    #expect(try leases() == 2)
    seals.removeFirst()
    #expect(try leases() == 1)
    #expect(try Self.state(path) == "valid")
    seals = []
    #expect(try leases() == 0)
  }

  /// As it is when somebody sets the clock back: the window would come again.
  @Test func recordWithoutAnEndIsRemoved() throws {
    let (place, path) = try Self.placeWithFile()
    defer { withExtendedLifetime(place) {} }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let template = try #require(RecordTemplate(boot: "b", Self.history))
    WitnessSeal.prepare()
    do {
      let seal = try WitnessSeal(on: file)
      try seal.write(
        template, time: Self.history[0].time, try seal.version(), window: 60_000_000_000)
      #expect(seal.rest > 59_000_000_000)
      #expect(try Self.state(path) == "valid")
    }
    #expect(try Self.state(path) == "none")
  }
}
