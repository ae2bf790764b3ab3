import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

/// What a program can do that reads untrusted files, and what it cannot.
@Suite struct GuardedProgramTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    // Root's program is one of nobody.
    chmod(place.root, 0o755)
  }

  private static let system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/dev/null"]

  private func start(_ script: String, memory: UInt64 = 512 << 20) throws -> GuardedProgram {
    try GuardedProgram(
      FilePath("/usr/bin/python3"), ["python3", "-I", "-c", script], variables: ["PATH=/usr/bin"],
      readable: Self.system.map { FilePath($0) }, memory: memory)
  }

  /// What a script writes until it ends.
  private func output(
    _ script: String, handing file: CInt? = nil, memory: UInt64 = 512 << 20
  ) throws -> String {
    let program = try start(script, memory: memory)
    var text: [UInt8] = []
    let end = Clock.milliseconds + 20_000
    while true {
      let event = try program.run(handing: file, until: end, unless: -1)
      guard case .output = event else {
        Issue.record("\(event)")
        return ""
      }
      let block = try program.answer()
      if block.isEmpty { return String(decoding: text, as: UTF8.self) }
      text += block
    }
  }

  /// What becomes of something that a script tries: `done`, or the name of the error.
  private func attempt(_ statement: String, handing file: CInt? = nil) throws -> String {
    try output(
      """
      import os, socket, errno, ctypes
      try:
          \(statement)
          print("done")
      except OSError as error:
          print(errno.errorcode[error.errno])
      """, handing: file)
  }

  @Test func handedFileIsReadFromItsBeginEachTime() throws {
    let path = try place.file("closed/handed", "content")
    chmod(path, 0o600)
    chmod(place.path("closed"), 0o700)
    let file = open(path, O_RDONLY)
    defer { close(file) }
    lseek(file, 3, SEEK_SET)
    let script = """
      print(open("\(GuardedProgram.path)").read(), open("\(GuardedProgram.path)").read())
      """
    #expect(try output(script, handing: file) == "content content\n")
  }

  @Test func programThatDoesNotReadIsNotWaitedFor() throws {
    let program = try start("import time; time.sleep(20)")
    #expect(throws: Errno(rawValue: EAGAIN)) {
      for _ in 0..<3 { try program.ask([UInt8](repeating: 0, count: 65536)) }
    }
  }

  /// The kernel would take the signal of its supervisor's end off it.
  @Test(.enabled(if: geteuid() == 0, "only root gives capabilities"))
  func programWithCapabilitiesIsRefused() throws {
    let script = """
      import os, shutil, struct, sys
      shutil.copy("/bin/true", sys.argv[1])
      os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0))
      """
    let program = place.path("program")
    try #require(try Execution.run(["python3", "-c", script, program]).status == 0)
    let wrapper = try place.program("wrapper", "#! \(program) -x\n")
    for path in [program, wrapper] {
      #expect(throws: GuardedProgram.Failure.unconfined(.notPermitted)) {
        try GuardedProgram(FilePath(path), ["x"], variables: [], readable: [], memory: 1 << 30)
      }
    }
  }

  @Test func nothingIsHandedWhereThereIsNothing() throws {
    #expect(try attempt("open('\(GuardedProgram.path)')") == "ENOENT\n")
  }

  @Test(arguments: [
    ("open('/etc/passwd')", "EACCES"), ("open('/proc/self/environ')", "EACCES"),
    ("os.listdir('/etc')", "EACCES"), ("open('/dev/null', 'w')", "EPERM"),
    ("os.open('/dev/null', os.O_RDWR)", "EPERM"), ("os.fork()", "EPERM"),
    ("os.execv('/bin/true', ['true'])", "EPERM"), ("os.kill(os.getppid(), 0)", "EPERM"),
    ("socket.socket()", "EPERM"), ("os.memfd_create('x')", "EPERM"), ("os.setsid()", "EPERM"),
    // The access time would change that the descriptor keeps as it is.
    ("__import__('fcntl').fcntl(0, 4, 0)", "EPERM"),
    ("os.chmod('/usr/bin', 0)", "EPERM"), ("os.pidfd_open(os.getppid())", "EPERM"),
  ])
  func nothingElseCanBeDone(_ statement: String, _ error: String) throws {
    #expect(try attempt(statement) == error + "\n")
  }

  @Test func handedFileCannotBeChanged() throws {
    let path = try place.file("handed", "content")
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let open = "f = os.open('\(GuardedProgram.path)', os.O_RDONLY)"
    for change in [
      "os.fchmod(f, 0)", "os.utime(f)", "os.setxattr(f, 'user.a', b'1')", "os.write(f, b'x')",
    ] {
      let outcome = try attempt("\(open); \(change)", handing: file)
      #expect(["EPERM\n", "EBADF\n"].contains(outcome), "\(change): \(outcome)")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "content")
  }

  @Test func programHasOnlyItsStreamsAndItsEnvironment() throws {
    let text = try output("import os; print(sorted(os.environ), os.getcwd(), os.fstat(2).st_rdev)")
    #expect(text == "['LC_CTYPE', 'PATH'] / 259\n" || text == "['PATH'] / 259\n", "\(text)")
  }

  @Test func memoryIsLimited() throws {
    let script = "try: bytearray(1 << 30)\nexcept MemoryError: print('none')"
    #expect(try output(script, memory: 256 << 20) == "none\n")
  }

  @Test func lateProgramIsReportedAndEndsWithItsOwner() throws {
    var program: GuardedProgram? = try start(
      "import os, time; print(os.getpid(), flush=True); time.sleep(600)")
    let end = Clock.milliseconds + 20_000
    guard case .output? = try program?.run(handing: nil, until: end, unless: -1) else {
      Issue.record("the program has written nothing")
      return
    }
    let answer = try #require(try program?.answer())
    let text = String(decoding: answer, as: UTF8.self).split(separator: "\n")[0]
    let identifier = try #require(pid_t(text))
    let event = try program?.run(handing: nil, until: Clock.milliseconds + 50, unless: -1)
    guard case .late? = event else {
      Issue.record("the program is not late")
      return
    }
    program = nil
    #expect(kill(identifier, 0) == -1)
  }

  @Test func waitIsInterrupted() throws {
    let program = try start("import time; time.sleep(600)")
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[1])
    defer { close(ends[0]) }
    guard
      case .interrupted = try program.run(
        handing: nil, until: Clock.milliseconds + 20_000, unless: ends[0])
    else {
      Issue.record("the wait goes on")
      return
    }
  }

  @Test func programThatCannotBeStartedIsAnError() throws {
    let program = try GuardedProgram(
      FilePath("/usr/bin/docsource-no-such-program"), ["x"], variables: [],
      readable: Self.system.map { FilePath($0) }, memory: 1 << 28)
    #expect(throws: GuardedProgram.Failure.unstarted(.noSuchFile)) {
      try program.run(handing: nil, until: Clock.milliseconds + 20_000, unless: -1)
    }
  }
}
