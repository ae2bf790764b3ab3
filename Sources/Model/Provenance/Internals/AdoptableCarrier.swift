internal import DocumentSource
internal import ForeignFormats
internal import LinuxSystem
internal import Xattr

/// A carrier with the attributes it holds of a file, by the names that they get on Linux.
struct AdoptableCarrier {
  /// How the carrier goes once its attributes are native.
  enum Removal {
    /// It stays: it is not ours to remove.
    case never
    case attribute(AttributeName)
    /// The native attribute takes its place, since it has the same name.
    case replacement
    case file(NeighbourPath)
  }

  let carrier: MarkCarrier
  let attributes: [ForeignAttributes.Attribute]
  /// What else it holds, which no attribute of Linux can hold, in words: for that it is kept.
  var remainder: [String] = []
  let trust: Trust
  /// When it was last written, in seconds since 1970; `nil` if that is unknown.
  var modified: Double?
  let removal: Removal

  /// Whether it is the native attribute itself, which is only mended.
  var isNative: Bool { if case .replacement = removal { true } else { false } }
}

extension AdoptableCarrier {
  /// - Parameter file: found in the archive; its carrier is named by both paths.
  init(_ file: ArchivedAttributes.File, of archive: FilePath) {
    self.init(
      carrier: MarkCarrier(
        form: file.place == .archive ? .archive : .macArchive,
        name: Array(archive.bytes) + [UInt8(ascii: ":")] + file.entry),
      attributes: Self.adoptable(file.attributes), remainder: file.remainder, trust: .beside,
      removal: .never)
  }

  /// The value as a native attribute has it once it is mended: no value is written that another run
  /// would change again. Streams under Samba's names keep the NUL that Samba takes off.
  static func mended(_ value: [UInt8], of name: AttributeName) -> [UInt8] {
    // No other byte goes.
    guard value.last == 0 else { return value }
    guard let name = ForeignAttributeName(name), name.style == .plain else { return value }
    return name.nativeValue(value)
  }

  /// The attributes as they are written to a file: an empty mark says nothing.
  fileprivate static func adoptable(
    _ attributes: [ForeignAttributes.Attribute]
  ) -> [ForeignAttributes.Attribute] {
    attributes.compactMap { attribute in
      if StoredValue.isEmpty(attribute.value), ForeignAttributeName(attribute.name)?.kind != nil {
        return nil
      }
      return ForeignAttributes.Attribute(
        name: attribute.name, value: mended(attribute.value, of: attribute.name))
    }
  }
}

/// The search for the carriers of one file that can be adopted.
struct AdoptableCarriers {
  /// In the order in which they are adopted: what stands on the file itself comes first.
  private(set) var found: [AdoptableCarrier] = []
  private(set) var flaws: [MarkCarrier.Flaw] = []
  /// Where the file is; `nil` if nothing beside it can be looked for.
  let place: FilePlace?
  /// The file itself where it holds attributes of one to which nothing can be given, since it is not
  /// there or is neither a file nor a directory.
  private(set) var orphan: (carrier: MarkCarrier, document: CarrierFile.Document)?
  /// Whether the file had no attribute that another system may have named when they were listed.
  let wasBare: Bool
  private let attributes: ExtendedAttributes

  /// - Throws: `XattrError` where the file's attributes cannot be listed.
  init(
    of file: HeldFile, in scope: MarkCarrier.Scope, with memory: DirectoryMemory?
  ) throws(XattrError) {
    let carriers = try PossibleCarriers(of: .held(file), in: scope, with: memory)
    place = carriers.place
    wasBare = carriers.isBare
    attributes = ExtendedAttributes(of: carriers.file)
    // Where the native form is mended first, the others are compared with the mended value.
    carriers.forEach(.inTurn) { find($0) }
  }

