/// Why bytes cannot be read as a binary property list, and where.
public struct DecodingFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: Reason
  /// The offset of the wrong byte, or of the object that it belongs to.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What is wrong with the bytes.
  public struct Reason: Hashable, Sendable {
    private enum Kind: Hashable {
      case fixed(StaticText)
      case version(UInt8, UInt8)
      case marker(UInt8)
    }

    private let kind: Kind

    private init(_ text: StaticString) {
      kind = .fixed(StaticText(text))
    }

    private init(_ kind: Kind) {
      self.kind = kind
    }
  }
}

extension DecodingFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String { "\(reason) (at byte \(offset))" }
}

extension DecodingFailure.Reason {
  /// The bytes do not begin with `bplist`.
  public static let notBinaryPropertyList = Self("not a binary property list")
  /// There are fewer bytes than the header, one object, its offset and the trailer take.
  public static let tooShort = Self("too short for a binary property list")
  /// There are more bytes than the index of objects can address (one terabyte).
  public static let tooLarge = Self("too large")
  /// The trailer gives offsets a size other than 1 to 8 bytes.
  public static let offsetSize = Self("offsets are not 1 to 8 bytes wide")
  /// The trailer gives references a size other than 1 to 8 bytes.
  public static let referenceSize = Self("references are not 1 to 8 bytes wide")
  /// The offsets are too narrow to reach all bytes before the offset table.
  public static let offsetSizeTooSmall = Self("offsets are too narrow for the objects")
  /// The references are too narrow to name all objects.
  public static let referenceSizeTooSmall = Self("references are too narrow for the objects")
  /// The trailer counts no objects.
  public static let noObjects = Self("no objects")
  /// The trailer counts more objects than there are bytes.
  public static let objectCount = Self("more objects than bytes")
  /// The offset table begins before the first object could end, or inside the trailer.
  public static let tableOutside = Self("the offset table is outside the data")
  /// The offset table does not end where the trailer begins.
  public static let tableLength = Self("the offset table does not end at the trailer")
  /// One byte `00` follows the trailer; ``DecodingOptions/toleratesTrailingNUL`` lets it pass.
  public static let trailingNUL = Self("a NUL follows the trailer")
  /// The number of the root is not that of an object.
  public static let rootOutside = Self("the root is not one of the objects")
  /// An object begins outside the bytes between header and offset table.
  public static let objectOutside = Self("an object is outside the data")
  /// A container refers to an object that is not in the table.
  public static let referenceOutside = Self("a reference does not refer to an object")
  /// An object continues past the begin of the offset table.
  public static let objectTruncated = Self("an object is cut off by the offset table")
  /// The count of an object is not an integer object.
  public static let countType = Self("a count is not an integer")
  /// The count of an object is an integer of 16 bytes or more.
  public static let countWidth = Self("a count is wider than 8 bytes")
  /// The count of an object asks for more bytes than are left.
  public static let countTooLarge = Self("a count exceeds the remaining bytes")
  /// An integer has a width other than 1, 2, 4, 8 or 16 bytes.
  public static let integerWidth = Self("an integer has an unknown width")
  /// A floating-point number has a width other than 4 or 8 bytes.
  public static let realWidth = Self("a floating-point number has an unknown width")
  /// A date has a width other than 8 bytes.
  public static let dateWidth = Self("a date has an unknown width")
  /// A UID has more than 8 bytes.
  public static let uidWidth = Self("a UID is wider than 8 bytes")
  /// A string has half a surrogate pair.
  public static let loneSurrogate = Self("a string has a lone surrogate")
  /// A dictionary's key is not a string.
  public static let keyType = Self("a dictionary key is not a string")
  /// A dictionary has two keys with the same text.
  public static let duplicateKey = Self("a dictionary key occurs twice")
  /// A container contains itself.
  public static let cycle = Self("a container contains itself")
  /// Containers are nested deeper than the limit.
  public static let tooDeep = Self("containers are nested too deeply")
  /// The objects' lengths add up to more bytes than there are, so some objects overlap.
  public static let overlap = Self("objects overlap")
  /// A tree of the values would exceed ``DecodingOptions/expansionLimit``.
  public static let expansion = Self("shared objects expand to too many values")

  /// The header names a version other than `00`.
  public static func version(_ first: UInt8, _ second: UInt8) -> Self {
    Self(.version(first, second))
  }

  /// An object begins with a byte that is no known type, or a type that no writer uses.
  public static func marker(_ marker: UInt8) -> Self {
    Self(.marker(marker))
  }
}

