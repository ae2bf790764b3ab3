import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

/// What the kernel tells of written files, on file systems of the tests' own.
@Suite(.enabled(if: FileSystem.mayMount)) struct FileEventsTests {
  /// What an event said, with the file's path while it was open.
  private struct Reported: Equatable {
    let path: String
    let writer: Int32
    let hasProcess: Bool
  }

  /// Whether there are events, which may take that long to come.
  private static func hasSome(_ events: FileEvents, milliseconds: CInt = 10_000) throws -> Bool {
    var wanted = pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0)
    let count = poll(&wanted, 1, milliseconds)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count == 1
  }

  /// Reads until there is nothing more, waiting for the first event.
  private static func reported(_ events: FileEvents) throws -> [Reported] {
    var all: [Reported] = []
    guard try hasSome(events) else { return [] }
    while try events.read({ event in
      guard case .written(let file, let writer) = event else { return .close }
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
      all.append(
        Reported(path: path ?? "", writer: writer.identifier, hasProcess: writer.process >= 0))
      return .close
    }) {}
    return all
  }

  /// Writes a file in this process. A process that another test starts may have it open for a moment
  /// more: then the event comes later, and is of that process.
  private static func write(_ path: String) {
    let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    _ = Glibc.write(file, "x", 1)
    close(file)
  }

  /// Runs a Python program in a directory. What it has done is done; it waits to be ended.
  private static func writer(_ code: String, in directory: String) throws -> RunningProcess {
    let streams = try TemporaryDirectory()
    let program = "import os, time\n\(code)\nprint('done', flush=True)\ntime.sleep(60)\n"
    let writer = try RunningProcess(
      ["python3", "-c", program].map { Array($0.utf8) }, in: directory, streams: streams)
    try Patience.wait { try !streams.text("output").isEmpty }
    return writer
  }

  @Test(arguments: [FileSystem.Kind.ext4, .xfs, .btrfs, .tmpfs], FileEvents.Extent.allCases)
  func writtenFilesAreReportedWithTheirWriter(_ kind: FileSystem.Kind, _ extent: FileEvents.Extent)
    throws
  {
    let system = try FileSystem(kind)
    let events = try FileEvents()
    try events.add(FilePath(system.root), extent)
    let writer = try Self.writer(
      """
      for name in 'ab':
        with open(name, 'w') as file: file.write('x')
      open('a').close()
      os.rename('b', 'c')
      """, in: system.root)
    defer {
      writer.kill(SIGKILL)
      _ = writer.wait()
    }
    let expected = ["a", "c"].map {
      Reported(path: system.path($0), writer: writer.identifier, hasProcess: true)
    }
    #expect(try Self.reported(events) == expected)
    try events.remove(FilePath(system.root), extent)
    Self.write(system.path("d"))
    #expect(try !Self.hasSome(events, milliseconds: 0))
  }

  @Test func fileSystemIsCoveredWhereverItIsMounted() throws {
    let system = try FileSystem(.ext4)
    let (whole, single) = (try FileEvents(), try FileEvents())
    try whole.add(FilePath(system.root), .fileSystem)
    try single.add(FilePath(system.root), .mount)
    let elsewhere = try TemporaryDirectory()
    #expect(try Execution.run(["mount", "--bind", system.root, elsewhere.root]).status == 0)
    defer { _ = try? Execution.run(["umount", "--lazy", elsewhere.root]) }
    Self.write(elsewhere.path("a"))
    #expect(try Self.reported(whole).map(\.path) == [elsewhere.path("a")])
    #expect(try !Self.hasSome(single, milliseconds: 0))
  }

  @Test func writerThatHasEndedHasNoProcess() throws {
    let system = try FileSystem(.tmpfs)
    let events = try FileEvents()
    try events.add(FilePath(system.root), .fileSystem)
    let writer = try RunningProcess([
      Array("sh".utf8), Array("-c".utf8), Array("echo > \(system.path("a"))".utf8),
    ])
    #expect(writer.wait() == 0)
    let expected = [
      Reported(path: system.path("a"), writer: writer.identifier, hasProcess: false)
    ]
    #expect(try Self.reported(events) == expected)
  }

  @Test func eventsThatDoNotFitAreReportedAsOverflow() throws {
    let limit = try String(
      contentsOfFile: "/proc/sys/fs/fanotify/max_queued_events", encoding: .utf8)
    let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
    let system = try FileSystem(.tmpfs)
    let events = try FileEvents()
    try events.add(FilePath(system.root), .fileSystem)
    for number in 0..<(count + 10) { Self.write(system.path("\(number)")) }
    var (written, overflows) = (0, 0)
    var errors: Set<Errno> = []
    while try events.read({ event in
      switch event {
      case .written: written += 1
      case .overflow: overflows += 1
      case .unreadable(let errno, _): errors.insert(errno)
      }
      return .close
    }) {}
    // A process that another test starts may have a file open, and close it only when there is room.
    #expect((count..<count + 10).contains(written))
    #expect(overflows == 1)
    #expect(errors == [])
  }

  @Test func descriptorThatIsKeptStaysOpen() throws {
    let system = try FileSystem(.tmpfs)
    let events = try FileEvents()
    try events.add(FilePath(system.root), .fileSystem)
    Self.write(system.path("a"))
    var kept: CInt = -1
    try #require(try Self.hasSome(events))
    let mayHaveMore = try events.read { event in
      if case .written(let file, _) = event { kept = file }
      return .keep
    }
    #expect(!mayHaveMore)
    var byte: UInt8 = 0
    #expect(read(kept, &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "x"))
    close(kept)
  }

  @Test func withoutTheRightItIsRefused() throws {
    let program = """
      import ctypes, os, sys
      os.setresuid(65534, 65534, 65534)
      group = ctypes.CDLL(None, use_errno=True).fanotify_init(0x83, 0)
      sys.exit(ctypes.get_errno() if group < 0 else 0)
      """
    #expect(try Execution.run(["python3", "-c", program]).status == EPERM)
    let events = try FileEvents()
    #expect(throws: Errno.noSuchFile) { try events.add(FilePath("/nowhere"), .fileSystem) }
  }
}
