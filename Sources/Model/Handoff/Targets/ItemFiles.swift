internal import FileTree
internal import Glibc
package import LinuxSystem
package import ShareItem
internal import TextFormats

/// The files that an item names by paths.
package struct ItemFiles {
  /// Where the paths begin.
  package let payload: FilePath
  /// Whether paths may lead out of that directory.
  package let allowsAnyPath: Bool
  package let form: ShareTarget.AttachmentForm

  package init(
    payload: FilePath, allowsAnyPath: Bool, form: ShareTarget.AttachmentForm = .paths
  ) {
    self.payload = payload
    self.allowsAnyPath = allowsAnyPath
    self.form = form
  }

  /// A file that is handed over, open as long as the target runs.
  package final class OpenFile {
    package let descriptor: CInt

    fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// Finds the files that attachments name, and leads their paths to them.
  ///
  /// - Throws: `Refusal` for a path that leads nowhere, or out of the directory.
  package func resolved(
    _ attachments: [ShareItem.Attachment]
  ) throws(Refusal) -> [ShareItem.Attachment] {
    var files: [OpenFile] = []
    return try places(of: attachments, &files)
  }

  /// The same attachments, with the paths by which the target reaches their files.
  package func places(
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
  package func places(
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
    func refusal(_ reason: String, _ remedy: Refusal.Remedy? = nil) -> Refusal {
      Refusal(reason: "\(name): \(EscapedText(quoting: named)): \(reason)", remedy: remedy)
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
      throw refusal(reason, isOutside ? .anyPath : nil)
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
