import Glibc
import IconFetch
import LinuxSystem

/// Something a decoder that was taken over might try. Each prints the error's number, 0 for none.
enum Attempt: String {
  case nothing, socket, open, creat, rmdir, execve, spawn, kill, duplicate, executableMemory
  case memory, processorTime, wait
  /// Without the sandbox, as a parent's worst child.
  case endlessOutput, endlessWait, endlessWords, silence

  /// - Parameter nets: those to try it in.
  func run(in nets: SandboxNets) throws -> CInt {
    switch self {
    case .endlessOutput, .endlessWords:
      let block = [UInt8](repeating: 0x41, count: 1 << 16)
      let descriptor = self == .endlessOutput ? STDOUT_FILENO : STDERR_FILENO
      while unsafe block.withUnsafeBytes({ unsafe write(descriptor, $0.baseAddress, $0.count) }) > 0
      {}
      return 0
    case .endlessWait:
      while true { pause() }
    case .silence: return 0
    default: break
    }
    let nets = try DecodingSandbox.enter(seconds: 1, nets: nets)
    var result: CInt = 0
    switch self {
    case .wait:
      let text = "\(getpid())\n"
      _ = unsafe text.withCString { unsafe write(STDOUT_FILENO, $0, strlen($0)) }
      while true { pause() }
    case .socket: result = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    case .open: result = unsafe Glibc.open("/etc/hostname", O_RDONLY)
    case .creat: result = unsafe Glibc.open("/tmp/picture-probe", O_WRONLY | O_CREAT, 0o600)
    case .rmdir: result = unsafe Glibc.rmdir("/usr")  // never empty
    case .execve: result = unsafe Glibc.execv("/bin/true", [nil])
    case .spawn:
      var identifier = pid_t()
      errno = unsafe posix_spawn(&identifier, "/bin/true", nil, nil, [nil], [nil])
      result = errno == 0 ? 0 : -1
    case .kill: result = Glibc.kill(getppid(), 0)
    case .duplicate: result = dup(0)
    case .executableMemory:
      let memory = unsafe mmap(
        nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      result = unsafe memory == MAP_FAILED ? -1 : 0
    case .memory:
      // More than the limit, never touched.
      result = unsafe malloc(Int(DecodingSandbox.memory)) == nil ? -1 : 0
    case .processorTime:
      var number: UInt64 = 1
      while number != 0 { number = number &* 3 }
    default: break
    }
    let error = result < 0 ? errno : 0
    let text = "\(error) \(nets.rawValue)\n"
    _ = unsafe text.withCString { unsafe write(STDOUT_FILENO, $0, strlen($0)) }
    return 0
  }
}
