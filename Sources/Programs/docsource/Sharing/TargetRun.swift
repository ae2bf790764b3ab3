import BinaryPropertyList
import CLinux
import FileTree
import Glibc
import Handoff
import LinuxSystem
import ShareItem
import TextFormats

/// One hand-over of an item to a share target.
///
/// The target reads the item from standard input as a binary property list and may write one to
/// standard output. Status 0 is done, 1 cancelled by the user, and everything else a failure, whose
/// reason the target tells on standard error. Status 1 of the target's check means that it refuses the
/// item.
struct TargetRun {
  /// How it ended.
  enum Outcome {
    case done(ShareItem?)
    case cancelled
    /// The target's check does not pass the item.
    case refused(String)
    case failed(String)
  }

  let target: ShareTarget
  /// As `NAME=VALUE`.
  let options: [String]
  /// Where the paths of the item's attachments begin.
  let payload: FilePath
  /// Whether paths may lead out of that directory.
  let allowsAnyPath: Bool

  private var files: ItemFiles {
    ItemFiles(payload: payload, allowsAnyPath: allowsAnyPath, form: target.attachmentForm)
  }

  /// The item as the target gets it.
  ///
  /// - Throws: `Refusal` for a path that leads nowhere, or out of the directory.
  func resolved(_ item: ShareItem) throws(Refusal) -> ShareItem {
    var open: [ItemFiles.OpenFile] = []
    return try prepared(item, &open)
  }

  private func prepared(
    _ item: ShareItem, _ open: inout [ItemFiles.OpenFile]
  ) throws(Refusal) -> ShareItem {
    var item = item
    // Also none, so that malformed ones, whose paths nobody has looked at, are left out.
    item.attachments = try files.places(of: item.attachments, &open)
    var thumbnails = item.thumbnails
    if let size = target.thumbnailSize {
      thumbnails = ShareItem.Thumbnail.best(of: thumbnails, for: size).map { [$0] } ?? []
    }
    item.thumbnails = try files.places(of: thumbnails, &open)
    return item
  }

  /// Runs the target, after its check where it has one.
  func run(_ item: ShareItem) -> Outcome {
    do throws(Refusal) {
      var open: [ItemFiles.OpenFile] = []
      let item = try prepared(item, &open)
      defer { extendLifetime(open) }
      let bytes: [UInt8]
      do throws(ItemFailure) {
        bytes = try item.encoded()
      } catch {
        throw Refusal(reason: "\(error)")
      }
      if let validation = target.validation {
        let ending: RunningProgram.Ending
        do throws(Refusal) {
          ending = try start(validation, bytes).ending
        } catch {
          throw Refusal(reason: "the check Validate of the target failed: \(error.reason)")
        }
        switch ending {
        case .status(0): break
        case .status(1):
          return .refused(
            "the target refuses the item (its check Validate ended with status 1)")
        default: return .failed("the check Validate of the target failed (\(Self.words(ending)))")
        }
      }
      let (ending, output) = try start(target.command, bytes)
      switch ending {
      case .status(0): return try .done(returned(output))
      case .status(1): return .cancelled
      default: return .failed("the target failed (\(Self.words(ending)))")
      }
    } catch {
      return .failed(error.reason)
    }
  }

  private static func words(_ ending: RunningProgram.Ending) -> String {
    switch ending {
    case .status(let number): "status \(number)"
    case .signal(let number): "signal \(number)"
    }
  }

  private func returned(_ output: [UInt8]) throws(Refusal) -> ShareItem? {
    guard !output.isEmpty else { return nil }
    do throws(ItemFailure) {
      return try ShareItem(output)
    } catch {
      throw Refusal(reason: "the target is done, but has written no share item: \(error)")
    }
  }

  private func start(_ words: [String], _ input: [UInt8]) throws(Refusal) -> Recipient.End {
    try Recipient.run((words + options).map { Array($0.utf8) }, input)
  }
}

/// Why nothing is handed over.
struct Refusal: Error {
  let reason: String
}

/// A program that gets something by standard input, and answers on standard output.
enum Recipient {
  typealias End = (ending: RunningProgram.Ending, output: [UInt8])

