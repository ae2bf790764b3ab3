import CommandLineInterface
import FileTree
import Glibc
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import Xattr

/// `docsource item extract`: makes files of an item's attachments.
enum ItemExtractCommand: Command {
  private static let activity = OptionDeclaration(
    "for", value: "ACTIVITY", help: "extract what ACTIVITY would receive")
  private static let anyPath = OptionDeclaration(
    "any-path", help: "accept paths that lead out of the item's directory")
  private static let force = OptionDeclaration(
    "force", short: "f", help: "replace existing files")

  static let answerOfFailure = ChangeObject.ofFailure
  static let readsStandardInput = true

  static let verb = "extract"
  static let declaration = CommandDeclaration(
    name: "item extract", summary: "write the attachments of a share item as files",
    operands: "ITEM DIR", kinds: [.file, .directory],
    details: """
      Writes each attachment to a file in DIR, with the attributes that 'item apply' writes. DIR is
      created if it is missing. Existing files are not replaced.
      """,
    options: [
      activity, anyPath, force, BulkChange.dryRun, BulkChange.quiet, BulkChange.json,
    ],
    examples: ["docsource item extract article.xei article"],
    manual: ManualText(Manual.itemExtract))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 2, let directory = FilePath(bytes: arguments.operands[1])
    else { throw UsageError("give an item and a directory") }
    let receiver = try ItemActivity.given(by: activity, in: arguments, console)
    guard let input = ItemInput.read(arguments.operands[0], console) else { return .failed }
    let source = InputFile.named([arguments.operands[0]]).first
    let name = source?.name ?? arguments.operands[0][...]
    var item = input.handedOn
    if let receiver {
      switch item.handover(to: receiver) {
      case .item(let received)?: item = received
      case .document(let document)?: item.attachments = [document]
      case .nothing?, nil: item.attachments = []
      }
    }
    for flaw in item.flaws { console.report(name, "\(EscapedText("\(flaw)"))") }
    guard !item.attachments.isEmpty else {
      console.report(name, "no attachment")
      return .noSource
    }
    let payload = source?.path.map { ReplacedFile(path: $0).directory } ?? FilePath(".")
    let extraction = AttachmentExtraction(
      item: item, payload: payload, allowsAnyPath: arguments.has(anyPath),
      replaces: arguments.has(force), isDry: arguments.has(BulkChange.dryRun),
      isQuiet: arguments.has(BulkChange.quiet), console: console)
    return extraction.run(into: directory)
  }
}

/// The work of `item extract`.
private struct AttachmentExtraction {
  let item: ShareItem
  let payload: FilePath
  let allowsAnyPath: Bool
  let replaces: Bool
  let isDry: Bool
  let isQuiet: Bool
  let console: Console

