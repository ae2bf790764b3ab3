internal import Glibc
package import LinuxSystem
internal import TextFormats

/// Why nothing is handed over.
package struct Refusal: Error {
  /// What would help.
  package enum Remedy: Sendable {
    /// To allow paths that lead out of the item's directory.
    case anyPath
    /// To replace the files that are there.
    case replacement
    /// To let the desktop's portal do it.
    case portal
    /// To use the terminal's clipboard.
    case terminalClipboard
    /// To name the directory of copies.
    case directory
    /// To name the contact's file.
    case card
    /// To answer a question in advance.
    case confirmation
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
  package struct End {
    package let ending: RunningProgram.Ending
    package let output: [UInt8]
    /// Empty if its standard error is that of this process.
    package let errors: [UInt8]
  }

  /// Runs a program to its end.
  ///
  /// - Parameter words: the program, looked for in `PATH`, and its arguments.
  /// - Throws: `Refusal` if it cannot be started or writes more than 64 MiB.
  package static func run(_ words: [[UInt8]], _ input: [UInt8]) throws(Refusal) -> End {
    let end = try run(
      Program(FilePath(bytes: words[0]) ?? FilePath(""), words, .searched), words,
      "'\(EscapedText(words[0]))'", input, keepsErrors: false, within: nil)
    guard let end else { throw Refusal(reason: "the program has not ended") }
    return end
  }

  /// Runs a program of which a part may stay in the background, such as the owner of a clipboard.
  ///
  /// - Parameters:
  ///   - path: of the program.
  ///   - words: its name and its arguments.
  ///   - patience: how long to wait for its end, in milliseconds; `nil` for ever.
  /// - Returns: `nil` if it has not ended by then; it runs on.
  /// - Throws: as `run`.
  package static func end(
    of path: FilePath, _ words: [[UInt8]], _ input: [UInt8], within patience: Int?
  ) throws(Refusal) -> End? {
    try run(
      Program(path, words), words, "\(EscapedText(words[0]))", input, keepsErrors: true,
      within: patience)
  }

  private static func run(
    _ program: Program, _ words: [[UInt8]], _ name: String, _ input: [UInt8], keepsErrors: Bool,
    within patience: Int?
  ) throws(Refusal) -> End? {
    do {
      let source = try MemoryFile(input)
      let sinks = [try MemoryFile()] + (keepsErrors ? [try MemoryFile()] : [])
      // What still runs of the program must not go on filling the memory.
      defer { for sink in sinks { sink.seal() } }
      let streams = sinks.map { Program.Stream.descriptor($0.descriptor) }
      let running = try program.start(
        input: .descriptor(source.descriptor), output: streams[0],
        errors: keepsErrors ? streams[1] : .inherited)
      guard let ending = try end(of: running, writingTo: sinks, within: patience) else {
        return nil
      }
      let written = try sinks.map { sink in
        guard let bytes = try sink.content(limit: limit) else { throw tooMuch }
        return bytes
      }
      return End(ending: ending, output: written[0], errors: keepsErrors ? written[1] : [])
    } catch let refusal as Refusal {
      throw refusal
    } catch let errno as Errno {
      throw Refusal(
        reason: "cannot start \(name): \(Program.reason(of: errno, starting: words))")
    } catch {
      throw Refusal(reason: "cannot start \(name): \(error)")
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
    of program: RunningProgram, writingTo sinks: [MemoryFile], within patience: Int?
  ) throws(Refusal) -> RunningProgram.Ending? {
    let start = Clock.milliseconds
    while true {
      if let ending = program.endingSoFar() { return ending }
      if sinks.contains(where: { Descriptor.size(of: $0.descriptor) ?? 0 > limit }) {
        program.kill()
        for sink in sinks { sink.seal() }
        _ = program.wait()
        throw tooMuch
      }
      if let patience, Clock.milliseconds - start >= patience { return nil }
      usleep(interval)
    }
  }
}

extension RunningProgram.Ending {
  /// How a program has ended, for messages.
  package var words: String {
    switch self {
    case .status(let number): "status \(number)"
    case .signal(let number): "signal \(number)"
    }
  }
}
