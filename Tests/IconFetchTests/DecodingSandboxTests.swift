import Glibc
import IconFetch
import TestSupport
import Testing

struct DecodingSandboxTests {
  /// What the probe says: the error's number, and the nets in force.
  private func attempt(_ name: String, in nets: SandboxNets) throws -> [Int] {
    let execution = try Execution.run([PictureProbe.path, name, "\(nets.rawValue)"])
    #expect(execution.status == 0)
    return execution.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
  }

  @Test(
    arguments: [
      "socket", "open", "creat", "rmdir", "execve", "spawn", "kill", "duplicate",
      "executableMemory",
    ])
  func filterRefusesWhatReachesOutside(_ name: String) throws {
    #expect(try attempt(name, in: .seccomp) == [Int(EPERM), SandboxNets.seccomp.rawValue])
  }

  @Test func ordinaryWorkGoesOn() throws {
    let all: SandboxNets = [.seccomp, .landlock]
    #expect(try attempt("nothing", in: all) == [0, all.rawValue])
  }

  @Test(arguments: ["rmdir", "execve"])
  func landlockAloneLetsNoPathBeReached(_ name: String) throws {
    #expect(try attempt(name, in: .landlock) == [Int(EACCES), SandboxNets.landlock.rawValue])
  }

  @Test(arguments: ["socket", "open", "creat", "duplicate"])
  func limitsAloneLetNoDescriptorBeOpened(_ name: String) throws {
    #expect(try attempt(name, in: []) == [Int(EMFILE), 0])
  }

  @Test func memoryIsLimited() throws {
    #expect(try attempt("memory", in: []) == [Int(ENOMEM), 0])
  }

  @Test func loopIsEndedByTheProcessorLimit() throws {
    let execution = try Execution.run([PictureProbe.path, "processorTime"])
    #expect(execution.status == 128 + SIGXCPU)
  }
}