  private struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
    init(_ errno: Errno) { reason = errno.description.lowercased() }
  }

  func run(into directory: FilePath) -> ExitStatus {
    var status = ExitStatus.done
    if !isDry {
      do throws(Errno) {
        try directory.makeDirectories(mode: 0o777)
      } catch {
        console.fail(directory.bytes, "cannot create: \(error.description.lowercased())")
        return .failed
      }
    }
    var names = AttachmentNames()
    for (position, attachment) in item.attachments.enumerated() {
      let name = names.next(for: attachment, at: position)
      guard let file = FilePath(bytes: name) else { continue }
      let path = directory.appending(file)
      do throws(Refusal) {
        try extract(attachment, name: file, to: path, in: directory)
        tell(path, position)
      } catch {
        fail(path, position, error.reason)
        status = .failed
      }
    }
    return status
  }

  private func extract(
    _ attachment: ShareItem.Attachment, name: FilePath, to path: FilePath, in directory: FilePath
  ) throws(Refusal) {
    let original: FoundFile?
    let bytes: [UInt8]
    switch attachment.content {
    case .text(let text) where attachment.isURL:
      (original, bytes) = (nil, Self.shortcut(to: text))
    case .text(let text): (original, bytes) = (nil, Array(text.utf8))
    case .data(let data): (original, bytes) = (nil, data)
    case .path(let named):
      let found = try find(named)
      (original, bytes) = (found.file, found.bytes)
    }
    if isDry {
      let isThere = (try? FileStatus(path, links: .noFollow)) != nil
      if isThere, !replaces { throw Refusal("the file already exists; use --force to replace it") }
      return
    }
    do throws(Errno) {
      let place = try Descriptor.open(directory)
      defer { close(place) }
      try FileReplacement(of: name, in: place).put(
        bytes, expecting: replaces ? .anything : .nothing, mode: 0o666)
    } catch .fileExists {
      throw Refusal("the file already exists; use --force to replace it")
    } catch {
      throw Refusal("cannot write: \(error.description.lowercased())")
    }
    try mark(path, original)
  }

  /// Gives a new file the attributes of the one that it is a copy of, and what the item says.
  private func mark(_ path: FilePath, _ original: FoundFile?) throws(Refusal) {
    if let original {
      do throws(XattrError) {
        let source = ExtendedAttributes(of: original.reference)
        let target = ExtendedAttributes(of: .path(path, links: .noFollow))
        for name in try source.names() where name.bytes.starts(with: "user.".utf8) {
          if let value = try source.value(of: name) { try target.setValue(value, of: name) }
        }
      } catch {
        throw Refusal("written without attributes: \(error.reason)")
      }
    }
    do {
      let steps = try ItemWriter(item).apply(to: .path(path, links: .noFollow))
      for step in steps {
        // What the copied file says itself stays.
        guard case .failed(let reason) = step.outcome else { continue }
        throw Refusal("written, but not \(String(decoding: step.target, as: UTF8.self)): \(reason)")
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal("written without attributes: \(error)")
    }
  }

  /// A file that an attachment names by its path.
  private func find(_ named: String) throws(Refusal) -> (file: FoundFile, bytes: [UInt8]) {
    guard let path = FilePath(bytes: Array(named.utf8)) else {
      throw Refusal("the path contains a NUL character")
    }
    let remedy = allowsAnyPath ? "" : "; use --any-path to allow it"
    let found: FoundFile
    do {
      let lookup = try TreeLookup(below: payload, bounds: allowsAnyPath ? .anywhere : .tree)
      found = try lookup.find(path)
    } catch let refusal as TreeLookup.Refusal {
      let isOutside = [.absolute, .upwards].contains(refusal)
      throw Refusal(
        "\(EscapedText(quoting: named)): \(refusal.reason)\(isOutside ? remedy : "")")
    } catch {
      throw Refusal("\(error)")
    }
    do throws(Errno) {
      guard case .entry(let directory, let name, _, _) = found.reference else {
        throw .noSuchFile
      }
      let file = try Descriptor.open(name, in: directory, followsLink: false)
      defer { close(file) }
      guard let bytes = try Descriptor.read(file, limit: InputFile.limit) else {
        throw Errno(rawValue: EFBIG)
      }
      return (found, bytes)
    } catch {
      throw Refusal("\(EscapedText(quoting: named)): \(error.description.lowercased())")
    }
  }

  /// An Internet shortcut, which file managers open; whatever could begin another line is escaped.
  private static func shortcut(to url: String) -> [UInt8] {
    var text = Array("[InternetShortcut]\r\nURL=".utf8)
    for byte in url.utf8 {
      if byte <= 0x20 || byte == 0x7f {
        text += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
      } else {
        text.append(byte)
      }
    }
    return text + "\r\n".utf8
  }

  private func tell(_ path: FilePath, _ position: Int) {
    if isQuiet { return }
    if console.writesObjects {
      ChangeObject(.changed, isDry: isDry, [("attachment", String(position + 1))])
        .write(of: path.bytes, console)
    } else {
      let verb = isDry ? "would write" : "wrote"
      console.output.writeLine("\(EscapedText(path.bytes)): \(verb) attachment \(position + 1)")
    }
  }

  private func fail(_ path: FilePath, _ position: Int, _ reason: String) {
    let words = "attachment \(position + 1): \(reason)"
    if console.writesObjects {
      ChangeObject(
        .failed, isDry: isDry,
        [("attachment", String(position + 1))] + JSONText.member("error", words)
      ).write(of: path.bytes, console)
    }
    console.report(path.bytes, "\(EscapedText(words))")
  }
}

/// Names for the files of attachments, each once.
struct AttachmentNames {
  /// The most bytes that Linux's file systems take.
  private static let limit = 255
  private var taken = Set<[UInt8]>()
  /// The number that was last tried for a name.
  private var numbers: [[UInt8]: Int] = [:]

  mutating func next(for attachment: ShareItem.Attachment, at position: Int) -> [UInt8] {
    let ending = attachment.isURL ? "url" : AttachmentType.ending(of: attachment)
    let suggested =
      attachment.suggestedName.map(Self.safe) ?? Self.lastComponent(of: attachment).map(Self.safe)
      ?? ""
    var stem = suggested.isEmpty ? "attachment-\(position + 1)" : suggested
    var tail = ""
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex {
      tail = String(stem[dot...])
      stem = String(stem[..<dot])
    } else if let ending {
      tail = "." + ending
    }
    if tail.utf8.count > 32 {
      stem += tail
      tail = ""
    }
    let wanted = Self.name(stem, tail)
    var name = wanted
    while !taken.insert(name).inserted {
      numbers[wanted, default: 1] += 1
      name = Self.name(stem, "-\(numbers[wanted, default: 1])" + tail)
    }
    return name
  }

  private static func name(_ stem: String, _ suffix: String) -> [UInt8] {
    Array(cut(stem, to: limit - suffix.utf8.count).utf8) + suffix.utf8
  }

  private static func lastComponent(of attachment: ShareItem.Attachment) -> String? {
    guard case .path(let path) = attachment.content else { return nil }
    return path.split(separator: "/").last.map(String.init)
  }

  /// The name without directories, leading periods, and characters that control a terminal or are
  /// not seen.
  private static func safe(_ name: String) -> String {
    let last = name.split(separator: "/").last ?? ""
    var scalars = String.UnicodeScalarView()
    for scalar in last.unicodeScalars where !EscapedText.isHarmful(scalar) && scalar.value >= 0x20 {
      scalars.append(scalar)
    }
    let text = String(scalars).drop { $0 == "." || $0 == " " }
    return String(text)
  }

  /// The first characters that take no more bytes than that.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var result = ""
    for character in text {
      if result.utf8.count + character.utf8.count > limit { break }
      result.append(character)
    }
    return result
  }
}
