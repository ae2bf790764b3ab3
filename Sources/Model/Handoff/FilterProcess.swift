internal import CLinux
internal import Glibc
package import LinuxSystem
internal import TextFormats

/// Why nothing is handed over.
package struct Refusal: Error {
  /// What would help.
  package enum Remedy: Sendable {
    /// To allow paths that lead out of the item's directory.
    case anyPath
    /// To let the desktop's portal do it.
    case portal
    /// To use the terminal's clipboard.
    case terminalClipboard
    /// To name the directory of copies.
    case directory
    /// To name the contact's file.
    case card
  }

  package let reason: String
  package let remedy: Remedy?

  package init(reason: String, remedy: Remedy? = nil) {
    self.reason = reason
    self.remedy = remedy
  }
}

/// A program that gets something by standard input, and answers on standard output.
package enum FilterProcess {
  package typealias End = (ending: RunningProgram.Ending, output: [UInt8])

  package static func run(_ words: [[UInt8]], _ input: [UInt8]) throws(Refusal) -> End {
    let name = EscapedText(words[0])
    do {
      let source = try TemporaryFile.open()
      defer { TemporaryFile.close(source) }
      // In memory, so that it can be closed for all who have it, such as children of the program.
      let sink = unsafe clinux_file_memory("output")
      guard sink >= 0 else { throw Errno(rawValue: -sink) }
      defer { close(sink) }
      try Descriptor.write(input, to: source)
      lseek(source, 0, SEEK_SET)
      let program = Program(FilePath(bytes: words[0]) ?? FilePath(""), words, .searched)
      let running = try program.start(input: .descriptor(source), output: .descriptor(sink))
      let ending = try end(of: running, writingTo: sink)
      lseek(sink, 0, SEEK_SET)
      guard let output = try Descriptor.read(sink, limit: limit) else { throw tooMuch }
      return (ending, output)
    } catch let refusal as Refusal {
      throw refusal
    } catch let errno as Errno {
      throw Refusal(reason: "cannot start '\(name)': \(errno.description.lowercased())")
    } catch {
      throw Refusal(reason: "cannot start '\(name)': \(error)")
    }
  }

  private static let tooMuch = Refusal(
    reason: "the program has written more than \(limit >> 20) MiB")

  /// More bytes than a target or an activity hands back; they are in memory.
  private static let limit = 64 << 20

  /// How often the size of what has been written is looked at; in microseconds.
  private static let interval: UInt32 = 5000

  /// Waits for the end of a program, and ends one that writes without end.
  private static func end(
    of program: RunningProgram, writingTo sink: CInt
  ) throws(Refusal) -> RunningProgram.Ending {
    while true {
      if let ending = program.endingSoFar() { return ending }
      var status = stat()
      if unsafe fstat(sink, &status) == 0, status.st_size > limit {
        program.kill()
        clinux_file_seal(sink)
        _ = program.wait()
        throw tooMuch
      }
      usleep(interval)
    }
  }
}
