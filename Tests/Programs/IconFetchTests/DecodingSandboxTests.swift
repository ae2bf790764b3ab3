import Foundation
import Glibc
import IconFetch
import LinuxSystem
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

  @Test func processEndsWithItsParent() throws {
    // A shell that starts it, waits for its word and is killed; then it is looked for. No nets, as
    // pause(2) is none of the calls that they let pass.
    let script = """
      coproc "$0" wait 0
      read -r child <&"${COPROC[0]}" && echo "$child" && kill -KILL $$
      """
    let execution = try Execution.run(["bash", "-c", script, PictureProbe.path])
    #expect(execution.status == 128 + SIGKILL)
    let child = try #require(pid_t(execution.text.dropLast()))
    // One that nobody waits for stays as a zombie where the first process reaps none.
    func isAlive() -> Bool {
      let status = (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)) ?? ""
      return !status.isEmpty && !status.contains("State:\tZ")
    }
    for _ in 0..<500 where isAlive() { usleep(10_000) }
    #expect(!isAlive())
    kill(child, SIGKILL)
  }
}
