import CLinux
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

/// The journal of real file systems, with programs that write in ways that hide who has written.
@Suite(.enabled(if: FileSystem.mayMount)) struct WriteJournalTests {
  private final class Place {
    let system: FileSystem
    let journal: WriteJournal
    var files: JournaledFiles

    init(_ system: FileSystem) throws {
      self.system = system
      journal = try WriteJournal()
      let root = open(system.root, O_RDONLY | O_CLOEXEC)
      defer { close(root) }
      files = JournaledFiles(since: Self.now)
      try journal.add(open: root)
    }

    static var now: Int64 {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The process that has made and written a file; `nil` if nobody is known to have done so alone.
    func writer(_ name: String) throws -> ProcessKey? {
      try drain()
      let file = open(system.path(name), O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      var place = clinux_system()
      try #require(clinux_system_of(file, &place) == 0)
      let key = try #require(FileKey(open: file, on: place))
      let version = try ContentVersion(descriptor: file)
      guard case .created(let writer) = files.content(of: key, version) else { return nil }
      return writer.process
    }

    func drain() throws {
      try journal.drain { event, _ in
        files.take(event, at: Self.now)
        return .close
      }
      files.endTurn()
    }

    /// As if the processes had been looked at.
    func observe(_ writers: Writer...) throws {
      try drain()
      for writer in writers {
        guard let program = files.unobserved(writer.key) else { continue }
        let isCurrent = files.observe(program)
        #expect(isCurrent)
      }
    }
  }

  /// A program in Python that does one thing after the other, and lives until then.
  private final class Writer {
    private let process: RunningProcess
    private let control = try? TemporaryDirectory()
    private var count = 0
    let key: ProcessKey

    init(in directory: String) throws {
      let control = try #require(control)
      let program = """
        import ctypes, os, time, mmap
        number = 0
        while True:
            step = "\(control.root)/%d" % number
            while not os.path.exists(step): time.sleep(0.005)
            try: exec(open(step).read())
            finally: os.rename(step, step + ".done")
            number += 1
        """
      process = try RunningProcess(
        ["/usr/bin/python3", "-c", program].map { Array($0.utf8) }, in: directory)
      let descriptor = clinux_process_open(process.identifier)
      defer { close(descriptor) }
      key = try #require(ProcessKey(descriptor))
    }

    func does(_ statement: String) throws {
      let control = try #require(control)
      _ = try control.file("next", statement)
      let step = control.path("\(count)")
      #expect(rename(control.path("next"), step) == 0)
      count += 1
      try Patience.wait { access(step + ".done", F_OK) == 0 }
    }

    deinit {
      process.kill(SIGKILL)
      _ = process.wait()
    }
  }

  private static let save = "f = open('a', 'w'); f.write('content'); f.close()"

  @Test(arguments: [(FileSystem.Kind.ext4, false), (.xfs, false), (.btrfs, false), (.btrfs, true)])
  func writerOfANewFileIsKnown(_ kind: FileSystem.Kind, _ isSubvolume: Bool) throws {
    let place = try Place(FileSystem(kind, isSubvolume: isSubvolume))
    let writer = try Writer(in: place.system.root)
    try place.observe(writer)
    try writer.does(Self.save)
    #expect(try place.writer("a") == writer.key)
    // Another name is the same file, and reading it no change.
    try writer.does("os.rename('a', 'b'); open('b').read()")
    #expect(try place.writer("b") == writer.key)
  }

  @Test(arguments: [
    "f = open('a', 'a'); f.write('!'); f.close()",
    "f = os.open('a', os.O_RDWR); os.close(f)",
    "f = os.open('a', os.O_RDWR); m = mmap.mmap(f, 7); m[0:1] = b'!'; m.close(); os.close(f)",
    "os.truncate('a', 3)",
    "os.link('a', 'b')",
  ])
  func fileThatAnotherProcessHasOpenedOrChangedIsOfNobody(_ attack: String) throws {
    let place = try Place(FileSystem(.ext4))
    let (writer, attacker) = (
      try Writer(in: place.system.root), try Writer(in: place.system.root)
    )
    try place.observe(writer, attacker)
    try writer.does(Self.save)
    try attacker.does(attack)
    #expect(try place.writer("a") == nil)
    // Nor after the first one has written again.
    try writer.does("f = open('a', 'r+'); f.write('c'); f.close()")
    #expect(try place.writer("a") == nil)
  }

  @Test(arguments: [
    // The writer closes what another process has made, or made without a name.
    """
    p = os.fork(); p or (open('a', 'w').write('evil'), os._exit(0)); os.waitpid(p, 0); \\
    f = open('a', 'a'); f.write('c'); f.close()
    """,
    """
    p = os.fork(); p or (lambda f: (os.write(f, b'evil'), \\
    ctypes.CDLL(None).linkat(-100, b'/proc/self/fd/%d' % f, -100, b'a', 0x400), os._exit(0)))(os.open('.', os.O_TMPFILE | os.O_RDWR)); \\
    os.waitpid(p, 0); f = open('a', 'a'); f.write('c'); f.close()
    """,
    // A process without a name for it, of which nobody knows the program.
    "p = os.fork(); p or (open('a', 'w').write('evil'), os._exit(0)); os.waitpid(p, 0)",
  ])
  func fileOfAProcessThatIsGoneIsOfNobody(_ statement: String) throws {
    let place = try Place(FileSystem(.ext4))
    let writer = try Writer(in: place.system.root)
    try place.observe(writer)
    try writer.does(statement.replacing("\\\n", with: ""))
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.system.path("a"))).count >= 4)
    #expect(try place.writer("a") == nil)
  }

  /// ext4 gives the number of a deleted file to the next one, and the owner can set its generation where there
  /// are no checksums.
  @Test func laterFileIsNotTakenForADeletedOne() throws {
    let place = try Place(FileSystem(.ext4, ["-O", "^metadata_csum"]))
    let (writer, attacker) = (
      try Writer(in: place.system.root), try Writer(in: place.system.root)
    )
    try place.observe(writer, attacker)
    try attacker.does(
      """
      import fcntl; inode = lambda n: os.stat(n).st_ino
      def get(n):
          f = os.open(n, os.O_RDONLY); v = fcntl.ioctl(f, 0x80087601, bytes(8))[:4]; os.close(f); return v
      def set(n, v):
          f = os.open(n, os.O_RDONLY); fcntl.ioctl(f, 0x40087602, v + bytes(4)); os.close(f)
      """)
    try writer.does(Self.save)
    #expect(try place.writer("a") == writer.key)
    for (drains, expected) in [(true, attacker.key), (false, nil)] {
      try attacker.does("old = (inode('a'), get('a')); os.remove('a')")
      if drains { try place.drain() }
      try attacker.does(
        """
        open('a', 'w').write('evil!!!'); assert inode('a') == old[0]
        set('a', old[1]); f = open('a', 'r+'); f.write('EVIL'); f.close()
        """)
      #expect(try place.writer("a") == expected)
      try writer.does("os.remove('a'); open('a', 'w').write('content')")
      #expect(try place.writer("a") == nil)
    }
    // While the application makes the later file.
    try attacker.does("old = (inode('a'), get('a')); os.remove('a')")
    try writer.does(Self.save)
    try attacker.does(
      """
      assert inode('a') == old[0]; own = get('a'); set('a', old[1])
      f = open('a', 'r+'); f.write('EVIL'); f.close(); set('a', own)
      """)
    #expect(try place.writer("a") == nil)
    // An owner's generation has no say.
    try writer.does("f = open('b', 'w'); f.write('content'); f.close()")
    try place.drain()
    try attacker.does(
      """
      own = get('b'); set('b', b'abcd'); f = open('b', 'r+'); f.write('EVIL'); f.close(); set('b', own)
      """)
    #expect(try place.writer("b") == nil)
  }

  /// A process that writes, and then runs an application that closes the file.
  @Test func programThatIsRunLaterIsAnotherWriter() throws {
    let place = try Place(FileSystem(.ext4))
    let system = place.system
    #expect(try Execution.run(["cp", "/bin/sleep", system.path("sleep")]).status == 0)
    let program = """
      import os
      f = os.open('a', os.O_CREAT | os.O_RDWR); os.write(f, b'evil'); os.set_inheritable(f, True)
      os.execv('./sleep', ['sleep', '1'])
      """
    let process = try RunningProcess(
      ["/usr/bin/python3", "-c", program].map { Array($0.utf8) }, in: system.root)
    try Patience.wait {
      FilePath("/proc/\(process.identifier)/exe").linkTarget == FilePath(system.path("sleep"))
    }
    let pidfd = clinux_process_open(process.identifier)
    #expect(ProcessKey(pidfd) != nil)
    close(pidfd)
    #expect(try place.writer("a") == nil)
    #expect(process.wait() == 0)
    #expect(try place.writer("a") == nil)
  }

  /// Events of one reading are one process's as long as that has its number, which it has until somebody has
  /// waited for it.
  @Test func processOfAnEventIsThatOfLaterOnesWhileItHasItsNumber() throws {
    let process = try RunningProcess(["/bin/sleep", "60"].map { Array($0.utf8) })
    var event = clinux_journal_event()
    event.pid = process.identifier
    event.process = clinux_process_open(process.identifier)
    defer { close(event.process) }
    let key = try #require(ProcessKey(event.process))
    var (other, gone) = (event, event)
    (other.pid, gone.process) = (getpid(), -1)
    func areOne(_ process: inout EventProcess, _ event: clinux_journal_event) -> Bool {
      process.isProcess(of: event)
    }
    var known = try #require(EventProcess(event, key))
    #expect(!areOne(&known, other))
    #expect(!areOne(&known, gone))
    #expect(areOne(&known, event))
    process.kill(SIGKILL)
    try Patience.wait {
      (try? String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8))?
        .contains(") Z ") ?? false
    }
    var ended = try #require(EventProcess(event, key))
    #expect(areOne(&ended, event))
    _ = process.wait()
    // It was asked for after the reading.
    #expect(areOne(&ended, event))
    var reaped = try #require(EventProcess(event, key))
    #expect(!areOne(&reaped, event))
    let unknown = EventProcess(event, nil)
    #expect(unknown?.key == nil)
  }
}
