/// The whole content of an AppleDouble file, to be written.
public struct AppleDoubleContent: Hashable, Sendable {
  public struct Attribute: Hashable, Sendable {
    /// The name as macOS has it, without a NUL.
    public let name: [UInt8]
    public let flags: UInt16
    public var value: [UInt8]

    public init(name: [UInt8], flags: UInt16 = 0, value: [UInt8]) {
      self.name = name
      self.flags = flags
      self.value = value
    }
  }

  /// A part of the file other than Finder information.
  public struct Part: Hashable, Sendable {
    public let type: UInt32
    public let bytes: [UInt8]

    public init(type: UInt32, bytes: [UInt8]) {
      self.type = type
      self.bytes = bytes
    }
  }

  /// A larger file is not rewritten.
  public static let rewritingLimit = 64 << 20

  /// 32 bytes; fewer are padded with zeros. A file without attributes may have more, whose meaning
  /// is unknown.
  public var finderInfo: [UInt8]
  public var attributes: [Attribute]
  public var parts: [Part]

  public init(
    finderInfo: [UInt8] = [], attributes: [Attribute] = [], parts: [Part] = []
  ) {
    self.finderInfo = finderInfo
    self.attributes = attributes
    self.parts = parts
  }

  /// Reads a file whole. The blank resource fork that xnu writes stands for none.
  ///
  /// - Throws: `MarkFailure`, also where parts overlap so much that they have more bytes than the
  ///   file, and where bytes belong to no part.
  public init(_ file: [UInt8]) throws(MarkFailure) {
    let head = try AppleDouble(file)
    if let unnamed = head.unnamed({ Array(file[$0]) }).first {
      throw MarkFailure(.unnamed, at: unnamed.lowerBound)
    }
    let excess = head.excess { Array(file[$0]) }
    let ranges =
      [excess ?? 0..<0] + head.otherEntries.map(\.range) + head.attributes.map(\.range)
    guard ranges.reduce(head.finderInfo.count, { $0 + $1.count }) <= file.count else {
      throw MarkFailure(.tooLong, at: AppleDouble.headerLength)
    }
    finderInfo = head.finderInfo + (excess.map { Array(file[$0]) } ?? [])
    attributes = head.attributes.map { attribute in
      let value = attribute.range.isEmpty ? [] : Array(file[attribute.range])
      return Attribute(name: attribute.name, flags: attribute.flags, value: value)
    }
    parts = head.otherEntries.compactMap { entry in
      let bytes = Array(file[entry.range])
      let isBlank = entry.type == AppleDouble.resourceForkType && AppleDouble.isBlankFork(bytes)
      return isBlank ? nil : Part(type: entry.type, bytes: bytes)
    }
  }

  /// Whether a file of it would say nothing.
  public var isEmpty: Bool {
    attributes.isEmpty && parts.isEmpty && finderInfo.allSatisfy { $0 == 0 }
  }

  /// Why something has no place in an AppleDouble file.
  public enum Excess: Error, Hashable, Sendable, CustomStringConvertible {
    /// Also for a name that is empty or has a NUL in it.
    case name
    case value, list, finderInfo, file

    public var description: String {
      switch self {
      case .name: "an attribute's name is longer than \(AppleDouble.nameLimit) bytes"
      case .value: "an attribute's value is longer than 16 MiB"
      case .list:
        "the list of attributes would extend past the first \(AppleDouble.headLimit) bytes"
      case .finderInfo: "other data is in the place of the attributes"
      case .file: "the file would be longer than 4 GiB"
      }
    }
  }

