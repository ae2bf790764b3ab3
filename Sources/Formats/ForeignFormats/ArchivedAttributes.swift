public import BinaryPropertyList
public import LinuxSystem
internal import TextFormats
public import Xattr

/// The attributes that an archive holds for the files in it.
///
/// docsource-archive reads the archive; property lists carry its findings to docsource, one for each
/// entry that has any, as they are found: so they are there however the program ends.
public struct ArchivedAttributes: Sendable {
  /// Where in an archive attributes stand. The names go into the property list.
  public enum Place: String, Sendable {
    /// The header of the file's own entry.
    case archive
    /// An AppleDouble file.
    case macArchive
  }

  /// The attributes of one file that stand in one entry of the archive.
  public struct File: Sendable {
    /// The file's path in the archive.
    public let path: FilePath
    public let place: Place
    /// The path of the entry that holds the attributes.
    public let entry: [UInt8]
    public let attributes: [ForeignAttributes.Attribute]
    /// As in `ForeignAttributes.remainder`.
    public let remainder: [String]

    package init(
      path: FilePath, place: Place, entry: [UInt8], attributes: [ForeignAttributes.Attribute],
      remainder: [String]
    ) {
      self.path = path
      self.place = place
      self.entry = entry
      self.attributes = attributes
      self.remainder = remainder
    }
  }

  /// In the order of the archive.
  public package(set) var files: [File] = []
  /// Entries that cannot be read, and why, in words.
  public package(set) var flaws: [(entry: [UInt8], reason: String)] = []

  public init() {}

  /// The findings as a part of docsource-archive's answer: the length of a binary property list, in
  /// eight bytes of which the highest comes first, and the list.
  public func part() throws(EncodingFailure) -> [UInt8] {
    let list = try binary()
    return unsafe withUnsafeBytes(of: UInt64(list.count).bigEndian) { unsafe Array($0) } + list
  }

  /// Larger than any part.
  private static let partLimit: UInt64 = 1 << 31

  /// Reads an answer, parts one after the other. One that is cut off at the end is left out.
  ///
  /// - Returns: `nil` for anything else.
  public init?(parts: [UInt8]) throws(DecodingFailure) {
    var rest = parts[...]
    while rest.count >= 8 {
      let length = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      guard length < Self.partLimit else { return nil }
      guard length <= rest.count else { return }
      guard let part = try ArchivedAttributes(binary: Array(rest.prefix(Int(length)))) else {
        return nil
      }
      files += part.files
      flaws += part.flaws
      rest = rest.dropFirst(Int(length))
    }
  }

  /// The findings as a binary property list.
  public func binary() throws(EncodingFailure) -> [UInt8] {
    let files = files.map { file -> PropertyList in
      let attributes = file.attributes.flatMap { attribute -> [PropertyList] in
        [.data(Array(attribute.name.bytes)), .data(attribute.value)]
      }
      return .array([
        .data(Array(file.path.bytes)), .data(file.entry), .string(file.place.rawValue),
        .array(attributes), .array(file.remainder.map { .string($0) }),
      ])
    }
    let flaws = flaws.map { PropertyList.array([.data($0.entry), .string($0.reason)]) }
    return try PropertyList.array([.array(files), .array(flaws)]).binary()
  }

  /// Reads the property list that `binary` makes.
  ///
  /// - Returns: `nil` for anything else.
  public init?(binary: [UInt8]) throws(DecodingFailure) {
    guard let parts = try PropertyList(binary: binary).parts, parts.count == 2,
      let files = parts[0].elements(Self.file), let flaws = parts[1].elements(Self.flaw)
    else { return nil }
    self.files = files
    self.flaws = flaws
  }

  private static func flaw(_ list: PropertyList) -> (entry: [UInt8], reason: String)? {
    guard let parts = list.parts, parts.count == 2, let entry = parts[0].data,
      let reason = parts[1].text
    else { return nil }
    return (entry, reason)
  }

  private static func file(_ list: PropertyList) -> File? {
    guard let parts = list.parts, parts.count == 5,
      let path = parts[0].data.flatMap({ FilePath(bytes: $0) }), let entry = parts[1].data,
      let place = parts[2].text.flatMap(Place.init), let pairs = parts[3].parts,
      pairs.count.isMultiple(of: 2), let remainder = parts[4].parts
    else { return nil }
    var attributes: [ForeignAttributes.Attribute] = []
    for position in stride(from: 0, to: pairs.count, by: 2) {
      // Only user attributes are taken, whatever the program says.
      guard let name = pairs[position].data, let value = pairs[position + 1].data,
        name.starts(with: "user.".utf8), let name = AttributeName(bytes: name[...])
      else { return nil }
      attributes.append(ForeignAttributes.Attribute(name: name, value: value))
    }
    return File(
      path: path, place: place, entry: entry, attributes: attributes,
      remainder: remainder.compactMap(\.text))
  }
}

