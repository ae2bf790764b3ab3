internal import AppIcon
internal import CDocumentSource
internal import CompanionProtocol
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A program beside the library, which does what nothing is linked into the library for.
enum Companion: String {
  /// The one that reads what programs have written into files.
  case content = "docsource-content"
  /// The one that reaches the network.
  case fetch = "docsource-fetch"
  /// The one that reads the databases of browsers and of package managers.
  case records = "docsource-records"

  /// Beside the library as it is built, for `lib`, and for Debian's `lib/x86_64-linux-gnu`.
  private static let places = ["", "../libexec/docsource/", "../../libexec/docsource/"]

  private var variables: [String] {
    switch self {
    case .content: ["PATH"]
    case .fetch: FetchEnvironment.variables
    case .records: BaseDirectories.variables
    }
  }

  /// Starts the program.
  ///
  /// - Returns: a descriptor of its process, to be closed.
  func start(
    _ arguments: [String], input: Program.Stream = .null, output: Program.Stream,
    errors: Program.Stream = .null
  ) throws(Failure) -> ProcessDescriptor {
    let words = ([rawValue] + arguments).map { Array($0.utf8) }
    let program = Program(try path(), words, .detached, variables: variables)
    do throws(Errno) {
      return try program.startWithDescriptor(input: input, output: output, errors: errors)
    } catch {
      throw Failure(DOCSOURCE_SYSTEM_ERROR, "cannot start \(rawValue): \(error)", errno: error)
    }
  }

  private func path() throws(Failure) -> FilePath {
    let library: FilePath
    do throws(Errno) {
      library = try Program.ownFile()
    } catch {
      throw Failure(
        DOCSOURCE_SYSTEM_ERROR, "cannot determine the path of the library", errno: error)
    }
    guard let path = Program.companion(rawValue, of: library, in: Self.places) else {
      throw Failure(
        DOCSOURCE_NOT_INSTALLED,
        "\(rawValue) is neither beside the library nor in libexec/docsource of its prefix")
    }
    return path
  }
}

/// The search for the download and the package of one file.
final class RecordSearch: Sendable {
  private let failure = Mutex(false)

  /// Whether not all databases could be read.
  var hasFailed: Bool { failure.withLock(\.self) }

  @Sendable func download(of file: DownloadedFile) -> DownloadRecords.Found? {
    let wanted = [file]
    let answers = try? RecordsProtocol.answers(for: wanted) {
      try Self.ask(
        RecordsProtocol.question(wanted), within: RecordsProtocol.limit(for: wanted),
        RecordsProtocol.answers)
    }
    var records: [DownloadRecord] = []
    for answer in answers ?? [] {
      if case .download(let record) = answer { records.append(record) }
    }
    if records.count != answers?.count { failure.withLock { $0 = true } }
    return DownloadRecords(records).record(of: file)
  }

  @Sendable func packages(
    of file: PackagedFile, _ held: HeldFile
  ) -> [(PackageRecord, PackageRecord.Verification?)] {
    guard
      file.mayHavePackage(home: BaseDirectories.current().home?.realPath.map { Array($0.bytes) })
    else { return [] }
    let question = PackagesProtocol.message(PackageQuestion(.files([file])))
    let answers = try? Self.ask(question, within: Self.patience, PackagesProtocol.answers)
    var records = PackageRecords()
    var isWhole = answers != nil
    for answer in answers ?? [] {
      switch answer {
      case .package(let some): records.add(some)
      case .failed: isWhole = false
      }
    }
    if !isWhole { failure.withLock { $0 = true } }
    return records.records(of: file).map { ($0, nil) }
  }

  /// How long package managers' databases are read, in milliseconds: whoever asks may wait with a window.
  private static let patience = 2000

  private struct NoAnswer: Error {}

  private static func ask<Answer>(
    _ question: CompanionMessage, within limit: Int, _ read: ([UInt8]) -> [Answer]?
  ) throws -> [Answer] {
    let input = try MemoryFile(question.bytes)
    let output = try MemoryFile()
    let process = try Companion.records.start(
      [], input: .descriptor(input.descriptor), output: .descriptor(output.descriptor))
    defer { close(process.rawValue) }
    guard process.isEnded(within: limit) else { throw NoAnswer() }
    switch process.ending(waits: true) {
    case .status(0), .taken:
      guard let answers = read(output.answer) else { throw NoAnswer() }
      return answers
    default: throw NoAnswer()
    }
  }
}

/// The search in the content of one file.
final class ContentSearch: Sendable {
  private let failure = Mutex(false)

  /// Whether the content could not be read although exiftool could be started.
  var hasFailed: Bool { failure.withLock(\.self) }

  /// In milliseconds: whoever asks may wait with a window.
  private static let limit = 2000
  /// How long the end of the program is waited for, in milliseconds.
  private static let patience = 200

  @Sendable func origin(of file: HeldFile) -> EmbeddedOrigin? {
    switch try? Self.ask(file) {
    case .origin(let origin)?: return origin
    case ContentProtocol.Answer.none?, .failed(_, isLasting: true)?: break
    case .failed(_, isLasting: false)?, nil: failure.withLock { $0 = true }
    }
    return nil
  }

  private static func ask(_ file: HeldFile) throws -> ContentProtocol.Answer? {
    let descriptor = try file.openedToLook()
    defer { close(descriptor) }
    var channel: FileChannel?
    let theirs: CInt
    (channel, theirs) = try FileChannel.pair(PacketBuffer())
    let process: ProcessDescriptor
    do {
      // Only the program has the other side then, so that its end is seen.
      defer { close(theirs) }
      process = try Companion.content.start(
        [], input: .descriptor(theirs), output: .descriptor(theirs))
    }
    defer {
      // Without its other side the program ends.
      channel = nil
      _ = process.isEnded(within: patience)
      _ = process.ending(waits: false)
      close(process.rawValue)
    }
    return channel.flatMap {
      ContentProtocol.answer(about: descriptor, over: $0, within: limit)
    }
  }
}

extension ProcessDescriptor {
  /// Waits for the end, and ends the process if that takes too long.
  ///
  /// - Returns: whether it has ended: a file system may hold it fast.
  fileprivate func isEnded(within milliseconds: Int) -> Bool {
    if ends(within: milliseconds) { return true }
    kill()
    return ends(within: 200)
  }
}

extension MemoryFile {
  /// What a companion has written; empty where it cannot be read, or is larger than 16 MiB: a picture
  /// of 1024 pixels has 4 MiB.
  var answer: [UInt8] { (try? content(limit: 16 << 20)) ?? [] }
}
