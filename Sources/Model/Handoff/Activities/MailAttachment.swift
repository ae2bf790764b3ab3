internal import Glibc
internal import LinuxSystem
internal import Provenance
internal import TextFormats

/// A file as `xdg-email --attach` and the portal Email get it.
///
/// The script resolves links itself (`readlink -f`), so that the resolved path is judged, and is what
/// the script gets. It gives Thunderbird `attachment='PATH,PATH'`, where a quotation mark ends the
/// field, another field may follow, and a comma begins the next file; its shell's `echo` reads `\047`
/// in a path as a quotation mark. Other programs get the paths in a `mailto:` URL, of which some read
/// `%`, `?` and `#` in a path as those of a URL once more. None takes other bytes than UTF-8. The
/// portal of GTK writes `&attachment=PATH` into such a URL as it is, where `&` begins another field
/// (src/email.c of xdg-desktop-portal-gtk 1.15).
///
/// A file whose path has any of that is attached as a copy under a safe name, and so is one that an
/// item names: mail programs read it when they send, and until then whoever may write to the item's
/// directory can put a link in its place. The copy is in a directory of `$XDG_RUNTIME_DIR`, which only
/// the user may enter and which is emptied when the session ends; after a week, the next copy removes
/// it.
struct MailAttachment {
  let thing: SharedThing
  let places: BaseDirectories
  let isForPortal: Bool
  let isDry: Bool

  private var misread: [UInt8] { Self.misread + (isForPortal ? [UInt8(ascii: "&")] : []) }
  private static let misread = Array("'\",\\%?#".utf8)
  /// In seconds.
  private static let age = 7 * 86_400

  /// - Throws: `Refusal` if there is no regular file, or no place for a copy.
  func path() throws(Refusal) -> [UInt8] {
    let named = thing.file.flatMap { FilePath(bytes: $0) } ?? FilePath("")
    guard let status = try? FileStatus(named, links: .follow), let path = named.realPath else {
      throw Refusal(reason: "\(EscapedText(quoting: named.bytes[...])) cannot be read")
    }
    guard status.kind == .file else {
      throw Refusal(
        reason: "\(EscapedText(quoting: named.bytes[...])): only regular files are attached")
    }
    if !thing.isOfItem, isCarried(path.bytes) { return Array(path.bytes) }
    guard let copies = places.runtimeDirectory?.appending(FilePath("docsource/mail")),
      isCarried(copies.bytes)
    else {
      throw Refusal(
        reason: "mail programs misread \(EscapedText(quoting: path.bytes[...])), and"
          + " XDG_RUNTIME_DIR names no directory for a copy")
    }
    let copy = SavedCopy(
      thing: thing, item: nil, directory: try directory(in: copies), kept: .parts([]),
      isDry: isDry, excluded: misread)
    return try Array(copy.save().path.bytes)
  }

  private func isCarried(_ path: ArraySlice<UInt8>) -> Bool {
    path.allSatisfy { $0 >= 0x20 && $0 != 0x7f && !misread.contains($0) }
      && String(validating: path, as: UTF8.self) != nil
  }

  /// A directory for one copy, so that equal names stay what they are.
  ///
  /// The corresponding C function is mkdtemp(3).
  private func directory(in copies: FilePath) throws(Refusal) -> FilePath {
    let template = copies.appending(FilePath("XXXXXX"))
    if isDry { return template }
    do throws(Errno) {
      try copies.makeDirectories()
      Self.removeOld(in: copies)
      var name = template.bytes.map { CChar(bitPattern: $0) } + [0]
      return try unsafe name.withUnsafeMutableBufferPointer { buffer throws(Errno) in
        guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else {
          throw .current
        }
        return unsafe FilePath(cString: made)
      }
    } catch {
      throw Refusal(
        reason: "cannot make a directory in \(EscapedText(copies.bytes)):"
          + " \(error.description.lowercased())")
    }
  }

  private static func removeOld(in copies: FilePath) {
    let limit = time(nil) - age
    for name in InstalledDirectory(path: copies).names {
      let directory = copies.appending(FilePath(name))
      var status = stat()
      guard unsafe directory.withCString({ unsafe lstat($0, &status) }) == 0,
        status.st_mtim.tv_sec < limit
      else { continue }
      for file in InstalledDirectory(path: directory).names {
        _ = unsafe directory.appending(FilePath(file)).withCString { unsafe unlink($0) }
      }
      _ = unsafe directory.withCString { unsafe rmdir($0) }
    }
  }
}
