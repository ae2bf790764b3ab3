internal import ForeignFormats
internal import Glibc
package import LinuxSystem
internal import Xattr

/// A file that holds marks of another file, which is not there any more.
struct OrphanedCarrier {
  let form: MarkCarrier.Form
  /// The one mark that it holds; `nil` for an AppleDouble file.
  let kind: MarkKind?
  /// The file that it belongs to, by the names that lead there from the carrier's directory.
  let document: [[UInt8]]
  /// The carrier itself, by the names that lead there from its directory, perhaps by way of the folder
  /// that has no use without it.
  let path: [[UInt8]]

  /// - Parameter place: of a file that may be one.
  /// - Returns: `nil` where it holds no marks of another, by its name and its first bytes, or where
  ///   the file that it belongs to is there.
  init?(at place: FilePlace) {
    // What cannot be asked for may be there.
    guard !place.isDirectory, let path = place.directoryPath,
      let found = Self(named: place.name, in: path), (try? place.has(found.document)) == false
    else { return nil }
    self = found
    if kind == nil {
      do {
        guard try place.appleDouble([place.name]) != nil else { return nil }
      } catch let failure as MarkFailure where failure.offset == 0 {
        // A name like that of an AppleDouble file, and nothing else.
        return nil
      } catch {
        // It cannot be read, which will be told.
      }
    }
  }

  private init?(named name: [UInt8], in directory: FilePath) {
    let folders = directory.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
    let up = Array("..".utf8)
    if folders.last == PossibleCarriers.netatalkFolder {
      let separator = Array("::EA::".utf8)
      guard let start = Self.last(separator, in: name), start > 0,
        let kind = MarkKind(name: name[(start + separator.count)...])
      else { return nil }
      let stem = Array(name[..<start])
      let isOfFolder = stem == PossibleCarriers.netatalkParent
      self.init(
        form: .netatalk, kind: kind, document: isOfFolder ? [up] : [up, stem], path: [name])
    } else if name.starts(with: PossibleCarriers.doublePrefix), name.count > 2 {
      let document = Array(name.dropFirst(PossibleCarriers.doublePrefix.count))
      guard let folder = folders.lastIndex(of: PossibleCarriers.archiveFolder) else {
        self.init(form: .appleDouble, kind: nil, document: [document], path: [name])
        return
      }
      let below = Array(folders[(folder + 1)...])
      let ups = [[UInt8]](repeating: up, count: below.count + 1)
      self.init(
        form: .macArchive, kind: nil, document: ups + below + [document],
        path: ups + [PossibleCarriers.archiveFolder] + below + [name])
    } else if let stream = PossibleCarriers.stream(name) {
      self.init(form: .sibling, kind: stream.kind, document: [stream.document], path: [name])
    } else {
      return nil
    }
  }

  private init(
    form: MarkCarrier.Form, kind: MarkKind?, document: [[UInt8]], path: [[UInt8]]
  ) {
    self.form = form
    self.kind = kind
    self.document = document
    self.path = path
  }

  private static func last(_ part: [UInt8], in name: [UInt8]) -> Int? {
    guard name.count >= part.count else { return nil }
    return (0...(name.count - part.count)).last { name[$0...].starts(with: part) }
  }
}

extension FilePlace {
  /// Whether names lead from this file's directory to a file of any kind; no link is followed.
  fileprivate func has(_ components: [[UInt8]]) throws(Errno) -> Bool {
    // A folder's own mark is of the folder.
    guard let last = components.last, last != Array("..".utf8) else { return true }
    guard let name = FilePath(bytes: last) else { return false }
    let isThere = try withDirectory(components.dropLast()) { (directory) throws(Errno) -> Bool? in
      var status = stat()
      let result = unsafe name.withCString {
        unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
      }
      if result == 0 { return true }
      let errno = Errno.current
      guard errno == .noSuchFile else { throw errno }
      return false
    }
    return isThere ?? false
  }
}

extension MarkCarrier {
  /// Whether a file only holds marks of another that is there, or is a directory of such files.
  package static func belongsToAnother(_ file: FileReference) -> Bool {
    guard isCarrier(file.path) else { return false }
    guard let held = try? file.held(), let place = try? FilePlace(of: held) else { return true }
    return OrphanedCarrier(at: place) == nil
  }
}