extension DecodingFailure.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch kind {
    case .fixed(let text): return text.description
    case .version(let first, let second):
      let version = Self.printable(first) + Self.printable(second)
      switch version {
      case "01": return "unsupported version 01 of binary property lists"
      case "15", "16", "17":
        return "unsupported version \(version): another format of CoreFoundation"
      default: return "unsupported version \(version)"
      }
    case .marker(let marker):
      let digits = String(marker, radix: 16)
      let name = (marker < 0x10 ? "0" : "") + digits
      switch marker {
      case 0x0c, 0x0d: return "unsupported object type \(name), a URL"
      case 0x0e: return "unsupported object type \(name), a UUID"
      case 0x0f: return "unsupported object type \(name), a fill byte"
      default: return "unknown object type \(name)"
      }
    }
  }

  private static func printable(_ byte: UInt8) -> String {
    (0x21...0x7e).contains(byte)
      ? String(UnicodeScalar(byte))
      : "\\x" + String(byte / 16, radix: 16) + String(byte % 16, radix: 16)
  }
}

/// A literal that can be compared, so that making a failure needs no allocation.
private struct StaticText: Hashable, Sendable, CustomStringConvertible {
  private let text: StaticString

  init(_ text: StaticString) {
    self.text = text
  }

  var description: String { text.description }

  static func == (one: StaticText, other: StaticText) -> Bool {
    one.description == other.description
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}

/// What a reader of binary property lists tolerates, and how much it will take on.
///
/// By default it is strict.
public struct DecodingOptions: Hashable, Sendable {
  /// Whether one byte `00` may follow the trailer.
  ///
  /// Samba stores the bytes of a named stream with a NUL appended.
  public var toleratesTrailingNUL = false

  /// Whether half a surrogate pair is read as U+FFFD, instead of refused.
  ///
  /// CoreFoundation writes a string that was cut inside a pair with the half that is left.
  public var replacesLoneSurrogates = false

  /// Whether the first of equal keys counts, instead of the dictionary being refused.
  ///
  /// CoreFoundation reads such dictionaries this way.
  public var keepsFirstOfDuplicateKeys = false

  /// Whether flaws are passed over that CoreFoundation, libplist and plistlib pass over.
  ///
  /// Objects may then overlap, as long as all of them together are at most
  /// ``overlapLimit`` times as long as the bytes; objects that the root does not reach may contain
  /// themselves; counts may be integers of 16 bytes, keys integers, which are read as their
  /// digits, and the version may be any that begins with `0`. The work stays linear in the bytes.
  public var toleratesFlaws = false

  /// How deep containers may be nested; a scalar has depth 0.
  ///
  /// A limit above ``maximumDepth`` counts as that: releasing or comparing a tree of values uses
  /// stack for each level.
  public var depthLimit = maximumDepth {
    didSet { depthLimit = min(depthLimit, Self.maximumDepth) }
  }

  /// How many values a tree may have beyond one for each byte that was read.
  ///
  /// A shared container is one object in the bytes, but a value at each of its places in the tree,
  /// and again for each walk over the tree: sixty arrays, each twice in the next, are 282 bytes and
  /// 2^60 values. The index of objects keeps them shared and has no such limit. No known writer
  /// shares containers, so the lists of all of them stay below one value a byte.
  public var expansionLimit = defaultExpansionLimit

  /// Whether 64 characters of text, or bytes of data, count as one more value against
  /// ``expansionLimit``, at each of their places in the tree.
  ///
  /// Every writer of property lists shares equal strings, and so does the tree: a repeated text
  /// takes no more memory. But whoever writes or prints the tree repeats the text at each place:
  /// 44 KB of untrusted input can become 420 MB of output.
  public var countsText = false

  /// Makes the strict options.
  public init() {}

  /// The options that pass over all flaws that other readers pass over.
  public static let lenient = {
    var options = DecodingOptions()
    options.toleratesTrailingNUL = true
    options.replacesLoneSurrogates = true
    options.keepsFirstOfDuplicateKeys = true
    options.toleratesFlaws = true
    return options
  }()

  /// How much longer than the bytes overlapping objects may be in all, for
  /// ``toleratesFlaws``: no writer shares bytes between more objects than a few.
  public static let overlapLimit = 8

  /// The deepest nesting that is ever read or written: four times what real files show.
  public static let maximumDepth = 512

  /// The default of ``expansionLimit``.
  public static let defaultExpansionLimit = 1_000_000
}
