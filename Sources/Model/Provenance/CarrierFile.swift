internal import ForeignFormats
internal import Glibc
package import LinuxSystem
internal import Xattr

/// A file that holds marks of another file, its document.
struct CarrierFile {
  /// What there is at the document's path.
  enum Document {
    case missing
    /// A symbolic link, FIFO, socket or device, none of which a walk visits.
    case special
    /// A file or directory, which has the marks; also where nobody can look.
    case present
  }

  let form: MarkCarrier.Form
  /// The one mark that it holds; `nil` for an AppleDouble file.
  let kind: MarkKind?
  /// The names that lead to the document from the carrier's directory.
  let documentPath: [[UInt8]]
  /// The carrier itself, by the names that lead there from its directory, perhaps by way of the folder
  /// that has no use without it.
  let path: [[UInt8]]
  private(set) var document = Document.present

  /// - Parameter place: of a file that may be one.
  /// - Returns: `nil` if it holds no marks of another, by its name and its first bytes.
  init?(at place: FilePlace) {
    guard !place.isDirectory else { return nil }
    for carrier in Self.possible(at: place) {
      guard carrier.kind == nil else {
        self = carrier
        document = place.document(at: documentPath)
        return
      }
      do {
        // One that is gone by now went with its document.
        let isThere = try place.appleDouble([place.name]) != nil
        self = carrier
        if isThere { document = place.document(at: documentPath) }
        return
      } catch let failure as MarkFailure where failure.offset == 0 {
        // A name like that of an AppleDouble file: perhaps a stream of one.
        continue
      } catch {
        // It cannot be read, which will be reported.
        self = carrier
        document = place.document(at: documentPath)
        return
      }
    }
    return nil
  }

  /// Whether a file that may be a carrier has its document, whatever is in it.
  fileprivate static func hasDocument(at place: FilePlace) -> Bool {
    let carriers = possible(at: place)
    guard carriers.count == 1, let carrier = carriers.first else { return false }
    return place.document(at: carrier.documentPath) == .present
  }

  /// Whether the document of a file in a directory is beside it, if by its name alone that is an
  /// AppleDouble file with its document there.
  ///
  /// The corresponding C function is fstatat(2).
  ///
  /// - Parameter folders: the components of the directory's absolute path.
  fileprivate static func isBesideDocument(
    _ name: FilePath, in directory: CInt, at folders: [[UInt8]]
  ) -> Bool {
    let prefix = PossibleCarriers.doublePrefix
    // With a colon, or what stands for one, it may be a stream.
    guard name.bytes.starts(with: prefix), name.bytes.count > prefix.count,
      !name.bytes.contains(where: { $0 == UInt8(ascii: ":") || $0 == 0xef }),
      !folders.contains(PossibleCarriers.archiveFolder)
    else { return false }
    let document = unsafe name.withCString {
      unsafe try? Document(of: $0 + prefix.count, in: directory)
    }
    return document == .present
  }

  /// What the name of a file says; of most names nothing, without a system call.
  private static func possible(at place: FilePlace) -> [CarrierFile] {
    let name = place.name
    guard MarkCarrier.mayBeCarrier(name[...]) else { return [] }
    let carriers = [netatalkFile(at: place), appleDouble(at: place)].compactMap(\.self)
    guard let stream = PossibleCarriers.stream(name) else { return carriers }
    return carriers + [
      CarrierFile(
        form: .sibling, kind: stream.kind, documentPath: [stream.document], path: [name])
    ]
  }

  private static func netatalkFile(at place: FilePlace) -> CarrierFile? {
    let separator = Array("::EA::".utf8)
    guard place.name.contains(UInt8(ascii: ":")), let start = last(separator, in: place.name),
      start > 0,
      let kind = MarkKind(name: place.name[(start + separator.count)...]),
      place.folders?.last == PossibleCarriers.netatalkFolder
    else { return nil }
    let stem = Array(place.name[..<start])
    let isOfFolder = stem == PossibleCarriers.netatalkParent
    return CarrierFile(
      form: .netatalk, kind: kind,
      documentPath: isOfFolder ? [PossibleCarriers.up] : [PossibleCarriers.up, stem],
      path: [place.name])
  }

