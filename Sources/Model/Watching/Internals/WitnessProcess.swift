internal import CompanionProtocol
internal import Glibc
internal import LinuxSystem

/// The witness as the reader of events has it.
final class WitnessProcess {
  private let channel: FileChannel
  private let program: RunningProgram

  /// - Throws: `Errno` if the program cannot be started.
  init(_ buffer: PacketBuffer) throws(Errno) {
    let (ours, theirs) = try FileChannel.pair(buffer)
    defer { close(theirs) }
    channel = ours
    let words = ["docsource", WatchWitness.argument]
    program = try Program(FilePath("/proc/self/exe"), words.map { Array($0.utf8) }, .sandboxed)
      .start(input: .descriptor(theirs), output: .null, errors: .null)
  }

  deinit { program.kill(of: geteuid()) }

  /// Hands over files. Those for which there is no room are left out: nobody may wait for the witness.
  ///
  /// - Returns: whether the witness is still there.
  func send(_ request: WitnessRequest, _ files: [CInt]) -> Bool {
    do throws(Errno) {
      try channel.send(request.message.packet, files, waits: false)
      return true
    } catch {
      return error.rawValue == EAGAIN
    }
  }
}