  static func run(_ words: [[UInt8]], _ input: [UInt8]) throws(Refusal) -> End {
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

/// The files that an item names by paths.
struct ItemFiles {
  /// Where the paths begin.
  let payload: FilePath
  /// Whether paths may lead out of that directory.
  let allowsAnyPath: Bool
  var form = ShareTarget.AttachmentForm.paths
  /// What would allow a path that is refused.
  var remedy = "; use --any-path to allow it"

  /// A file that is handed over, open as long as the target runs.
  final class OpenFile {
    let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// Finds the files that attachments name, and leads their paths to them.
  ///
  /// - Throws: `Refusal` for a path that leads nowhere, or out of the directory.
  func resolved(
    _ attachments: [ShareItem.Attachment]
  ) throws(Refusal) -> [ShareItem.Attachment] {
    var files: [OpenFile] = []
    return try places(of: attachments, &files)
  }

  /// The same attachments, with the paths by which the target reaches their files.
  func places(
    of attachments: [ShareItem.Attachment], _ files: inout [OpenFile]
  ) throws(Refusal) -> [ShareItem.Attachment] {
    var attachments = attachments
    for (position, attachment) in attachments.enumerated() {
      guard case .path(let path) = attachment.content else { continue }
      attachments[position].content = .path(
        try place(of: path, "attachment \(position + 1)", &files))
    }
    return attachments
  }

  /// The same thumbnails, with the paths by which the target reaches their files.
  ///
  /// - Throws: `Refusal` as for attachments, and for a file that is no thumbnail.
  func places(
    of thumbnails: [ShareItem.Thumbnail], _ files: inout [OpenFile]
  ) throws(Refusal) -> [ShareItem.Thumbnail] {
    var thumbnails = thumbnails
    for (position, thumbnail) in thumbnails.enumerated() {
      guard case .path(let path) = thumbnail.attachment.content else { continue }
      let name = "thumbnail \(position + 1)"
      let place = try place(of: path, name, &files)
      guard
        let bytes = InstalledFile(path: FilePath(place)).content(
          limit: ShareItem.Thumbnail.sizeLimit), ShareItem.Thumbnail.Format(bytes) != nil
      else {
        throw Refusal(
          reason: "\(name): \(EscapedText(quoting: path)): \(ItemFailure.Reason.thumbnail)")
      }
      thumbnails[position] = thumbnail.moved(to: place)
    }
    return thumbnails
  }

  /// The path by which the target reaches a file.
  private func place(
    of named: String, _ name: String, _ files: inout [OpenFile]
  ) throws(Refusal) -> String {
    func refusal(_ reason: String) -> Refusal {
      Refusal(reason: "\(name): \(EscapedText(quoting: named)): \(reason)")
    }
    guard let path = FilePath(bytes: Array(named.utf8)) else {
      throw refusal("the path contains a NUL character")
    }
    let found: FoundFile
    do {
      let lookup = try TreeLookup(below: payload, bounds: allowsAnyPath ? .anywhere : .tree)
      found = try lookup.find(path)
    } catch let cause as TreeLookup.Refusal {
      let isOutside = [.absolute, .upwards].contains(cause) && !allowsAnyPath
      let reason = cause == .special ? "not a regular file" : cause.reason
      throw refusal(reason + (isOutside ? remedy : ""))
    } catch {
      throw refusal("\(error)")
    }
    do throws(Errno) {
      let held = try HeldFile(found.reference)
      defer { extendLifetime(held) }
      guard form == .descriptors else {
        guard let real = FilePath("/proc/self/fd/\(held.descriptor)").linkTarget,
          let text = String(validating: real.bytes, as: UTF8.self)
        else { throw .invalidArgument }
        return text
      }
      let file = OpenFile(
        try Descriptor.open(FilePath("/proc/self/fd/\(held.descriptor)")))
      // The target gets it: all other descriptors are closed when it is started.
      guard fcntl(file.descriptor, F_SETFD, 0) == 0 else { throw .current }
      files.append(file)
      return "/dev/fd/\(file.descriptor)"
    } catch {
      throw refusal(error.description.lowercased())
    }
  }
}
