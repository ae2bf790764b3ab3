package import LinuxSystem
internal import Xattr

/// All places where marks of one file may stand, in one order.
///
/// This is the only list of carriers on a file or beside it: trace, adopt and strip visit them from
/// here. A new carrier gets its form in `MarkCarrier` and its place here.
struct PossibleCarriers {
  enum Place {
    /// An attribute of the file.
    case attribute(AttributeName, ForeignAttributeName)
    /// A stream, or a file beside the marked one, that holds one mark.
    case file([[UInt8]], MarkKind, MarkCarrier.Form)
    case appleDouble([[UInt8]], MarkCarrier.Form)
    /// What nobody can look for: attributes of the file, or files beside it or below a folder.
    case unreachable(MarkCarrier.Flaw)
  }

  /// Which places are visited.
  enum Visit {
    /// Those that count: attributes that are native to Linux first, and of the folders `__MACOSX`
    /// beside the file and above it, the nearest that holds an AppleDouble file of the marked file.
    case byPrecedence
    /// All of them, attributes in the order of their names.
    case all
  }

  typealias Attribute = (name: AttributeName, foreignName: ForeignAttributeName)

  /// The file, held open: whatever its path leads to by now, its attributes and what stands beside it
  /// are those of one file.
  let file: FileReference
  /// Where the file is; `nil` where nothing beside it can be looked for.
  let place: FilePlace?
  /// The attributes that another system may have named, in the order of their names.
  private let attributes: [Attribute]
  /// Why there may be more of them.
  private let excess: XattrError?
  /// Why the place is not known.
  private let obstacle: Errno?

  /// - Throws: `XattrError` where the attributes cannot be listed.
  init(
    of file: FileReference, in scope: MarkCarrier.Scope = .everywhere
  ) throws(XattrError) {
    let file = try file.held()
    self.file = .held(file)
    do throws(XattrError) {
      attributes = try Self.attributes(of: self.file)
      excess = nil
    } catch  where error.errno == .argumentListTooLong {
      attributes = Self.knownAttributes
      excess = error
    }
    do throws(Errno) {
      place = try FilePlace(of: file, in: scope)
      obstacle = nil
    } catch {
      place = nil
      obstacle = error
    }
  }

  /// Calls `body` with each place; `body` returns whether it has found a carrier there.
  func forEach(_ visit: Visit, _ body: (Place) -> Bool) {
    let attributes = visit == .byPrecedence ? Self.byPrecedence(attributes) : attributes
    for (name, foreignName) in attributes { _ = body(.attribute(name, foreignName)) }
    if let excess {
      let name = Array("attributes".utf8)
      _ = body(.unreachable(MarkCarrier.Flaw(name: name, cause: .unreadable(excess.reason))))
    }
    guard let place else {
      if let obstacle { _ = body(.unreachable(Self.flaw([Self.files], obstacle))) }
      return
    }
    for (path, kind) in Self.streams(of: place) { _ = body(.file(path, kind, .sibling)) }
    for (path, kind) in Self.netatalkFiles(of: place) { _ = body(.file(path, kind, .netatalk)) }
    _ = body(.appleDouble(Self.appleDouble(of: place), .appleDouble))
    for carrier in Self.archivedAppleDoubles(of: place)
    where body(carrier) && visit == .byPrecedence {
      break
    }
  }

  // Each path is the names that lead to a file from the directory of the marked file.

  /// What macOS puts AppleDouble files into in a zip.
  static let archiveFolder = Array("__MACOSX".utf8)
  /// Where Netatalk keeps what a Mac has given it.
  fileprivate static let netatalkFolder = Array(".AppleDouble".utf8)
  /// What an AppleDouble file has before the name of its document.
  fileprivate static let doublePrefix = Array("._".utf8)
  /// What stands between a file's name and that of its stream. Copied to where a colon cannot be,
  /// it becomes U+F03A.
  private static let streamSeparators = [":", "\u{f03a}"]
  /// A zip is seldom deeper, and each level costs a system call.
  private static let levelLimit = 32

  /// The AppleDouble file beside the file.
  static func appleDouble(of place: FilePlace) -> [[UInt8]] { [doublePrefix + place.name] }

  /// What stands behind a file's name in those of its streams.
  private static let streamSuffixes = MarkKind.names.flatMap {
    name -> [(suffix: [UInt8], kind: MarkKind)] in
    guard let kind = MarkKind(name: name.utf8), kind.isApple || kind == .zoneIdentifier else {
      return []
    }
    let separators = streamSeparators.prefix(kind == .zoneIdentifier ? 2 : 1)
    return separators.map { (Array(($0 + name).utf8), kind) }
  }

