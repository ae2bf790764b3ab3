public import Xattr

/// The attributes of another system, by the names that they get on Linux.
public struct ForeignAttributes: Sendable {
  public private(set) var attributes: [ForeignCarrier.Attribute] = []
  /// What cannot be an attribute of Linux, in words.
  public private(set) var remainder: [String] = []
  /// How many bytes the values have together.
  public private(set) var size = 0

  /// No attribute of Linux has a longer value (`XATTR_SIZE_MAX`).
  public static let valueLimit = 65536
  /// More bytes of one file's attributes are not taken: values in a file may overlap.
  public static let limit = 16 << 20
  /// What macOS shows Finder information as.
  static let finderInfoName = "com.apple.FinderInfo"
  /// By these, programs and the kernel direct file systems, which no document has a say in.
  private static let reserved = ["overlay.", "fuseoverlayfs.", "containers."]

  public init() {}

  /// The name that an attribute gets; `nil` where Linux could not store it, or it is reserved.
  public static func nativeName(_ name: some Collection<UInt8>) -> AttributeName? {
    guard !reserved.contains(where: { name.starts(with: $0.utf8) }) else { return nil }
    return AttributeName(bytes: (Array("user.".utf8) + Array(name))[...])
  }

  /// Takes an attribute in by the name that it has on a Mac.
  ///
  /// - Parameter length: of the whole value; `read` is called where Linux can store it.
  public mutating func add<Failure: Error>(
    _ name: [UInt8], length: Int, _ read: () throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let shown = String(decoding: name, as: UTF8.self)
    guard let native = Self.nativeName(name) else {
      remainder.append("an attribute that may not be stored, \(shown)")
      return
    }
    guard length <= Self.valueLimit else {
      remainder.append("an attribute too large to be stored, \(shown) (\(length) bytes)")
      return
    }
    guard size + length <= Self.limit else {
      remainder.append("more than \(Self.limit >> 20) MiB of attributes, among them \(shown)")
      return
    }
    size += length
    let value = try read()
    guard value.count == length else {
      remainder.append("an attribute cut short, \(shown)")
      return
    }
    attributes.append(ForeignCarrier.Attribute(name: native, value: value))
  }

  /// Takes in all that an AppleDouble file holds.
  ///
  /// Finder information becomes the attribute as which a Mac shows it. A resource fork remains,
  /// unless it is the blank one that the kernel of macOS writes.
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
      remainder.append("other Finder information (\(excess.count) bytes)")
    }
    for attribute in file.attributes {
      try add(attribute.name, length: attribute.range.count) { () throws(Failure) in
        attribute.range.isEmpty ? [] : try bytes(attribute.range)
      }
    }
    for entry in file.otherEntries {
      switch entry.type {
      case AppleDouble.resourceForkType:
        if entry.range.count == AppleDouble.blankForkLength,
          AppleDouble.isBlankFork(try bytes(entry.range))
        {
          continue
        }
        remainder.append("a resource fork (\(entry.range.count) bytes)")
      default:
        remainder.append("an entry of type \(entry.type) (\(entry.range.count) bytes)")
      }
    }
  }
}
