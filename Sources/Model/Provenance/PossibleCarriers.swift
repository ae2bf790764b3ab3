package import LinuxSystem
internal import Witness
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
    /// The file itself holds marks of another.
    case held(CarrierFile)
    /// What nobody can look for: attributes of the file, or files beside it or below a folder.
    case unreachable(MarkCarrier.Flaw)
  }

  /// Which places are visited.
  enum Visit {
    /// Those that count: attributes that are native to Linux first, and of the folders `__MACOSX`
    /// beside the file and above it, the nearest that holds an AppleDouble file of the marked file.
    case byPrecedence
    /// All of them, attributes that are native to Linux first.
    case inTurn
    /// All of them, attributes in the order of their names.
    case all
  }

  typealias Attribute = (name: AttributeName, foreignName: ForeignAttributeName)

  /// The file, held open: whatever its path leads to by now, its attributes and what stands beside it
  /// are those of one file.
  let file: FileReference
  /// Where the file is; `nil` if nothing beside it can be looked for.
  let place: FilePlace?
  /// The attributes that another system may have named, in the order of their names.
  private let attributes: [Attribute]
  /// Whether the file has no attribute that another system may have named.
  var isBare: Bool { attributes.isEmpty && excess == nil }
  /// Whether the file has a record of who was seen writing it.
  let isWitnessed: Bool
  /// Whether Samba keeps streams of the file elsewhere.
  private let isInDepot: Bool
  /// Why there may be more of them.
  private let excess: XattrError?
  /// Why the place is not known.
  private let obstacle: Errno?

  /// - Throws: `XattrError` where the attributes cannot be listed.
  init(
    of file: FileReference, in scope: MarkCarrier.Scope = .everywhere,
    with memory: DirectoryMemory? = nil
  ) throws(XattrError) {
    let file = try file.held(by: memory?.descriptorNames)
    self.file = .held(file)
    do throws(XattrError) {
      let names = try Self.names(of: ExtendedAttributes(of: self.file))
      attributes = Self.foreign(names)
      isWitnessed = names.contains(where: Self.isWitnessMark)
      isInDepot = names.contains(where: Self.isDepotMark)
      excess = nil
    } catch  where error.errno == .argumentListTooLong {
      attributes = Self.knownAttributes
      isWitnessed = true
      isInDepot = false
      excess = error
    }
    do throws(Errno) {
      place = try FilePlace(of: file, in: scope, with: memory)
      obstacle = nil
    } catch {
      place = nil
      obstacle = error
    }
  }

  /// Calls `body` with each place; `body` returns whether it has found a carrier there.
  func forEach(_ visit: Visit, _ body: (Place) -> Bool) {
    let attributes = visit == .all ? attributes : Self.byPrecedence(attributes)
    for (name, foreignName) in attributes { _ = body(.attribute(name, foreignName)) }
    if let excess {
      let name = Array("attributes".utf8)
      _ = body(.unreachable(MarkCarrier.Flaw(name: name, cause: .unreadable(excess.reason))))
    }
    guard let place else {
      if let obstacle { _ = body(.unreachable(Self.flaw([Self.files], obstacle))) }
      return
    }
    if place.isAlone, !isInDepot { return }
    for (path, kind) in Self.streams(of: place) { _ = body(.file(path, kind, .sibling)) }
    for (path, kind) in depotFiles(of: place) { _ = body(.file(path, kind, .sambaDepot)) }
    do throws(Errno) {
      for (path, kind) in try Self.netatalkFiles(of: place) {
        _ = body(.file(path, kind, .netatalk))
      }
    } catch {
      _ = body(.unreachable(Self.flaw(Self.netatalkFolders(of: place), error)))
    }
    // Those in the folder of an archive belong to what the archive held.
    if place.folders?.contains(Self.archiveFolder) != true {
      _ = body(.appleDouble(Self.appleDouble(of: place), .appleDouble))
    }
    for carrier in Self.archivedAppleDoubles(of: place)
    where body(carrier) && visit == .byPrecedence {
      break
    }
    // A carrier of the file is found as long as the file is there, so this comes last.
    if let carrier = CarrierFile(at: place) { _ = body(.held(carrier)) }
  }

  /// Whether a file may have a mark besides the native document source: whether there is anything at a
  /// place that `forEach` visits.
  ///
  /// No carrier is opened, and each path is put together in the same memory: the answer is for lists of
  /// files, and takes half the time that visiting takes.
  ///
  /// - Returns: `true` also where nobody can tell.
  static func mayHaveMore(_ file: FileReference) -> Bool {
    guard let held = try? file.held(),
      ExtendedAttributes(of: .held(held)).hasName(where: isMore) == false,
      let place = try? FilePlace(of: held), CarrierFile(at: place) == nil,
      let directory = place.directoryPath?.bytes, (try? netatalkFiles(of: place))?.isEmpty == true
    else { return true }
    let name = place.name
    var path: [UInt8] = []
    path.reserveCapacity(1024)
    for (suffix, _) in streamSuffixes {
      path += name
      path += suffix
      if place.mayBeThere(&path) { return true }
    }
    let double = doublePrefix + name
    path += double
    if place.mayBeThere(&path) { return true }
    var down = directory.endIndex
    for level in 0...levelLimit {
      path += way(up: level)
      path += directory[down...]
      path.append(slash)
      path += double
      if place.mayBeThere(&path) { return true }
      guard let above = directory[..<down].lastIndex(of: slash) else { break }
      down = above
    }
    return false
  }

  /// Whether an attribute may be a mark, or a sign of marks, other than the native document source.
  private static func isMore(_ bytes: RawSpan) -> Bool {
    guard let name = unsafe bytes.withUnsafeBytes({ unsafe AttributeName(bytes: $0) }) else {
      return false
    }
    if isWitnessMark(name) || isDepotMark(name) { return true }
    guard let foreign = ForeignAttributeName(name), let kind = foreign.kind else { return false }
    return kind != .documentSource || foreign.style != .plain
  }

  private static func isWitnessMark(_ name: AttributeName) -> Bool {
    name == witnessMark
  }

  private static func isDepotMark(_ name: AttributeName) -> Bool {
    name == depotMark
  }

  /// The attributes that another system may have named, in the order in which they count, and whether the file
  /// has a record of who was seen writing it.
  ///
  /// - Parameter names: as the kernel lists them, each followed by a NUL.
  /// - Returns: `nil` if the names are not all that tells of marks, beside a file that has nothing beside it.
  static func attributes(
    listed names: [UInt8]
  ) -> (attributes: [Attribute], isWitnessed: Bool)? {
    var found: [AttributeName] = []
    for bytes in names.split(separator: 0) {
      guard let name = AttributeName(bytes: bytes), !isDepotMark(name) else { return nil }
      found.append(name)
    }
    found.sort { $0.precedes($1) }
    return (byPrecedence(foreign(found)), found.contains(where: isWitnessMark))
  }

  /// Files of Samba's streams_depot, below `.streams` in the directory that is the share: the file's
  /// own or one above. Samba marks files that have streams there with an attribute, since another
  /// file may get the inode by which they are called.
  private func depotFiles(of place: FilePlace) -> [(path: [[UInt8]], kind: MarkKind)] {
    guard isInDepot else { return [] }
    let identifier = place.sambaIdentifier
    let digits = Array("0123456789ABCDEF".utf8)
    func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
      bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xf)]] }
    }
    let hash = Self.depotHash(identifier)
    let folders =
      [Self.depotFolder, hexadecimal([UInt8(truncatingIfNeeded: hash)])]
      + [hexadecimal([UInt8(truncatingIfNeeded: hash >> 8)]), hexadecimal(identifier)]
    let files = MarkKind.names.flatMap { name -> [(name: [UInt8], kind: MarkKind)] in
      guard let kind = MarkKind(name: name.utf8), kind.isApple || kind == .zoneIdentifier else {
        return []
      }
      // A colon in the name is the character that Samba has for it, or one where catia is set up so.
      let parts = name.split(separator: ":", omittingEmptySubsequences: false)
      return (parts.count == 1 ? [":"] : [":", "\u{f022}"]).map { colon in
        (Array((":" + parts.joined(separator: colon) + Self.depotSuffix).utf8), kind)
      }
    }
    let depth = place.folders?.count
    return (0...min(depth ?? Self.levelLimit, Self.levelLimit)).flatMap { level in
      let ups = [[UInt8]](repeating: Self.up, count: level)
      return files.map { (ups + folders + [$0.name], $0.kind) }
    }
  }

  /// The hash by which Samba spreads the files over directories.
  private static func depotHash(_ identifier: [UInt8]) -> UInt32 {
    var value = 0x238f_13af &* UInt32(identifier.count)
    for (index, byte) in identifier.enumerated() {
      value &+= UInt32(byte) << UInt32(index * 5 % 24)
    }
    return 1_103_515_243 &* value &+ 12345
  }

  // Each path is the names that lead to a file from the directory of the marked file.

  /// The directory above.
  static let up = Array("..".utf8)
  private static let slash = UInt8(ascii: "/")
  /// What macOS puts AppleDouble files into in a zip.
  static let archiveFolder = Array("__MACOSX".utf8)
  /// Where Netatalk keeps what a Mac has given it.
  static let netatalkFolder = Array(".AppleDouble".utf8)
  /// What stands there for the directory that the folder is in.
  static let netatalkParent = Array(".Parent".utf8)
  /// Where Samba's streams_depot keeps streams, by default.
  static let depotFolder = Array(".streams".utf8)
  /// What follows the name of a stream there.
  fileprivate static let depotSuffix = ":$DATA"
  /// The attribute of a file that has streams there.
  private static let depotMark = AttributeName("user.SAMBA_STREAMS")
  private static let witnessMark = AttributeName(WitnessRecord.attribute)
  /// What an AppleDouble file has before the name of its document.
  static let doublePrefix = Array("._".utf8)
  /// What stands between a file's name and that of its stream. Copied to where a colon cannot be,
  /// it becomes U+F03A.
  private static let streamSeparators = [":", "\u{f03a}"]
  /// A zip is seldom deeper, and each level costs a system call.
  private static let levelLimit = 32

  /// The AppleDouble file beside the file.
  static func appleDouble(of place: FilePlace) -> [[UInt8]] { [doublePrefix + place.name] }

  /// What follows a file's name in those of its streams.
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
    guard place.mayHaveStreams else { return [] }
    let name = place.name
    return streamSuffixes.map { ([name + $0.suffix], $0.kind) }
  }

  /// The file that a file of this name holds a stream of, as copying from NTFS leaves it, and what the
  /// stream is; `nil` for another file's name.
  static func stream(
    _ name: some Collection<UInt8>
  ) -> (document: [UInt8], kind: MarkKind)? {
    for (suffix, kind) in streamSuffixes
    where name.count > suffix.count && name.suffix(suffix.count).elementsEqual(suffix) {
      return (Array(name.dropLast(suffix.count)), kind)
    }
    return nil
  }

  /// Leads to the folder from as far below as `levelLimit` says.
  private static let longestWay =
    Array((String(repeating: "../", count: levelLimit) + "__MACOSX").utf8)

  private static func way(up level: Int) -> ArraySlice<UInt8> {
    longestWay.suffix(3 * level + archiveFolder.count)
  }

  /// `__MACOSX` beside what the archive held at its top, which is the file or a directory above.
  private static func archivedAppleDoubles(of place: FilePlace) -> [Place] {
    if place.hasArchiveAbove == false, !place.mayHave(archiveFolder) { return [] }
    let parents = place.folders
    var places: [Place] = []
    defer { if places.isEmpty { place.hasArchiveAbove = false } }
    let levels = place.hasArchiveAbove == false ? 0 : min(parents?.count ?? levelLimit, levelLimit)
    var way: [UInt8] = []
    for level in 0...levels {
      way += Self.way(up: level)
      guard place.mayBeThere(&way) else { continue }
      let folder = [[UInt8]](repeating: up, count: level) + [archiveFolder]
      do throws(Errno) {
        guard try place.withDirectory(folder[...], { _ in true }) != nil else { continue }
        guard let down = level == 0 ? [] : parents?.suffix(level) else {
          throw .fileNameTooLong
        }
        let path = folder + down + appleDouble(of: place)
        places.append(.appleDouble(path, .macArchive))
      } catch {
        // Whatever is further up cannot be reached either.
        places.append(.unreachable(flaw(folder, error)))
        return places
      }
    }
    return places
  }

  /// Takes the place of the name of files that cannot be looked for.
  private static let files = Array("neighboring files".utf8)

  private static func flaw(_ path: [[UInt8]], _ errno: Errno) -> MarkCarrier.Flaw {
    MarkCarrier.Flaw(MarkCarrier(form: .appleDouble, path: path), errno)
  }

  /// `.AppleDouble/name::EA::attribute`, of a directory `name/.AppleDouble/.Parent::EA::attribute`.
  ///
  /// - Returns: none where there is no such folder, as beside most files.
  private static func netatalkFiles(
    of place: FilePlace
  ) throws(Errno) -> [(path: [[UInt8]], kind: MarkKind)] {
    let folders = netatalkFolders(of: place)
    guard try place.withDirectory(folders[...], { _ in true }) != nil else { return [] }
    let stem = place.isDirectory ? netatalkParent : place.name
    return MarkKind.names.compactMap { name in
      guard let kind = MarkKind(name: name.utf8), kind.isApple else { return nil }
      return (folders + [stem + Array("::EA::\(name)".utf8)], kind)
    }
  }

  private static func netatalkFolders(of place: FilePlace) -> [[UInt8]] {
    place.isDirectory ? [place.name, netatalkFolder] : [netatalkFolder]
  }

  /// - Throws: `XattrError` where the attributes cannot be listed, also where there are more than
  ///   the kernel lists.
  static func attributes(of file: FileReference) throws(XattrError) -> [Attribute] {
    foreign(try names(of: ExtendedAttributes(of: file)))
  }

  private static func foreign(_ names: [AttributeName]) -> [Attribute] {
    var attributes: [Attribute] = []
    attributes.reserveCapacity(names.count)
    for name in names {
      if let foreignName = ForeignAttributeName(name) { attributes.append((name, foreignName)) }
    }
    return attributes
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
    if attributes.allSatisfy({ $0.foreignName.style == .plain }) { return attributes }
    return [ForeignAttributeName.Style.plain, .doubled, .sambaStream, .hfsplus].flatMap { style in
      attributes.filter { $0.foreignName.style == style }
    }
  }

  /// The names of all attributes, in order; none where the file system stores none.
  private static func names(
    of attributes: ExtendedAttributes
  ) throws(XattrError) -> [AttributeName] {
    do throws(XattrError) {
      var names = try attributes.names()
      names.sort { $0.precedes($1) }
      return names
    } catch  where error.errno == .notSupported || error.errno == .invalidArgument {
      // EINVAL is what ntfs-3g at times answers where it shows streams as files.
      return []
    }
  }
}

