/// The head of an AppleDouble file: where Finder information, resource fork and extended attributes
/// of another file stand in it.
///
/// macOS keeps what a file system, a zip or a tar has no place for in a file `._name` beside `name`.
/// All numbers are big-endian. The format is AppleDouble 2 (RFC 1740, appendix A and B) with the
/// extension of xnu's `bsd/vfs/vfs_xattr.c`: 32 bytes of Finder information and two of
/// padding may be followed by `ATTR` and a list of attributes.
public struct AppleDouble: Hashable, Sendable {
  /// A part of the file.
  public struct Entry: Hashable, Sendable {
    /// 9 is Finder information, 2 the resource fork; others are Netatalk's.
    public let type: UInt32
    /// In bytes of the file.
    public let range: Range<Int>
  }

  public struct Attribute: Hashable, Sendable {
    /// The name as macOS has it, without a NUL: `com.apple.quarantine`.
    public let name: [UInt8]
    public let flags: UInt16
    /// Of the value, in bytes of the file.
    public let range: Range<Int>
  }

  /// The parts, in the order of the file.
  public let entries: [Entry]
  /// The Finder information: 32 bytes, or none where there is no such entry.
  public let finderInfo: [UInt8]
  /// The attributes, in the order of the file.
  public let attributes: [Attribute]
  /// Of the whole file, in bytes.
  private let length: Int
  /// Where the list of attributes stands, its header included; `nil` if there is no list.
  private let list: Range<Int>?

  /// The length of the head of a file: macOS reads no list of attributes that goes on after it.
  public static let headLimit = 65536
  /// The longest name of an attribute, in bytes.
  public static let nameLimit = 127
  /// The longest value of an attribute, in bytes.
  public static let valueLimit = 16 << 20
  public static let finderInfoType: UInt32 = 9
  public static let resourceForkType: UInt32 = 2

  static let magic: UInt32 = 0x0005_1607
  static let appleSingleMagic: UInt32 = 0x0005_1600
  static let version: UInt32 = 0x0002_0000
  static let attributesMagic: UInt32 = 0x4154_5452
  static let finderInfoLength = 32
  static let headerLength = 26
  static let entryLength = 12
  /// Counted from the start of the Finder information: its 32 bytes and two of padding.
  static let attributesOffset = 34
  static let attributesHeaderLength = 36
  /// Of these, the fields that stand before those that are reserved.
  private static let attributesFieldsLength = 20
  private static let fewAttributes = 32

  /// Reads the head of a file.
  ///
  /// The filler is not checked, since each writer puts another text there.
  ///
  /// - Parameters:
  ///   - head: the file's first bytes, `headLimit` of them where it has more.
  ///   - length: of the whole file.
  /// - Throws: `MarkFailure`, with the offset of the field that is wrong.
  public init(head: [UInt8], length: Int) throws(MarkFailure) {
    let bytes = BigEndianBytes(head: head, length: length)
    let magic: UInt32 = try bytes.number(at: 0)
    guard magic == Self.magic else {
      throw MarkFailure(magic == Self.appleSingleMagic ? .appleSingle : .notAppleDouble, at: 0)
    }
    guard try bytes.number(at: 4) as UInt32 == Self.version else {
      throw MarkFailure(.version, at: 4)
    }
    self.length = length
    entries = try Self.entries(bytes)
    guard let finderInfo = entries.first(where: { $0.type == Self.finderInfoType }) else {
      self.finderInfo = []
      attributes = []
      list = nil
      return
    }
    let start = finderInfo.range.lowerBound
    self.finderInfo = try bytes.bytes(start..<(start + Self.finderInfoLength))
    (attributes, list) = try Self.attributes(bytes, finderInfo.range)
  }

  /// Reads a file that is in memory whole.
  public init(_ file: [UInt8]) throws(MarkFailure) {
    try self.init(head: Array(file.prefix(Self.headLimit)), length: file.count)
  }