  private static func appleDouble(at place: FilePlace) -> CarrierFile? {
    let name = place.name
    guard name.starts(with: PossibleCarriers.doublePrefix), name.count > 2,
      let folders = place.folders
    else { return nil }
    let document = Array(name.dropFirst(PossibleCarriers.doublePrefix.count))
    guard let folder = folders.lastIndex(of: PossibleCarriers.archiveFolder) else {
      return CarrierFile(form: .appleDouble, kind: nil, documentPath: [document], path: [name])
    }
    let below = Array(folders[(folder + 1)...])
    let ups = [[UInt8]](repeating: PossibleCarriers.up, count: below.count + 1)
    return CarrierFile(
      form: .macArchive, kind: nil, documentPath: ups + below + [document],
      path: ups + [PossibleCarriers.archiveFolder] + below + [name])
  }

  private init(
    form: MarkCarrier.Form, kind: MarkKind?, documentPath: [[UInt8]], path: [[UInt8]]
  ) {
    self.form = form
    self.kind = kind
    self.documentPath = documentPath
    self.path = path
  }

  private static func last(_ part: [UInt8], in name: [UInt8]) -> Int? {
    guard name.count >= part.count else { return nil }
    return (0...(name.count - part.count)).last { name[$0...].starts(with: part) }
  }
}

extension FilePlace {
  /// What names lead to from this file's directory; no link is followed.
  fileprivate func document(at components: [[UInt8]]) -> CarrierFile.Document {
    // A folder's own mark is of the folder.
    guard let last = components.last, last != PossibleCarriers.up else { return .present }
    guard let name = FilePath(bytes: last) else { return .missing }
    do throws(Errno) {
      let found = try withDirectory(components.dropLast()) {
        (directory) throws(Errno) -> CarrierFile.Document? in
        try unsafe name.withCString { (name) throws(Errno) in
          try unsafe CarrierFile.Document(of: name, in: directory)
        }
      }
      return found ?? .missing
    } catch .noSuchFile {
      return .missing
    } catch {
      // What cannot be asked for may be there.
      return .present
    }
  }
}

extension CarrierFile.Document {
  /// What a name in a directory stands for; no link is followed.
  ///
  /// The corresponding C function is fstatat(2).
  fileprivate init(of name: UnsafePointer<CChar>, in directory: CInt) throws(Errno) {
    var status = stat()
    guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw .current
    }
    self = [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) ? .present : .special
  }
}

extension MarkFailure {
  /// Whether a file that was read as an AppleDouble file is none, but a stream of one: with the name
  /// `._h:Zone.Identifier` it may be either.
  func isOfStream(_ path: [[UInt8]]) -> Bool {
    offset == 0 && path.last.map { PossibleCarriers.stream($0) != nil } == true
  }
}

extension MarkCarrier {
  /// The file whose marks a file holds.
  package enum Document {
    /// The file is no carrier.
    case none
    /// The file that has the marks is missing, or is neither a file nor a directory.
    case unreachable
    /// Its absolute path, without links.
    case present(FilePath)
    /// Nobody can tell, as where the carrier went with its document.
    case unknown
  }

  /// The file whose marks a file holds.
  package static func document(of file: FileReference) -> Document {
    guard let held = try? file.held(), let place = try? FilePlace(of: held) else {
      return .unknown
    }
    guard let carrier = CarrierFile(at: place) else { return .none }
    guard carrier.document == .present else { return .unreachable }
    guard var folders = place.folders else { return .unknown }
    let ups = carrier.documentPath.prefix { $0 == PossibleCarriers.up }.count
    guard ups <= folders.count else { return .unknown }
    folders.removeLast(ups)
    let path = (folders + carrier.documentPath.dropFirst(ups)).flatMap { [UInt8(ascii: "/")] + $0 }
    return FilePath(bytes: path).map(Document.present) ?? .unknown
  }

  /// Whether a file is a carrier, or a directory of such files, but for one that is left alone.
  static func belongsToAnother(_ file: FileReference, with memory: DirectoryMemory?) -> Bool {
    guard isCarrier(file.path) else { return false }
    // Of the files in a walk, most need not be held for it.
    if case .entry(let directory, let name, _, .noFollow) = file,
      let folders = memory?.surroundings(in: directory)?.folders,
      CarrierFile.isBesideDocument(name, in: directory, at: folders)
    {
      return true
    }
    guard let held = try? file.held(by: memory?.descriptorNames),
      let place = try? FilePlace(of: held, with: memory)
    else {
      return true
    }
    if CarrierFile.hasDocument(at: place) { return true }
    return CarrierFile(at: place).map { $0.document == .present } ?? true
  }
}