  /// - Returns: whether the carrier exists.
  private mutating func find(_ carrier: PossibleCarriers.Place) -> Bool {
    switch (carrier, place) {
    case (.attribute(let name, let foreignName), _):
      do throws(XattrError) {
        return try findAttribute(name, foreignName)
      } catch {
        flaws.append(MarkCarrier.Flaw(name: Array(name.bytes), cause: .unreadable(error.reason)))
        return false
      }
    case (.file(let path, let kind, let form), let place?):
      return findFile(path, kind, MarkCarrier(form: form, path: path), place)
    case (.appleDouble(let path, let form), let place?):
      return findAppleDouble(path, MarkCarrier(form: form, path: path), place)
    case (.held(let carrier), let place?):
      guard carrier.document != .present else { return false }
      let content = carrier.kind == nil ? try? place.appleDouble([place.name])?.content : nil
      if carrier.kind != nil || content?.attributes.isEmpty == false {
        orphan = (MarkCarrier(form: carrier.form, path: [place.name]), carrier.document)
      }
      return true
    case (.unreachable(let flaw), _):
      flaws.append(flaw)
      return false
    case (_, nil): return false
    }
  }

  private mutating func findAttribute(
    _ name: AttributeName, _ foreignName: ForeignAttributeName
  ) throws(XattrError) -> Bool {
    let isMark = foreignName.kind != nil
    // A stream that is no mark may be anything, and its client looks for it where it is.
    guard isMark || foreignName.name.starts(with: "com.apple.".utf8),
      isMark || foreignName.style != .plain, let native = foreignName.nativeName,
      let stored = try attributes.value(of: name), !StoredValue.isEmpty(stored)
    else { return false }
    let value = AdoptableCarrier.mended(foreignName.nativeValue(stored), of: native)
    let removal: AdoptableCarrier.Removal
    switch foreignName.style {
    case .plain:
      if value == stored { return false }
      removal = .replacement
    case .sambaStream, .doubled: removal = .attribute(name)
    // On that file system it is the native form, which a Mac reads.
    case .hfsplus: removal = .never
    }
    found.append(
      AdoptableCarrier(
        carrier: MarkCarrier(form: foreignName.style.form, name: Array(name.bytes)),
        attributes: [ForeignAttributes.Attribute(name: native, value: value)], trust: .claim,
        removal: removal))
    return true
  }

  /// A file that holds one attribute.
  private mutating func findFile(
    _ path: [[UInt8]], _ kind: MarkKind, _ carrier: MarkCarrier, _ place: FilePlace
  ) -> Bool {
    do throws(Errno) {
      // A stream of NTFS is the file itself, and where the driver shows it so, it stores no other.
      guard let file = try place.neighbour(path), !place.isSame(file) else { return false }
      var content = ForeignAttributes()
      try content.add(Array(kind.name.utf8), length: file.length) { () throws(Errno) in
        try file.bytes(0..<file.length)
      }
      try add(content, in: carrier, path, nil, file, place)
      return true
    } catch {
      flaws.append(MarkCarrier.Flaw(carrier, error))
      return false
    }
  }

  private mutating func findAppleDouble(
    _ path: [[UInt8]], _ carrier: MarkCarrier, _ place: FilePlace
  ) -> Bool {
    do {
      guard let (file, parsed) = try place.appleDouble(path) else { return false }
      var content = ForeignAttributes()
      try content.add(parsed) { (range) throws(Errno) in try file.bytes(range) }
      let folder = path.firstIndex(of: PossibleCarriers.archiveFolder)
      try add(content, in: carrier, path, folder, file, place)
      return true
    } catch let failure as MarkFailure where failure.isOfStream(path) {
      return false
    } catch {
      let flaw = MarkCarrier.Flaw(carrier, error)
      flaws.append(flaw)
      return flaw.isThere
    }
  }

  private mutating func add(
    _ content: ForeignAttributes, in carrier: MarkCarrier, _ path: [[UInt8]],
    _ firstFolder: Int?, _ file: NeighbourFile, _ place: FilePlace
  ) throws(Errno) {
    let own = try file.ownContent().map { [$0] } ?? []
    let path = NeighbourPath(components: path, version: file.version, firstFolder: firstFolder)
    found.append(
      AdoptableCarrier(
        carrier: carrier, attributes: AdoptableCarrier.adoptable(content.attributes),
        remainder: content.remainder + own, trust: place.trust(file), modified: file.modified,
        removal: .file(path)))
  }
}
