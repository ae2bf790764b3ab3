public import BinaryPropertyList

/// Why bytes are not the mark of origin that they should be, and where.
public struct MarkFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: Reason
  /// The offset of the byte that is wrong, or of the field or line that is.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The failure in words.
  public var description: String { "\(reason) (at byte \(offset))" }

  /// What is wrong with a mark.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    private init(_ description: String) { self.description = description }
  }
}

extension MarkFailure.Reason {
  public static let notAppleDouble = Self("not an AppleDouble file")
  public static let appleSingle = Self("an AppleSingle file, which also holds the content")
  public static let version = Self("unsupported version of AppleDouble")
  public static let truncated = Self("the file is truncated")
  public static let headTooLong = Self("the list of attributes extends past the first 65536 bytes")
  public static let entryOutside = Self("an entry is outside the file")
  public static let finderInfo = Self("the Finder information is shorter than 32 bytes")
  public static let attributeName = Self(
    "an attribute's name is empty, unterminated, or longer than 127 bytes")
  public static let duplicateName = Self("an attribute's name occurs twice")
  public static let valueOutside = Self("an attribute's value is outside the file")
  public static let valueTooLong = Self("an attribute's value is longer than 16 MiB")
  public static let unnamed = Self("content outside its entries")
  public static let tooLong = Self("too long")
  public static let tooMuch = Self("more than 16 MiB of marks")
  public static let empty = Self("empty")
  public static let notUTF8 = Self("not UTF-8")
  public static let notUTF16 = Self("not UTF-16")
  /// A NUL stands elsewhere than at the end, where Samba puts one.
  public static let nul = Self("the text contains a NUL character")
  public static let flags = Self("the flags are not one to eight hexadecimal digits")
  public static let time = Self("the time is not one to sixteen hexadecimal digits")
  public static let fieldCount = Self("the number of fields is not three or four")
  public static let escape = Self("'\\x' without two hexadecimal digits")
  public static let noSection = Self("no section [ZoneTransfer]")
  public static let noField = Self("no known field")
  public static let zone = Self("the zone is not a number from 0 to 4")
  public static let length = Self("the value has the wrong length")
  public static let notArray = Self("not an array")
  public static let element = Self("an element has the wrong type")
  public static let noElement = Self("the array is empty")
  public static let noSource = Self("not a dictionary with a field of a document source")
  public static let xml = Self("not well-formed XML")
  public static let notXBEL = Self("not a list of bookmarks (XBEL)")
  public static let entities = Self("the document declares entities")
  public static let declarations = Self("the document type contains declarations")
  public static let longTag = Self("a tag, a reference or the document type is longer than 64 KiB")
  public static let attributes = Self("a tag has more than 256 attributes")
  public static let namespaces = Self("more than 256 namespaces are in scope in one place")
  public static let names = Self("more than 50000 different names")
  public static let tooMany = Self("too many bookmarks")
  /// A value is no share item, in words.
  package static func item(_ words: String) -> Self { Self(words) }
  /// A value is no binary property list that can be read.
  public static func propertyList(_ reason: DecodingFailure.Reason) -> Self {
    Self(reason.description)
  }
}