  /// The bytes of a file, laid out as copyfile(3) of macOS does: Finder information with the
  /// attributes after it, other parts, and last the resource fork, an empty one where there is
  /// none.
  public func encoded() throws(Excess) -> [UInt8] {
    for attribute in attributes {
      guard (1...AppleDouble.nameLimit).contains(attribute.name.count),
        !attribute.name.contains(0)
      else { throw .name }
      guard attribute.value.count <= AppleDouble.valueLimit else { throw .value }
    }
    let forks = parts.filter { $0.type == AppleDouble.resourceForkType }
    let none = Part(type: AppleDouble.resourceForkType, bytes: [])
    let others = parts.filter { $0.type != none.type } + (forks.isEmpty ? [none] : forks)
    let start = AppleDouble.headerLength + (1 + others.count) * AppleDouble.entryLength
    let info = try finderEntry(at: start)
    let length = others.reduce(start + info.count) { $0 + $1.bytes.count }
    guard UInt32(exactly: length) != nil else { throw .file }
    var file = Self.bytes(AppleDouble.magic) + Self.bytes(AppleDouble.version)
    file += "Mac OS X        ".utf8
    file += Self.bytes(UInt16(1 + others.count))
    var position = start
    for (type, count) in [(AppleDouble.finderInfoType, info.count)]
      + others.map({ ($0.type, $0.bytes.count) })
    {
      file += Self.bytes(type) + Self.bytes(UInt32(position)) + Self.bytes(UInt32(count))
      position += count
    }
    return others.reduce(into: file + info) { $0 += $1.bytes }
  }

  /// The Finder information, and after it the attributes where there are any.
  private func finderEntry(at start: Int) throws(Excess) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: AppleDouble.attributesOffset)
    let length = AppleDouble.finderInfoLength
    var entry = finderInfo + zeros.dropFirst(finderInfo.count)
    if attributes.isEmpty { return Array(entry.prefix(max(length, finderInfo.count))) }
    guard finderInfo.count <= length else { throw .finderInfo }
    let listStart = start + entry.count + AppleDouble.attributesHeaderLength
    let dataStart = attributes.reduce(listStart) {
      $0 + AppleDouble.attributeEntryLength($1.name.count)
    }
    guard dataStart <= AppleDouble.headLimit, attributes.count <= UInt16.max else { throw .list }
    let dataLength = attributes.reduce(0) { $0 + $1.value.count }
    guard let total = UInt32(exactly: dataStart + dataLength) else { throw .file }
    entry += Self.bytes(AppleDouble.attributesMagic) + Self.bytes(UInt32(0)) + Self.bytes(total)
    entry += Self.bytes(UInt32(dataStart)) + Self.bytes(UInt32(dataLength))
    entry += [UInt8](repeating: 0, count: 12) + Self.bytes(UInt16(0))
    entry += Self.bytes(UInt16(attributes.count))
    var position = dataStart
    for attribute in attributes {
      let length = AppleDouble.attributeEntryLength(attribute.name.count)
      let fields =
        Self.bytes(UInt32(position)) + Self.bytes(UInt32(attribute.value.count))
        + Self.bytes(attribute.flags) + [UInt8(attribute.name.count + 1)] + attribute.name
      entry += fields + [UInt8](repeating: 0, count: length - fields.count)
      position += attribute.value.count
    }
    return attributes.reduce(into: entry) { $0 += $1.value }
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
  }

  /// Adds an attribute by its name on macOS, unless there is one of that name already.
  package mutating func add(_ name: [UInt8], _ value: [UInt8]) {
    if name.elementsEqual(ForeignAttributes.finderInfoName.utf8) {
      if finderInfo.isEmpty { finderInfo = value }
    } else if !attributes.contains(where: { $0.name == name }) {
      attributes.append(Attribute(name: name, value: value))
    }
  }

  /// This content, with the values of another in the place of its own.
  package func replacing(_ other: AppleDoubleContent) -> AppleDoubleContent {
    var result = self
    if other.finderInfo.contains(where: { $0 != 0 }) { result.finderInfo = other.finderInfo }
    for attribute in other.attributes {
      if let position = result.attributes.firstIndex(where: { $0.name == attribute.name }) {
        result.attributes[position].value = attribute.value
      } else {
        result.attributes.append(attribute)
      }
    }
    return result
  }

  /// Whether this content includes all of another.
  package func keeps(_ other: AppleDoubleContent) -> Bool {
    let keepsInfo = other.finderInfo.allSatisfy { $0 == 0 } || finderInfo == other.finderInfo
    return keepsInfo && other.parts == parts
      && other.attributes.allSatisfy { attributes.contains($0) }
  }
}