  /// The entry of a type, the first where there are several.
  public func entry(_ type: UInt32) -> Entry? { entries.first { $0.type == type } }

  private static func entries(_ bytes: BigEndianBytes) throws(MarkFailure) -> [Entry] {
    let count: UInt16 = try bytes.number(at: 24)
    var entries: [Entry] = []
    for index in 0..<Int(count) {
      let position = headerLength + index * entryLength
      let type: UInt32 = try bytes.number(at: position)
      let offset: UInt32 = try bytes.number(at: position + 4)
      let length: UInt32 = try bytes.number(at: position + 8)
      guard length == 0 || Int(offset) + Int(length) <= bytes.length else {
        throw MarkFailure(.entryOutside, at: position)
      }
      if type == finderInfoType, length < finderInfoLength {
        throw MarkFailure(.finderInfo, at: position + 8)
      }
      entries.append(Entry(type: type, range: Int(offset)..<(Int(offset) + Int(length))))
    }
    return entries
  }

  private static func attributes(
    _ bytes: BigEndianBytes, _ finderInfo: Range<Int>
  ) throws(MarkFailure) -> (attributes: [Attribute], list: Range<Int>?) {
    let header = finderInfo.lowerBound + attributesOffset
    // Other writers make the entry larger and put other bytes, or none, after the information.
    guard header + attributesHeaderLength <= finderInfo.upperBound,
      try bytes.number(at: header) as UInt32 == attributesMagic
    else { return ([], nil) }
    let count: UInt16 = try bytes.number(at: header + 34)
    var attributes: [Attribute] = []
    var names: Set<[UInt8]> = []
    var position = header + attributesHeaderLength
    for _ in 0..<Int(count) {
      let attribute = try attribute(bytes, at: position)
      // Comparing a few names takes less than hashing them.
      if attributes.count == fewAttributes { names = Set(attributes.map(\.name)) }
      let isNew =
        attributes.count < fewAttributes
        ? !attributes.contains { $0.name == attribute.name }
        : names.insert(attribute.name).inserted
      guard isNew else {
        throw MarkFailure(.duplicateName, at: position)
      }
      attributes.append(attribute)
      position += attributeEntryLength(attribute.name.count)
    }
    // The last entry's padding may be where the file ends.
    return (attributes, header..<min(position, bytes.length))
  }

  /// The length of an attribute's entry in the list; `nameLength` does not count the NUL.
  static func attributeEntryLength(_ nameLength: Int) -> Int { (11 + nameLength + 1 + 3) & ~3 }

  private static func attribute(
    _ bytes: BigEndianBytes, at position: Int
  ) throws(MarkFailure) -> Attribute {
    let offset: UInt32 = try bytes.number(at: position)
    let length: UInt32 = try bytes.number(at: position + 4)
    let flags: UInt16 = try bytes.number(at: position + 8)
    let nameLength: UInt8 = try bytes.number(at: position + 10)
    guard nameLength >= 2, nameLength <= nameLimit + 1 else {
      throw MarkFailure(.attributeName, at: position + 10)
    }
    let start = position + 11
    let name = try bytes.bytes(start..<(start + Int(nameLength)))
    guard name.firstIndex(of: 0) == name.count - 1 else {
      throw MarkFailure(.attributeName, at: start)
    }
    guard length <= valueLimit else { throw MarkFailure(.valueTooLong, at: position + 4) }
    // Without a value the offset means nothing, and some writers leave it zero.
    guard length == 0 || Int(offset) + Int(length) <= bytes.length else {
      throw MarkFailure(.valueOutside, at: position)
    }
    return Attribute(
      name: Array(name.dropLast()), flags: flags, range: Int(offset)..<(Int(offset) + Int(length)))
  }