extension MarkCarrier {
  /// Whether a path may be that of a carrier, by a quick look, which most paths do not pass.
  static func mayBeCarrier(_ path: ArraySlice<UInt8>) -> Bool {
    var former: UInt8 = 0
    for byte in path {
      if isTelling(former, byte) { return true }
      former = byte
    }
    return false
  }

  /// Whether two bytes of a path, one after the other, are a sign that it may be that of a carrier.
  package static func isTelling(_ former: UInt8, _ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"): former == UInt8(ascii: ".") || former == UInt8(ascii: "_")
    case UInt8(ascii: "A"): former == UInt8(ascii: ".")
    // A colon, and the first byte of what stands for one.
    case UInt8(ascii: ":"), 0xef: true
    default: false
    }
  }

  /// Whether a file only holds marks of others, by its name or that of a directory above it.
  package static func isCarrier(_ path: FilePath) -> Bool {
    guard mayBeCarrier(path.bytes) else { return false }
    if path.lastComponent.starts(with: PossibleCarriers.doublePrefix) { return true }
    let components = path.bytes.split(separator: UInt8(ascii: "/"))
    let folders = [PossibleCarriers.archiveFolder[...], PossibleCarriers.netatalkFolder[...]]
    if components.contains(where: { folders.contains($0) }) { return true }
    guard let name = components.last else { return false }
    if components.contains(PossibleCarriers.depotFolder[...]),
      name.suffix(PossibleCarriers.depotSuffix.utf8.count)
        .elementsEqual(PossibleCarriers.depotSuffix.utf8)
    {
      return true
    }
    return PossibleCarriers.stream(name) != nil
  }
}
