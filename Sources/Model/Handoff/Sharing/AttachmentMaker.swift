package import LinuxSystem
package import ShareItem
internal import TextFormats
internal import UniformType

/// Makes attachments of files for an item.
package struct AttachmentMaker {
  /// Whether the item has the contents of files, rather than their paths.
  private let embeds: Bool
  /// The directory that the item is written to, in which paths begin; `nil` for absolute ones.
  private let directory: FilePath?
  private let type: (FilePath) -> String?
  private let content: (FilePath) -> [UInt8]?

  /// - Parameters:
  ///   - output: the file that the item is written to; `nil` if that is none.
  ///   - type: what the desktop says of a file's uniform type.
  ///   - content: of a file of any size; `nil` after reporting why it cannot be read.
  package init(
    embeds: Bool, output: FilePath?, type: @escaping (FilePath) -> String?,
    content: @escaping (FilePath) -> [UInt8]?
  ) {
    self.embeds = embeds
    directory = output.flatMap { ReplacedFile(path: $0).directory.realPath }
    self.type = type
    self.content = content
  }

  /// An attachment of a file; `nil` if its content could not be read, which has been reported.
  ///
  /// - Parameter types: the preferred one first; none to find out.
  /// - Throws: `Refusal` in words that follow the path.
  package func file(
    _ path: FilePath, _ types: [String]
  ) throws(Refusal) -> ShareItem.Attachment? {
    guard let status = try? FileStatus(path, links: .follow), let real = path.realPath else {
      throw Refusal(reason: "cannot attach: no such file or directory")
    }
    guard status.kind == .file || status.kind == .directory && !embeds else {
      throw Refusal(reason: "cannot attach: not a regular file")
    }
    guard let name = String(validating: real.lastComponent, as: UTF8.self) else {
      throw Self.notUTF8
    }
    var known = types
    if known.isEmpty {
      let found = status.kind == .directory ? "public.folder" : uniformType(of: real)
      known = [found].compactMap(\.self)
    }
    if embeds {
      guard let content = content(path) else { return nil }
      return try? ShareItem.Attachment(
        .data(content), types: known.isEmpty ? [ShareItem.Attachment.WellKnownType.data] : known,
        suggestedName: name)
    }
    let fileURL = ShareItem.Attachment.WellKnownType.fileURL
    return try? ShareItem.Attachment(
      .path(recorded(real)), types: known.filter { $0 != fileURL } + [fileURL],
      suggestedName: name)
  }

  /// By the desktop's database; where that does not work, by the ending of the name.
  private func uniformType(of path: FilePath) -> String? {
    if let type = type(path) { return type }
    let name = path.lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = String(decoding: name[(dot + 1)...], as: UTF8.self)
    return TypeTree.builtIn.types(withExtension: ending).first
  }

  /// The item of a file, its paths as they are recorded here, or its files embedded.
  package func item(_ item: ShareItem, of path: FilePath) throws(Refusal) -> ShareItem {
    var item = item
    let place = ItemFiles(payload: ReplacedFile(path: path).directory, allowsAnyPath: false)
    do throws(Refusal) {
      item.attachments = try place.resolved(item.attachments).map { resolved throws(Refusal) in
        try moved(resolved)
      }
      var open: [ItemFiles.OpenFile] = []
      for (position, thumbnail) in item.thumbnails.enumerated() {
        guard let found = try place.content(of: thumbnail, position, &open) else { continue }
        guard let made = try? self.thumbnail(found.content, at: FilePath(found.place)) else {
          throw Refusal(reason: "\(EscapedText(quoting: found.place)): not a thumbnail")
        }
        item.thumbnails[position] = made
      }
      return item
    } catch {
      throw Refusal(reason: "cannot attach: \(error.reason)")
    }
  }

  /// More bytes than a file has that is embedded.
  private static let limit = 512 << 20

  /// A document whose absolute path is one of this item.
  private func moved(_ resolved: ItemFiles.Resolved) throws(Refusal) -> ShareItem.Attachment {
    var attachment = resolved.attachment
    guard case .path(let path) = attachment.content, let file = resolved.file else {
      return attachment
    }
    if embeds {
      guard let content = try file.held().content(limit: Self.limit) else {
        throw Refusal(reason: "\(EscapedText(quoting: path)): not a readable regular file")
      }
      attachment.content = .data(content)
    } else if let recorded = try? recorded(FilePath(path)) {
      attachment.content = .path(recorded)
    }
    return attachment
  }

  /// - Throws: `Refusal` in words that follow the path.
  package func thumbnail(_ path: FilePath) throws(Refusal) -> ShareItem.Thumbnail? {
    guard let real = path.realPath else {
      throw Refusal(reason: "cannot attach: no such file or directory")
    }
    let content = InstalledFile(path: real).content(limit: ShareItem.Thumbnail.sizeLimit)
    return try thumbnail(content ?? [], at: real)
  }

  private func thumbnail(
    _ content: [UInt8], at path: FilePath
  ) throws(Refusal) -> ShareItem.Thumbnail? {
    guard let format = ShareItem.Thumbnail.Format(content) else {
      throw Refusal(reason: "cannot attach: \(ItemFailure.Reason.thumbnail)")
    }
    let recorded = try recorded(path)
    return try? ShareItem.Thumbnail(
      embeds ? .data(content) : .path(recorded), format: format,
      size: ShareItem.Thumbnail.Size(ofPicture: content))
  }

  private static let notUTF8 = Refusal(
    reason: "cannot attach: the path is not UTF-8, which an item requires")

  /// The path below the directory of the output, else the absolute one.
  private func recorded(_ real: FilePath) throws(Refusal) -> String {
    var path = real.bytes
    if let directory {
      var lead = Array(directory.bytes)
      FilePath.addSlash(to: &lead)
      if path.starts(with: lead) { path = path.dropFirst(lead.count) }
    }
    guard let text = String(validating: path, as: UTF8.self) else { throw Self.notUTF8 }
    return text
  }
}
