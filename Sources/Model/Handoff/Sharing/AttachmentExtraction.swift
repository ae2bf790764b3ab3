internal import FileTree
internal import Glibc
package import LinuxSystem
internal import Provenance
package import ShareItem
internal import TextFormats
internal import UniformType
internal import Xattr

/// Makes files of an item's attachments, with what the item says of them.
package struct AttachmentExtraction {
  private let item: ShareItem
  /// What writes the marks of the item, made once for all attachments.
  private let writer: Result<ItemWriter, ItemFailure>
  private let lookup: ItemLookup
  private let replaces: Bool
  private let isDry: Bool

  /// - Parameters:
  ///   - payload: where the paths of attachments begin.
  ///   - replaces: whether files that are there are replaced.
  package init(
    of item: ShareItem, at payload: FilePath, allowsAnyPath: Bool, replaces: Bool, isDry: Bool
  ) {
    self.item = item
    writer = Result { () throws(ItemFailure) in try ItemWriter(item) }
    lookup = ItemLookup(below: payload, allowsAnyPath: allowsAnyPath)
    (self.replaces, self.isDry) = (replaces, isDry)
  }

  /// Larger files are not copied.
  private static let limit = 512 << 20

  /// Makes the files in a directory, which is made as well.
  ///
  /// - Parameter report: gets the file of each attachment, its number from 1, and why it was not
  ///   made.
  /// - Throws: `Errno` if there is no directory.
  package func run(
    into directory: FilePath, _ report: (FilePath, Int, Refusal?) -> Void
  ) throws(Errno) {
    var place: CInt?
    if !isDry {
      try directory.makeDirectories(mode: 0o777)
      place = try Descriptor.open(directory)
    }
    defer { if let place { close(place) } }
    var names = AttachmentNames()
    for (position, attachment) in item.attachments.enumerated() {
      let name = names.next(for: attachment, at: position)
      guard let file = FilePath(bytes: name) else { continue }
      let path = directory.appending(file)
      do throws(Refusal) {
        try extract(attachment, name: file, to: path, in: place)
        report(path, position + 1, nil)
      } catch {
        report(path, position + 1, error)
      }
    }
    if let place { try FileReplacement.synchronize(place) }
  }

  private func extract(
    _ attachment: ShareItem.Attachment, name: FilePath, to path: FilePath, in place: CInt?
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
    guard let place else {
      let isThere = (try? FileStatus(path, links: .noFollow)) != nil
      if isThere, !replaces { throw Self.existing }
      return
    }
    do throws(Errno) {
      // A file in the place of another must not be empty after a power cut.
      try FileReplacement(of: name, in: place).put(
        bytes, expecting: replaces ? .anything : .nothing, mode: 0o666,
        durability: replaces ? .immediate : .later)
    } catch .fileExists {
      throw Self.existing
    } catch {
      throw Refusal(reason: "cannot write: \(error.description.lowercased())")
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
        throw Refusal(reason: "written without attributes: \(error.reason)")
      }
    }
    do {
      let writer = try writer.get()
      if writer.isEmpty { return }
      let steps = try writer.apply(to: .path(path, links: .noFollow))
      for step in steps {
        // What the copied file says itself stays.
        guard case .failed(let reason) = step.outcome else { continue }
        throw Refusal(
          reason: "written, but not \(String(decoding: step.target, as: UTF8.self)): \(reason)")
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(reason: "written without attributes: \(error)")
    }
  }

  /// A file that an attachment names by its path.
  private func find(_ named: String) throws(Refusal) -> (file: FoundFile, bytes: [UInt8]) {
    let (found, held) = try lookup.find(named)
    defer { extendLifetime(held) }
    do throws(Errno) {
      let file = try Descriptor.open(FilePath("/proc/self/fd/\(held.descriptor)"))
      defer { close(file) }
      guard let bytes = try Descriptor.read(file, limit: Self.limit) else {
        throw Errno(rawValue: EFBIG)
      }
      return (found, bytes)
    } catch {
      throw Refusal(reason: "\(EscapedText(quoting: named)): \(error.description.lowercased())")
    }
  }

  /// An Internet shortcut, which file managers open; whatever could begin another line is escaped.
  private static func shortcut(to url: String) -> [UInt8] {
    let escaped = PercentEncoding.encoded(url.utf8) { $0 > 0x20 && $0 != 0x7f }
    return "[InternetShortcut]\r\nURL=".utf8 + escaped + "\r\n".utf8
  }

  private static let existing = Refusal(
    reason: "the file already exists", remedy: .replacement)
}

/// Names for the files of attachments, each once.
private struct AttachmentNames {
  /// The most bytes that Linux's file systems take.
  private static let limit = 255
  private var taken = Set<[UInt8]>()
  /// The number that was last tried for a name.
  private var numbers: [[UInt8]: Int] = [:]

  mutating func next(for attachment: ShareItem.Attachment, at position: Int) -> [UInt8] {
    let ending = attachment.isURL ? "url" : Self.ending(of: attachment)
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

  /// The ending for a file with an attachment's content.
  private static func ending(of attachment: ShareItem.Attachment) -> String? {
    let declared = attachment.mediaType.map { TypeTree.builtIn.type(ofMIME: $0).identifier }
    return (attachment.typeIdentifiers + [declared].compactMap(\.self)).lazy
      .compactMap { TypeTree.builtIn.extensions(of: $0).first }.first
  }

  private static func name(_ stem: String, _ suffix: String) -> [UInt8] {
    Array(cut(stem, to: limit - suffix.utf8.count).utf8) + suffix.utf8
  }

  private static func lastComponent(of attachment: ShareItem.Attachment) -> String? {
    guard case .path(let path) = attachment.content else { return nil }
    return path
  }

  /// The name without directories, leading periods, and characters that control a terminal or are
  /// not seen; as browsers save it, no name begins with a hyphen, which programs would take for an
  /// option.
  ///
  /// By bytes and scalars: a slash and the marks after it are one character, which is no slash.
  private static func safe(_ name: String) -> String {
    let last = name.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring().utf8
    var scalars = String.UnicodeScalarView()
    // As long as what comes before an ending that is kept may be.
    let seen = String(decoding: last.prefix(4 * limit), as: UTF8.self).unicodeScalars
    for scalar in seen where !EscapedText.isHarmfulInName(scalar) {
      if scalars.isEmpty, ". ".unicodeScalars.contains(scalar) || EscapedText.isHarmful(scalar) {
        continue
      }
      scalars.append(scalar)
    }
    return scalars.first == "-" ? "_" + String(scalars) : String(scalars)
  }

  /// The first scalars that take no more bytes than that.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      if count > limit { break }
      result.append(scalar)
    }
    return String(result)
  }
}