  /// Streams of NTFS, and files of their names.
  private static func streams(of place: FilePlace) -> [(path: [[UInt8]], kind: MarkKind)] {
    streamSuffixes.map { ([place.name + $0.suffix], $0.kind) }
  }

  /// Whether a file of this name holds a stream of another, as copying from NTFS leaves it.
  static func isStream(_ name: some Collection<UInt8>) -> Bool {
    streamSuffixes.contains { suffix, _ in
      name.count > suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
    }
  }

  /// `__MACOSX` beside what the archive held at its top, which is the file or a directory above.
  private static func archivedAppleDoubles(of place: FilePlace) -> [Place] {
    let parents = place.directoryPath?.bytes.split(separator: UInt8(ascii: "/"))
    var places: [Place] = []
    for level in 0...min(parents?.count ?? levelLimit, levelLimit) {
      let folder = [[UInt8]](repeating: Array("..".utf8), count: level) + [archiveFolder]
      do throws(Errno) {
        guard try place.withDirectory(folder[...], { _ in true }) != nil else { continue }
        guard let down = level == 0 ? [] : parents?.suffix(level) else {
          throw .fileNameTooLong
        }
        let path = folder + down.map { Array($0) } + appleDouble(of: place)
        places.append(.appleDouble(path, .macArchive))
      } catch {
        // Whatever is further up cannot be reached either.
        return places + [.unreachable(flaw(folder, error))]
      }
    }
    return places
  }

  /// What stands for the name of a file that nobody can look for.
  private static let files = Array("files beside it".utf8)

  private static func flaw(_ path: [[UInt8]], _ errno: Errno) -> MarkCarrier.Flaw {
    MarkCarrier.Flaw(MarkCarrier(form: .appleDouble, path: path), errno)
  }

  /// `.AppleDouble/name::EA::attribute`, of a directory `name/.AppleDouble/.Parent::EA::attribute`.
  private static func netatalkFiles(of place: FilePlace) -> [(path: [[UInt8]], kind: MarkKind)] {
    let folders = place.isDirectory ? [place.name, netatalkFolder] : [netatalkFolder]
    let stem = place.isDirectory ? Array(".Parent".utf8) : place.name
    return MarkKind.names.compactMap { name in
      guard let kind = MarkKind(name: name.utf8), kind.isApple else { return nil }
      return (folders + [stem + Array("::EA::\(name)".utf8)], kind)
    }
  }

  /// - Throws: `XattrError` where the attributes cannot be listed, also where there are more than
  ///   the kernel lists.
  static func attributes(of file: FileReference) throws(XattrError) -> [Attribute] {
    foreign(try names(of: ExtendedAttributes(of: file)))
  }

  private static func foreign(_ names: [AttributeName]) -> [Attribute] {
    names.compactMap { name in ForeignAttributeName(name).map { (name, $0) } }
  }

  /// The attributes that can be asked for without a list: Samba's streams may also have names in
  /// another letter case, and what stands below `user.dublincore.` any name.
  private static let knownAttributes = foreign(
    (MarkKind.names + MarkKind.notes.sorted()).flatMap { name in
      [
        "user.\(name)",
        "user.DosStream.\(name.split(separator: ":").joined(separator: "\u{f022}")):$DATA",
      ].compactMap { AttributeName($0) }
    })

  static func byPrecedence(_ attributes: [Attribute]) -> [Attribute] {
    [ForeignAttributeName.Style.plain, .sambaStream, .hfsplus].flatMap { style in
      attributes.filter { $0.foreignName.style == style }
    }
  }

  /// The names of all attributes, in order; none where the file system stores none.
  private static func names(
    of attributes: ExtendedAttributes
  ) throws(XattrError) -> [AttributeName] {
    do throws(XattrError) {
      return try attributes.names().sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    } catch  where error.errno == .notSupported || error.errno == .invalidArgument {
      // EINVAL is what ntfs-3g at times answers where it shows streams as files.
      return []
    }
  }
}

extension MarkCarrier {
  /// Whether a file only holds marks of others, by its name or that of a directory above it.
  package static func isCarrier(_ path: FilePath) -> Bool {
    let components = path.bytes.split(separator: UInt8(ascii: "/"))
    let folders = [PossibleCarriers.archiveFolder[...], PossibleCarriers.netatalkFolder[...]]
    if components.contains(where: { folders.contains($0) }) { return true }
    guard let name = components.last else { return false }
    if name.starts(with: PossibleCarriers.doublePrefix) { return true }
    return PossibleCarriers.isStream(name)
  }
}