  /// The entries that are not empty, without that of the Finder information.
  package var otherEntries: [Entry] {
    let info = entries.firstIndex { $0.type == Self.finderInfoType }
    return entries.indices.compactMap { index in
      index == info || entries[index].range.isEmpty ? nil : entries[index]
    }
  }

  /// A longer run of zeros is no padding: macOS pads to 4096 bytes.
  private static let paddingLimit = 1 << 20

  /// The range after the Finder information where no list of attributes is; `nil` if that is
  /// padding.
  ///
  /// - Parameter bytes: reads a range of the file.
  package func excess<Failure: Error>(
    _ bytes: (Range<Int>) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Range<Int>? {
    guard list == nil, let info = entry(Self.finderInfoType)?.range else { return nil }
    let rest = info.dropFirst(Self.finderInfoLength)
    guard rest.count <= Self.paddingLimit else { return rest }
    return try bytes(rest).allSatisfy { $0 == 0 } ? nil : rest
  }

  /// The ranges that belong to no field of the format, no entry and no value, in the order of the
  /// file. Zeros before the end of the last entry or value are padding.
  ///
  /// - Parameter bytes: reads a range of the file.
  package func unnamed<Failure: Error>(
    _ bytes: (Range<Int>) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var end = 0
    var padding = 0
    for range in known.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end {
        let gap = end..<range.lowerBound
        padding += gap.count
        let isRead = padding <= Self.paddingLimit
        let isPadding = try isRead ? bytes(gap).allSatisfy { $0 == 0 } : false
        if !isPadding { ranges.append(gap) }
      }
      end = max(end, range.upperBound)
    }
    return end < length ? ranges + [end..<length] : ranges
  }

  /// What is understood, or is another entry's content.
  private var known: [Range<Int>] {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(entries.count + attributes.count + 5)
    ranges.append(0..<(Self.headerLength + entries.count * Self.entryLength))
    for entry in otherEntries { ranges.append(entry.range) }
    for attribute in attributes where !attribute.range.isEmpty { ranges.append(attribute.range) }
    guard let info = entry(Self.finderInfoType)?.range else { return ranges }
    guard let list else { return ranges + [info] }
    let reserved = (list.lowerBound + Self.attributesFieldsLength)..<(list.lowerBound + 34)
    ranges += [
      info.prefix(Self.finderInfoLength), list.lowerBound..<reserved.lowerBound,
      reserved.upperBound..<list.upperBound, info.upperBound..<info.upperBound,
    ]
    return ranges
  }

  /// The length of the fork that stands for a missing resource fork.
  public static let blankForkLength = 286

  /// Whether a resource fork is the one that xnu's `vfs_xattr.c` writes where there is none, byte by
  /// byte.
  public static func isBlankFork(_ fork: [UInt8]) -> Bool {
    // No data and a map of 30 bytes, both at 256; a text stands where the system has room.
    let header: [UInt8] = [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 30]
    let text = header + "This resource fork intentionally left blank   ".utf8
    let map = header + [0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0, 30, 0xff, 0xff]
    return fork == text + [UInt8](repeating: 0, count: 256 - text.count) + map
  }
}

/// Numbers in the first bytes of a file.
private struct BigEndianBytes {
  let head: [UInt8]
  /// Of the whole file.
  let length: Int

  func number<Number: FixedWidthInteger>(at offset: Int) throws(MarkFailure) -> Number {
    let end = offset + Number.bitWidth / 8
    try check(offset, end)
    return head[offset..<end].reduce(0) { $0 << 8 | Number($1) }
  }

  func bytes(_ range: Range<Int>) throws(MarkFailure) -> [UInt8] {
    try check(range.lowerBound, range.upperBound)
    return Array(head[range])
  }

  private func check(_ start: Int, _ end: Int) throws(MarkFailure) {
    guard end <= length else { throw MarkFailure(.truncated, at: min(start, length)) }
    guard end <= head.count else { throw MarkFailure(.headTooLong, at: start) }
  }
}
