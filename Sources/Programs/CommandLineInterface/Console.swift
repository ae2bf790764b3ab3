package import TextFormats

/// The streams of a verb: data goes to standard output, words to standard error.
///
/// A console belongs to one thread; `SharedConsole` gives each further thread its own.
package final class Console {
  package let output: OutputStream
  let errors: OutputStream
  let tool: String
  /// Whether parts of the output stand out.
  package var isStyled = false
  /// How the verb's JSON objects are written; `nil` if the verb prints something else.
  package var objects: ObjectForm?

  package init(tool: String, output: OutputStream, errors: OutputStream) {
    self.tool = tool
    errors.destination.takeTurns(with: output.destination)
    self.output = output
    self.errors = errors
  }

  /// Writes `tool: path: message` to standard error, the path escaped.
  ///
  /// Pending standard output goes out first, so that the two streams keep their order on a
  /// terminal.
  package func report(_ path: ArraySlice<UInt8>, _ message: String) {
    output.flush()
    _ = errors.writeRecord(end: UInt8(ascii: "\n")) { line in
      line += tool.utf8
      line += ": ".utf8
      EscapedText.append(path, to: &line)
      line += ": ".utf8
      line += message.utf8
    }
    errors.flush()
  }

  /// Says that the work on a file failed, as `report` does. A verb that prints JSON objects gets
  /// one for the failure as well, with `file` and `error`.
  ///
  /// - Parameter message: not yet escaped.
  package func fail(_ path: ArraySlice<UInt8>, _ message: String) {
    writeFailure(path, message)
    report(path, "\(EscapedText(message))")
  }

  /// Passes on what a companion program has said of its failure on a file, as `passOn` does. A verb
  /// that prints JSON objects gets one for the failure as well.
  package func fail(_ path: ArraySlice<UInt8>, passingOn words: [UInt8]) {
    let lead = Array("\(tool): \(EscapedText(path)): ".utf8)
    let line = words.prefix { $0 != UInt8(ascii: "\n") }.prefix(Self.wordLimit)
    let message = line.starts(with: lead) ? line.dropFirst(lead.count) : line
    writeFailure(path, String(decoding: message, as: UTF8.self))
    passOn(words)
  }

  private func writeFailure(_ path: ArraySlice<UInt8>, _ message: String) {
    guard let objects else { return }
    write(["file": .path(path)] + objects.failure + ["error": .text(message)])
  }

  /// Whether the verb prints JSON objects.
  package var writesObjects: Bool { objects != nil }

  /// Writes a JSON object to standard output.
  ///
  /// Large objects go out in pieces, unless other streams lead to the same destination.
  package func write(_ fields: JSONFields) {
    var bytes: [UInt8] = []
    fields.write(to: &bytes) { bytes in
      guard bytes.count >= Self.piece else { return }
      output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    let end = objects?.end ?? UInt8(ascii: "\n")
    output.write(bytes[...], end: end)
    if end == UInt8(ascii: "\n") { output.endLine() }
  }

  /// The bytes of an object from which on they go out.
  private static let piece = 64 << 10

  /// Writes a JSON object of members whose values are JSON already.
  package func write(_ members: [(key: String, value: String)]) {
    write(object: JSONText.object(members))
  }

  private func write(object text: String) {
    if let end = objects?.end, end != UInt8(ascii: "\n") {
      output.write(text, end: end)
    } else {
      output.writeLine(text)
    }
  }

  /// Writes `tool: message` to standard error.
  package func say(_ message: String) {
    output.flush()
    errors.writeLine("\(tool): \(message)")
    errors.flush()
  }

  /// Warns that a name on the command line has a new one.
  package func warn(former: String, now name: String) {
    say("warning: \(former) is now \(name); the next version will not accept the old name")
  }

  /// Writes a labelled row of a block for people to standard output, the value escaped.
  package func writeRow(_ label: String, _ value: String) {
    let gap = String(repeating: " ", count: max(1, 13 - label.count))
    output.writeLine("  \(styled(label, .label))\(gap)\(EscapedText(value))")
  }

  /// The text as it is shown on this console's output; `text` is escaped already.
  package func styled(_ text: String, _ style: TerminalStyle) -> String {
    isStyled ? style.applied(to: text) : text
  }

  /// Appends the bytes of a path or another untrusted text, escaped, as they are shown on this console's
  /// output.
  package func append(
    _ bytes: ArraySlice<UInt8>, as style: TerminalStyle, to line: inout [UInt8]
  ) {
    if isStyled {
      line += style.applied(to: EscapedText(bytes).description).utf8
    } else {
      EscapedText.append(bytes, to: &line)
    }
  }

  /// A progress line for work on files; words of this console, and of other threads' consoles,
  /// replace the line.
  ///
  /// - Parameter label: what is being done to the files, in a word or two.
  package func progress(_ label: String) -> ProgressCount { ProgressCount(label, on: errors) }

  /// The most bytes of a companion's words that are passed on.
  private static let wordLimit = 64 << 10

  /// Passes on what a companion program has written to standard error, each line escaped: untrusted
  /// input may have taken the program over.
  package func passOn(_ words: [UInt8]) {
    guard !words.isEmpty else { return }
    output.flush()
    let words = words.last == UInt8(ascii: "\n") ? words.dropLast() : words[...]
    let lines = words.prefix(Self.wordLimit)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines { errors.writeLine("\(EscapedText(line))") }
    errors.flush()
  }

  /// Passes on the whole contents of the files that hold a command's output and error output.
  package func passOn(output file: CInt, errors otherFile: CInt) {
    output.flush()
    output.destination.send(contentsOf: file)
    errors.destination.send(contentsOf: otherFile)
  }

  /// Writes and says what a `HeldConsole` was given.
  ///
  /// Words go out with the data between them only where both are read together.
  package func passOn(_ transcript: Transcript) {
    if relation == .oneStream {
      output.write(transcript.whole)
      output.endRecord()
      return
    }
    transcript.forEachPiece { bytes, isError in
      guard isError else { return output.write(bytes) }
      if relation == .together { output.flush() }
      errors.write(bytes)
      if relation == .together { errors.flush() }
    }
    errors.flush()
    output.endRecord()
  }

  private lazy var relation = output.destination.relation(to: errors.destination)

  /// Sends pending output; returns `.failed`, after reporting it, where some was not written.
  package func finish(_ status: ExitStatus) -> ExitStatus {
    output.flush()
    guard let failure = output.failure else { return status }
    say("cannot write to standard output: \(failure.reason)")
    return .failed
  }
}

/// How a verb writes its JSON objects.
package struct ObjectForm: Sendable {
  /// The members that an object about a failure has between the file and the error: that with the
  /// verb's answer, as it is where there is none.
  let failure: JSONFields
  /// The byte that ends each object.
  let end: UInt8

  package init(failure: JSONFields, end: UInt8) {
    self.failure = failure
    self.end = end
  }
}

/// Gives each of several threads a console with pending output of its own.
package struct SharedConsole: Sendable {
  private let output: OutputDestination
  private let errors: OutputDestination
  private let tool: String
  private let isStyled: Bool
  private let objects: ObjectForm?

  /// Sends the console's pending output first, so that it precedes that of other threads.
  package init(_ console: Console) {
    console.output.flush()
    output = console.output.destination
    errors = console.errors.destination
    tool = console.tool
    isStyled = console.isStyled
    objects = console.objects
  }

  /// A console for the calling thread, which must call `output.endRecord()` where others may write
  /// in between, and flush the output at the end.
  package func forThisThread() -> Console {
    let console = Console(
      tool: tool, output: OutputStream(output, isShared: true),
      errors: OutputStream(errors, isShared: true))
    console.isStyled = isStyled
    console.objects = objects
    return console
  }

  fileprivate func console(in record: TranscriptRecord) -> Console {
    let console = Console(
      tool: tool, output: OutputStream(output.held(in: record, isError: false), isShared: true),
      errors: OutputStream(errors.held(in: record, isError: true), isShared: true))
    console.isStyled = isStyled
    console.objects = objects
    return console
  }
}

/// A console for one thread that sends nothing, so that its words can be put after those of others.
package final class HeldConsole {
  package let console: Console
  private let record = TranscriptRecord()

  /// - Parameter shared: decides how things are written, as if they were sent there.
  package init(_ shared: SharedConsole) { console = shared.console(in: record) }

  /// What the console was given, for `Console.passOn(_:)`. Nothing must be written afterwards.
  package func finish() -> Transcript {
    console.output.flush()
    return record.transcript
  }
}

/// What was written to the streams of a `HeldConsole`, in its order.
package struct Transcript: Sendable {
  private var bytes: [UInt8] = []
  /// Which stream was given the bytes up to a position, from that of the piece before.
  private var pieces: [(isError: Bool, end: Int)] = []

  mutating func add(_ more: [UInt8], isError: Bool) {
    bytes += more
    if let last = pieces.indices.last, pieces[last].isError == isError {
      pieces[last].end = bytes.count
    } else {
      pieces.append((isError, bytes.count))
    }
  }

  /// All bytes, whichever stream was given them.
  fileprivate var whole: [UInt8] { bytes }

  fileprivate func forEachPiece(_ body: (ArraySlice<UInt8>, _ isError: Bool) -> Void) {
    var start = 0
    for piece in pieces {
      body(bytes[start..<piece.end], piece.isError)
      start = piece.end
    }
  }
}
