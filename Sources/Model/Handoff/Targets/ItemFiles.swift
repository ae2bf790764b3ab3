internal import FileTree
internal import Glibc
package import LinuxSystem
package import ShareItem
internal import TextFormats
internal import Xattr

/// The files that an item names by paths.
package struct ItemFiles {
  /// Where the paths begin.
  package let payload: FilePath
  /// Whether paths may lead out of that directory.
  package let allowsAnyPath: Bool
  package let form: ShareTarget.AttachmentForm
  private let lookup: ItemLookup

  package init(
    payload: FilePath, allowsAnyPath: Bool, form: ShareTarget.AttachmentForm = .paths
  ) {
    self.payload = payload
    self.allowsAnyPath = allowsAnyPath
    self.form = form
    lookup = ItemLookup(below: payload, allowsAnyPath: allowsAnyPath)
  }

  /// A file that is handed over, open as long as the target runs.
  package final class OpenFile {
    package let descriptor: CInt

    fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// An attachment whose path, if it has one, leads to its file.
  struct Resolved {
    let attachment: ShareItem.Attachment
    /// `nil` for a text, a URL or data.
    let file: ItemFile?
  }

  /// Finds the files that attachments name, and leads their paths to them.
  ///
  /// - Throws: `Refusal` for a path that leads nowhere, or out of the directory.
  func resolved(_ attachments: [ShareItem.Attachment]) throws(Refusal) -> [Resolved] {
    var files: [OpenFile] = []
    var resolved: [Resolved] = []
    for (position, attachment) in attachments.enumerated() {
      let (attachment, file) = try placed(attachment, position, &files)
      resolved.append(Resolved(attachment: attachment, file: file))
    }
    return resolved
  }

  /// The same attachments, with the paths by which the target reaches their files.
  package func places(
    of attachments: [ShareItem.Attachment], _ files: inout [OpenFile]
  ) throws(Refusal) -> [ShareItem.Attachment] {
    var placed: [ShareItem.Attachment] = []
    for (position, attachment) in attachments.enumerated() {
      placed.append(try self.placed(attachment, position, &files).0)
    }
    return placed
  }

  private func placed(
    _ attachment: ShareItem.Attachment, _ position: Int, _ files: inout [OpenFile]
  ) throws(Refusal) -> (ShareItem.Attachment, ItemFile?) {
    let name = "attachment \(position + 1)"
    guard case .path(let path) = attachment.content else {
      guard allowsAnyPath || !attachment.isFileURL else {
        throw Refusal(
          reason: "\(name): a file: URL, which names a file anywhere", remedy: .anyPath)
      }
      return (attachment, nil)
    }
    var attachment = attachment
    let (place, file) = try place(of: path, name, &files)
    attachment.content = .path(place)
    return (attachment, file)
  }

  /// The same thumbnails, with the paths by which the target reaches their files.
  ///
  /// - Throws: `Refusal` as for attachments, and for a file that is no thumbnail.
  package func places(
    of thumbnails: [ShareItem.Thumbnail], _ files: inout [OpenFile]
  ) throws(Refusal) -> [ShareItem.Thumbnail] {
    var thumbnails = thumbnails
    for (position, thumbnail) in thumbnails.enumerated() {
      guard let (place, _) = try content(of: thumbnail, position, &files) else { continue }
      thumbnails[position] = thumbnail.moved(to: place)
    }
    return thumbnails
  }

  /// The path by which the target reaches the file of a thumbnail, and its content; `nil` if the
  /// item has the content.
  ///
  /// - Parameter position: among the thumbnails, from 0.
  /// - Throws: as `places`.
  func content(
    of thumbnail: ShareItem.Thumbnail, _ position: Int, _ files: inout [OpenFile]
  ) throws(Refusal) -> (place: String, content: [UInt8])? {
    guard case .path(let path) = thumbnail.attachment.content else { return nil }
    let name = "thumbnail \(position + 1)"
    let (place, file) = try place(of: path, name, &files)
    guard let content = try file.held().content(limit: ShareItem.Thumbnail.sizeLimit),
      ShareItem.Thumbnail.Format(content) != nil
    else {
      throw Refusal(
        reason: "\(name): \(EscapedText(quoting: path)): \(ItemFailure.Reason.thumbnail)")
    }
    return (place, content)
  }

  /// The path by which the target reaches a file.
  private func place(
    of named: String, _ name: String, _ files: inout [OpenFile]
  ) throws(Refusal) -> (String, ItemFile) {
    let held: HeldFile
    let file: ItemFile
    do throws(Refusal) {
      let found = try lookup.find(named)
      held = found.held
      file = ItemFile(lookup: lookup, named: named, identity: found.file.identity)
    } catch {
      throw Refusal(reason: "\(name): \(error.reason)", remedy: error.remedy)
    }
    defer { extendLifetime(held) }
    do throws(Errno) {
      guard form == .descriptors else {
        guard let real = FilePath("/proc/self/fd/\(held.descriptor)").linkTarget,
          let text = String(validating: real.bytes, as: UTF8.self)
        else { throw .invalidArgument }
        return (text, file)
      }
      let opened = OpenFile(
        try Descriptor.open(FilePath("/proc/self/fd/\(held.descriptor)")))
      // The target gets it: all other descriptors are closed when it is started.
      guard fcntl(opened.descriptor, F_SETFD, 0) == 0 else { throw .current }
      files.append(opened)
      return ("/dev/fd/\(opened.descriptor)", file)
    } catch {
      throw Refusal(
        reason: "\(name): \(EscapedText(quoting: named)): \(error.description.lowercased())")
    }
  }
}

/// A file that an item names, which is read later than its path was judged.
///
/// Meanwhile whoever may write to the item's directory can put another file in its place, or a link to
/// one.
struct ItemFile {
  fileprivate let lookup: ItemLookup
  fileprivate let named: String
  fileprivate let identity: FileIdentity

  /// Finds the same file anew, and keeps it open.
  ///
  /// - Throws: `Refusal` if the path leads to another one by now.
  func held() throws(Refusal) -> HeldFile {
    let (found, held) = try lookup.find(named)
    guard found.identity == identity else {
      throw Refusal(reason: "\(EscapedText(quoting: named)): replaced by another file meanwhile")
    }
    return held
  }
}

/// Finds the files that the paths of an item lead to, which whoever made the item has chosen.
///
/// No link is followed. By default a path stays below the item's directory and leads to no file that
/// is private: to none with a component that begins with a dot, to no directory, to none that only its
/// owner may read and to none below a directory that only its owner may enter, as `Audience` has it.
/// The item's own directory may be any.
final class ItemLookup {
  private let payload: FilePath
  private let allowsAnyPath: Bool
  private var lookup: TreeLookup?
  /// Directories that others may enter.
  private var open: Set<[UInt8]> = []
  private lazy var audience = Audience()

  init(below payload: FilePath, allowsAnyPath: Bool) {
    self.payload = payload
    self.allowsAnyPath = allowsAnyPath
  }

  /// Finds a regular file or directory, and keeps it open.
  ///
  /// - Throws: `Refusal` in words that begin with the path.
  func find(_ named: String) throws(Refusal) -> (file: FoundFile, held: HeldFile) {
    func refusal(_ reason: String, _ remedy: Refusal.Remedy? = nil) -> Refusal {
      Refusal(reason: "\(EscapedText(quoting: named)): \(reason)", remedy: remedy)
    }
    guard let path = FilePath(bytes: Array(named.utf8)) else {
      throw refusal("the path contains a NUL character")
    }
    do {
      let lookup = try reached()
      let names = path.bytes.split(separator: UInt8(ascii: "/")).filter {
        !$0.elementsEqual(".".utf8)
      }
      if !allowsAnyPath,
        let reason = Self.flaw(of: names, isAbsolute: path.bytes.first == UInt8(ascii: "/"))
      {
        throw refusal(reason, .anyPath)
      }
      let found = try lookup.find(path)
      let held = try HeldFile(found.reference)
      if !allowsAnyPath, let reason = try flaw(of: held, names, lookup) {
        throw refusal(reason, .anyPath)
      }
      return (found, held)
    } catch let refusal as Refusal {
      throw refusal
    } catch let cause as TreeLookup.Refusal {
      let isOutside = [.absolute, .upwards].contains(cause) && !allowsAnyPath
      let reason = cause == .special ? "not a regular file" : cause.reason
      throw refusal(reason, isOutside ? .anyPath : nil)
    } catch let errno as Errno {
      throw refusal(errno.description.lowercased())
    } catch {
      throw refusal("\(error)")
    }
  }

  private func reached() throws(TreeFailure) -> TreeLookup {
    if let lookup { return lookup }
    let made = try TreeLookup(below: payload, bounds: allowsAnyPath ? .anywhere : .tree)
    lookup = made
    return made
  }

  /// Why a path leads to something private, whether or not it is there.
  private static func flaw(of names: [ArraySlice<UInt8>], isAbsolute: Bool) -> String? {
    let isHidden = names.contains {
      $0.first == UInt8(ascii: ".") && !$0.elementsEqual("..".utf8)
    }
    if isHidden { return "a component of the path begins with a dot" }
    return names.isEmpty && !isAbsolute ? "the path is that of the item's directory" : nil
  }

  /// Why a file is private.
  private func flaw(
    of file: HeldFile, _ names: [ArraySlice<UInt8>], _ lookup: TreeLookup
  ) throws -> String? {
    // Whoever gets a directory gets all that is in it, `.ssh` too.
    if file.status.st_mode & S_IFMT == S_IFDIR { return "the path is that of a directory" }
    if let owner = audience.only(0o044, of: file) { return "\(owner) may read the file" }
    var path: [UInt8] = []
    for name in names.dropLast() {
      path += (path.isEmpty ? [] : [UInt8(ascii: "/")]) + name
      guard !open.contains(path), let directory = FilePath(bytes: path) else { continue }
      let held = try HeldFile(lookup.find(directory).reference)
      if let owner = audience.only(0o011, of: held) {
        return "\(owner) may enter \(EscapedText(quoting: path[...]))"
      }
      open.insert(path)
    }
    return nil
  }
}

/// Who besides their owners may do what with files, as far as permissions say that this was chosen.
private struct Audience {
  /// Without /proc, the one that most systems have.
  private let umask = FileRights.umask ?? 0o022
  private let group = getegid()
  private static let list = AttributeName("system.posix_acl_access")

  /// Who has a permission for a file alone; `nil` if others have it as well.
  ///
  /// Where the umask takes the permission from all others, every file lacks it, and it says nothing.
  /// Where the umask leaves it to anybody, a file of the user's own group, which often has no other
  /// member, was taken from the others. With an access control list, the bits of the group are its
  /// mask, so that others have the permission if the list names any for it.
  ///
  /// - Parameter bits: the permission, for the group and for others.
  func only(_ bits: mode_t, of file: HeldFile) -> String? {
    let usual = bits & ~umask
    let given = file.status.st_mode & bits
    if usual == 0 || given & 0o007 != 0 { return nil }
    if given == 0 { return "only its owner" }
    let isOwn = usual & 0o007 != 0 && file.status.st_gid == group && !hasList(file)
    return isOwn ? "only its owner and your own group" : nil
  }

  private func hasList(_ file: HeldFile) -> Bool {
    let attributes = ExtendedAttributes(of: .held(file))
    return Self.list.flatMap { try? attributes.value(of: $0) } != nil
  }
}

extension ShareItem.Attachment {
  /// Whether the content is the URL of a file.
  var isFileURL: Bool {
    typeIdentifiers.contains { Self.urlTypes.contains($0.lowercased()) }
      && urlBytes.map {
        String(decoding: $0.prefix(5), as: UTF8.self).lowercased() == "file:"
      } ?? false
  }

  /// The content where it may be a URL, text or data; `nil` for a path. Browsers pass over the blanks
  /// that stand before.
  var urlBytes: ArraySlice<UInt8>? {
    switch content {
    case .text(let text): Array(text.utf8).drop { $0 <= 0x20 }
    case .data(let data): data.drop { $0 <= 0x20 }
    case .path: nil
    }
  }

  private static let urlTypes = [WellKnownType.url, WellKnownType.fileURL]
}