/// A companion program's answer by its parts; each is `nil` if the value is of another type.
extension PropertyList {
  var parts: [PropertyList]? { if case .array(let parts) = self { parts } else { nil } }
  var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// What `read` makes of the parts; `nil` if it makes nothing of one.
  func elements<Element>(_ read: (PropertyList) -> Element?) -> [Element]? {
    guard let parts else { return nil }
    let elements = parts.compactMap(read)
    return elements.count == parts.count ? elements : nil
  }
}

/// Attributes of another system, by the names that they get on Linux.
public struct ForeignAttributes: Sendable {
  /// An attribute by the name that it has where Linux is at home.
  public struct Attribute: Hashable, Sendable {
    public let name: AttributeName
    public let value: [UInt8]

    package init(name: AttributeName, value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var attributes: [Attribute] = []
  /// Content that no attribute of Linux can hold, in words.
  public private(set) var remainder: [String] = []
  /// The number of bytes of all values.
  public private(set) var size = 0

  /// No attribute of Linux has a longer value (`XATTR_SIZE_MAX`).
  public static let valueLimit = 65536
  /// The most bytes of values that are taken for one file: values in an AppleDouble file may
  /// overlap.
  public static let limit = 16 << 20
  /// The attribute as which macOS shows Finder information.
  static let finderInfoName = "com.apple.FinderInfo"
  /// Attributes by which programs and the kernel direct file systems: a document may not set them.
  /// `virtfs.` is QEMU's owner and mode of a file for the guest, `rsync.` those of --fake-super.
  private static let reserved = [
    "overlay.", "fuseoverlayfs.", "containers.", "virtfs.", "rsync.", "DOSATTRIB", "SAMBA_PAI",
    "SAMBA_STREAMS",
  ].map { Array($0.utf8) }
  private static let userPrefix = Array("user.".utf8)

  public init() {}

  /// The name that an attribute gets on Linux; `nil` if Linux could not store it, or it is
  /// reserved.
  public static func nativeName(_ name: some Collection<UInt8>) -> AttributeName? {
    guard !reserved.contains(where: { name.starts(with: $0) }) else { return nil }
    return AttributeName(bytes: (userPrefix + name)[...])
  }

  /// Adds an attribute by its name on a Mac.
  ///
  /// - Parameter length: of the whole value; `read` is called where Linux can store it.
  public mutating func add<Failure: Error>(
    _ name: [UInt8], length: Int, _ read: () throws(Failure) -> [UInt8]
  ) throws(Failure) {
    var shown: EscapedText { EscapedText(word: name) }
    func keep(_ words: String) { remainder.append(words) }
    guard let native = Self.nativeName(name) else {
      return keep("an attribute with a reserved or invalid name, \(shown)")
    }
    guard length <= Self.valueLimit else {
      return keep("an attribute too large to be stored, \(shown) (\(ByteCount(length)))")
    }
    guard size + length <= Self.limit else {
      return keep("more than \(Self.limit >> 20) MiB of attributes, including \(shown)")
    }
    size += length
    let value = try read()
    guard value.count == length else { return keep("a truncated attribute, \(shown)") }
    attributes.append(Attribute(name: native, value: value))
  }

  /// Adds everything that an AppleDouble file holds.
  ///
  /// Finder information becomes the attribute that a Mac shows for it. A resource fork goes to the
  /// remainder, unless it is the blank one that the kernel of macOS writes. Flags of an attribute,
  /// which have no meaning on any system, and bytes that belong to no part of the file also go to
  /// the remainder.
  ///
  /// - Parameter bytes: reads a range of the file.
  public mutating func add<Failure: Error>(
    _ file: AppleDouble, bytes: (Range<Int>) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    if file.finderInfo.contains(where: { $0 != 0 }) {
      try add(Array(Self.finderInfoName.utf8), length: file.finderInfo.count) {
        () throws(Failure) in file.finderInfo
      }
    }
    if let excess = try file.excess(bytes) {
      remainder.append("other Finder information (\(ByteCount(excess.count)))")
    }
    for attribute in file.attributes {
      if attribute.flags != 0 {
        remainder.append("flags of an attribute, \(EscapedText(word: attribute.name))")
      }
      try add(attribute.name, length: attribute.range.count) { () throws(Failure) in
        attribute.range.isEmpty ? [] : try bytes(attribute.range)
      }
    }
    for entry in file.otherEntries {
      let isFork = entry.type == AppleDouble.resourceForkType
      if isFork, entry.range.count == AppleDouble.blankForkLength,
        AppleDouble.isBlankFork(try bytes(entry.range))
      {
        continue
      }
      let what = isFork ? "a resource fork" : "an entry of type \(entry.type)"
      remainder.append("\(what) (\(ByteCount(entry.range.count)))")
    }
    let unnamed = try file.unnamed(bytes).reduce(0) { $0 + $1.count }
    if unnamed > 0 { remainder.append("content outside its entries (\(ByteCount(unnamed)))") }
  }
}
