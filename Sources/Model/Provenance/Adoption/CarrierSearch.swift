internal import DocumentSource
internal import LinuxSystem
internal import Xattr

/// Looks for all that holds attributes of one file in the form of another system.
struct CarrierSearch {
  /// In the order in which they are adopted: what stands on the file itself comes first.
  private(set) var carriers: [ForeignCarrier] = []
  private(set) var flaws: [CarrierFlaw] = []
  private let attributes: ExtendedAttributes
  private let place: FilePlace?

  init(_ file: FileReference, _ place: FilePlace?) {
    attributes = ExtendedAttributes(of: file)
    self.place = place
  }

  /// Does it.
  ///
  /// - Throws: `XattrError` where the file's attributes cannot be listed.
  mutating func run() throws(XattrError) {
    try findAttributes()
    guard let place else { return }
    let paths = CarrierPaths(place)
    for (path, kind) in paths.streams { find(path, kind, .sibling, in: place) }
    for (path, kind) in paths.netatalk { find(path, kind, .netatalk, in: place) }
    findAppleDouble(paths.appleDouble, .appleDouble, in: place)
    for path in paths.archives where findAppleDouble(path, .macArchive, in: place) { break }
  }

  private mutating func findAttributes() throws(XattrError) {
    // Where the native form is mended first, the others are compared with what it is then.
    for (name, form) in try attributes.forms() {
      do throws(XattrError) {
        try find(name, form)
      } catch {
        flaws.append(CarrierFlaw(name: Array(name.bytes), cause: .unreadable(error.reason)))
      }
    }
  }

  private mutating func find(_ name: AttributeName, _ form: AttributeForm) throws(XattrError) {
    let isMark = form.kind != nil
    // A stream that is no mark may be anything, and its client looks for it where it is.
    guard isMark || form.name.starts(with: "com.apple.".utf8), let native = form.nativeName else {
      return
    }
    if form.style == .plain, !isMark { return }
    guard let stored = try attributes.value(of: name), !stored.isEmpty, stored != [0] else {
      return
    }
    let (carrier, removal, value): (MarkCarrier.Form, ForeignCarrier.Removal, [UInt8])
    switch form.style {
    case .plain:
      guard let kind = form.kind, let shorter = Self.withoutNUL(stored, kind) else { return }
      (carrier, removal, value) = (.attribute, .replacement, shorter)
    case .sambaStream:
      (carrier, removal, value) = (.sambaStream, .attribute(name), form.nativeValue(stored))
    // On that file system it is the native form, which a Mac reads.
    case .hfsplus: (carrier, removal, value) = (.hfsplus, .never, stored)
    }
    carriers.append(
      ForeignCarrier(
        carrier: MarkCarrier(form: carrier, name: Array(name.bytes)),
        attributes: [ForeignCarrier.Attribute(name: native, value: value)], trust: .claim,
        modified: nil, removal: removal))
  }

  /// The value without the NUL that Samba has put behind it; `nil` where there is none.
  static func withoutNUL(_ value: [UInt8], _ kind: MarkKind) -> [UInt8]? {
    guard value.last == 0 else { return nil }
    let shorter = Array(value.dropLast())
    let isBehind =
      switch kind {
      case .documentSource, .whereFroms, .downloadedDate, .userTags:
        AttributeValue.hasTrailingNUL(value)
      case .lastUsedDate: shorter.count == 16
      case .applicationKey: shorter.count == 11
      default: true
      }
    return isBehind ? shorter : nil
  }

  /// A file that holds one attribute.
  private mutating func find(
    _ path: [[UInt8]], _ kind: MarkKind, _ form: MarkCarrier.Form, in place: FilePlace
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    do throws(Errno) {
      // A stream of NTFS is the file itself, and where the driver shows it so, it stores no other.
      guard let file = try place.neighbour(path), !place.isSame(file),
        let native = ForeignAttributes.nativeName(kind.name.utf8)
      else { return }
      var found = ForeignAttributes()
      try found.add(Array(kind.name.utf8), length: file.length) { () throws(Errno) in
        try file.bytes(0..<file.length)
      }
      carriers.append(
        ForeignCarrier(
          carrier: MarkCarrier(form: form, name: name),
          attributes: found.attributes.filter { $0.name == native }, remainder: found.remainder,
          trust: place.trust(file), modified: file.modified,
          removal: .file(
            NeighbourPath(components: path, firstFolder: nil, version: file.version))))
    } catch {
      flaws.append(CarrierFlaw(name: name, cause: .unreadable(error.description.lowercased())))
    }
  }

  /// - Returns: whether there is such a file.
  @discardableResult
  private mutating func findAppleDouble(
    _ path: [[UInt8]], _ form: MarkCarrier.Form, in place: FilePlace
  ) -> Bool {
    let name = Array(path.joined(separator: "/".utf8))
    do {
      guard let (file, parsed) = try place.appleDouble(path) else { return false }
      var found = ForeignAttributes()
      try found.add(parsed) { (range) throws(Errno) in try file.bytes(range) }
      let folder = path.firstIndex(of: CarrierFile.archiveFolder)
      carriers.append(
        ForeignCarrier(
          carrier: MarkCarrier(form: form, name: name), attributes: found.attributes,
          remainder: found.remainder, trust: place.trust(file), modified: file.modified,
          removal: .file(
            NeighbourPath(components: path, firstFolder: folder, version: file.version))))
      return true
    } catch {
      let flaw = CarrierFlaw(name: name, error)
      flaws.append(flaw)
      return flaw.isThere
    }
  }
}
