import CommandLineInterface
import CompanionProtocol
import ForeignFormats
import Glibc
import LinuxSystem
import Synchronization
import TextFormats

/// What programs and devices have written of themselves into files, read by exiftool, which
/// `docsource-content` runs.
final class ContentSearch: Sendable {
  static let embedded = OptionDeclaration(
    "embedded", help: "with --recursive, read which program wrote the content, too")
  static let noEmbedded = OptionDeclaration(
    "no-embedded", help: "do not read which program wrote the content")

  /// One program, which one thread asks at a time. It ends with this.
  private final class Conversation: Sendable {
    private let program: RunningProgram
    private let channel: Mutex<FileChannel?>

    init() throws(ChildProcess.Failure) {
      let (ours, theirs): (FileChannel, CInt)
      do throws(Errno) {
        (ours, theirs) = try FileChannel.pair(PacketBuffer())
      } catch {
        throw ChildProcess.Failure(
          description:
            "cannot start \(CompanionProgram.content.name): \(error.description.lowercased())")
      }
      defer { close(theirs) }
      channel = Mutex(ours)
      program = try CompanionProgram.content.startConversation([], on: theirs)
    }

    /// The program ends exiftool and itself then; it is given some time, in milliseconds.
    deinit {
      channel.withLock { $0 = nil }
      guard program.ending(within: 500) == nil else { return }
      program.kill(of: FileRights.nobody)
      _ = program.wait()
    }

    func answer(about file: CInt) -> ContentProtocol.Answer? {
      channel.withLock { channel in
        channel.flatMap { ContentProtocol.answer(about: file, over: $0) }
      }
    }
  }

  private struct State {
    var idle: [Conversation] = []
    /// Why nothing can be read of any file.
    var obstacle: String?
    var failures: [(path: [UInt8], reason: String)] = []
    var otherFailures = 0
  }

  /// More are counted only.
  private static let failureLimit = 100

  private let isRequired: Bool
  private let state = Mutex(State())

  /// - Parameter isRequired: whether it is a failure if no file can be read.
  init(isRequired: Bool) { self.isRequired = isRequired }

  /// The search that options ask for: by default of single files.
  ///
  /// - Parameter option: asks for it.
  static func wanted(
    _ arguments: Arguments, by option: OptionDeclaration, orAlso isAlsoAsked: Bool = false,
    isRecursive: Bool
  ) throws(UsageError) -> ContentSearch? {
    let isAsked = arguments.has(option) || isAlsoAsked
    guard !arguments.has(noEmbedded) else {
      if arguments.has(option) {
        throw UsageError("--\(option.long) and --\(noEmbedded.long) cannot be combined")
      }
      return nil
    }
    return isAsked || !isRecursive ? ContentSearch(isRequired: isAsked) : nil
  }

  /// What the content says; `nil` if that is nothing.
  @Sendable func origin(of file: HeldFile) -> EmbeddedOrigin? {
    guard state.withLock({ $0.obstacle == nil }) else { return nil }
    guard let descriptor = try? file.openedToLook() else {
      fail(file, "cannot be read")
      return nil
    }
    defer { close(descriptor) }
    let conversation: Conversation
    let idle = state.withLock { $0.idle.popLast() }
    do throws(ChildProcess.Failure) {
      if let idle { conversation = idle } else { conversation = try Conversation() }
    } catch {
      state.withLock { $0.obstacle = error.description }
      return nil
    }
    switch conversation.answer(about: descriptor) {
    case .origin(let origin)?:
      state.withLock { $0.idle.append(conversation) }
      return origin
    case ContentProtocol.Answer.none?: state.withLock { $0.idle.append(conversation) }
    case .failed(let reason, isLasting: true)?: state.withLock { $0.obstacle = reason }
    case .failed(let reason, isLasting: false)?:
      state.withLock { $0.idle.append(conversation) }
      fail(file, reason)
    case nil: fail(file, "\(CompanionProgram.content.name) has ended without an answer")
    }
    return nil
  }

  private func fail(_ file: HeldFile, _ reason: String) {
    state.withLock { state in
      if state.failures.count < Self.failureLimit {
        state.failures.append((Array(file.reference.path.bytes), reason))
      } else {
        state.otherFailures += 1
      }
    }
  }

  /// Reports what could not be read.
  ///
  /// - Parameters:
  ///   - isMissed: whether something is not known that the content might say. Otherwise, unless the
  ///     content was asked for, it is no news that exiftool is not installed.
  ///   - hasObjects: whether each file has a JSON object already, where the verb prints such.
  /// - Returns: `.failed` if there is something, unless that is all files and the content is no more than
  ///   a supplement.
  func finish(
    _ console: Console, isMissed: Bool = true, hasObjects: Bool = false
  ) -> ExitStatus {
    let (obstacle, failures, others) = state.withLock { state in
      state.idle = []
      return (state.obstacle, state.failures, state.otherFailures)
    }
    for failure in failures {
      let words = "cannot read the content: \(EscapedText(failure.reason))"
      if hasObjects {
        console.report(failure.path[...], words)
      } else {
        console.fail(failure.path[...], words)
      }
    }
    if others > 0 { console.say("cannot read the content of \(CountText.of(others, "more file"))") }
    if let obstacle, isRequired || isMissed { console.say("\(EscapedText(obstacle))") }
    return failures.isEmpty && (obstacle == nil || !isRequired) ? .done : .failed
  }
}
