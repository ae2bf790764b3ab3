public import BinaryPropertyList

/// Why bytes are not the mark of origin that they should be, and where.
public struct MarkFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public let reason: Reason
  /// The offset of the byte that is wrong, or of the field or line that is.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension MarkFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String { "\(reason) (at byte \(offset))" }
}

extension MarkFailure {
  /// What is wrong with a mark.
  public struct Reason: Hashable, Sendable {
    private enum Kind: Hashable {
      case flaw(Flaw)
      case propertyList(DecodingFailure.Reason)
    }

    private enum Flaw: String {
      case notAppleDouble = "not an AppleDouble file"
      case appleSingle = "an AppleSingle file, which holds the content too"
      case version = "unsupported version of AppleDouble"
      case truncated = "the file ends too early"
      case headTooLong = "the list of attributes does not end within 65536 bytes"
      case entryOutside = "an entry lies outside the file"
      case finderInfo = "the Finder information is shorter than 32 bytes"
      case attributeName = "an attribute's name is empty, not ended, or longer than 127 bytes"
      case duplicateName = "an attribute's name occurs twice"
      case valueOutside = "an attribute's value lies outside the file"
      case valueTooLong = "an attribute's value is longer than 16 MiB"
      case tooLong = "too long"
      case tooMuch = "more than 16 MiB of marks"
      case empty = "empty"
      case notUTF8 = "not UTF-8"
      case notUTF16 = "not UTF-16"
      case nul = "a NUL stands in the text"
      case flags = "the flags are not one to eight hexadecimal digits"
      case time = "the time is not one to sixteen hexadecimal digits"
      case fieldCount = "there are not three or four fields"
      case escape = "'\\x' stands without two hexadecimal digits"
      case noSection = "there is no section [ZoneTransfer]"
      case noField = "there is no known field"
      case zone = "the zone is not a number from 0 to 4"
      case length = "the value has another length"
      case notArray = "not an array"
      case element = "an element is of another type"
      case noElement = "the array is empty"
      case noSource = "no dictionary with a field of a document source"
      case xml = "not well-formed XML"
      case notXBEL = "not a list of bookmarks (XBEL)"
      case entities = "entities are declared"
      case declarations = "the document type has declarations of its own"
      case longTag = "a tag, a reference or the document type is longer than 64 KiB"
      case attributes = "a tag has more than 256 attributes"
      case namespaces = "more than 256 namespaces are declared around one place"
      case names = "there are more than 50000 different names"
      case tooMany = "there are too many bookmarks"
    }

    private let kind: Kind

    private init(_ flaw: Flaw) { kind = .flaw(flaw) }

    private init(_ kind: Kind) { self.kind = kind }
  }
}

extension MarkFailure.Reason {
  /// The bytes do not begin with the number of AppleDouble.
  public static let notAppleDouble = Self(.notAppleDouble)
  /// The bytes begin with the number of AppleSingle.
  public static let appleSingle = Self(.appleSingle)
  /// The version is not 2.
  public static let version = Self(.version)
  /// A field lies behind the end of the file.
  public static let truncated = Self(.truncated)
  /// Entries or attributes go on behind `AppleDouble.headLimit`.
  public static let headTooLong = Self(.headTooLong)
  /// An entry goes on behind the end of the file.
  public static let entryOutside = Self(.entryOutside)
  /// The entry of the Finder information has less than its 32 bytes.
  public static let finderInfo = Self(.finderInfo)
  /// The name of an attribute is empty, has no NUL at its end, or is too long.
  public static let attributeName = Self(.attributeName)
  /// Two attributes have the same name.
  public static let duplicateName = Self(.duplicateName)
  /// The value of an attribute goes on behind the end of the file.
  public static let valueOutside = Self(.valueOutside)
  /// The value of an attribute is longer than `AppleDouble.valueLimit`.
  public static let valueTooLong = Self(.valueTooLong)
  /// There are more bytes than any writer makes.
  public static let tooLong = Self(.tooLong)
  /// The marks beside a file have more than `ForeignAttributes.limit` bytes.
  public static let tooMuch = Self(.tooMuch)
  /// There is nothing, where something must be.
  public static let empty = Self(.empty)
  /// The bytes are no text.
  public static let notUTF8 = Self(.notUTF8)
  /// The bytes behind a byte order mark are no text.
  public static let notUTF16 = Self(.notUTF16)
  /// A NUL stands elsewhere than at the end, where Samba puts one.
  public static let nul = Self(.nul)
  /// The first field of a quarantine is no hexadecimal number of 32 bits.
  public static let flags = Self(.flags)
  /// The second field of a quarantine is no hexadecimal number of 64 bits.
  public static let time = Self(.time)
  /// A quarantine has less than three fields, or more than four.
  public static let fieldCount = Self(.fieldCount)
  /// The agent of a quarantine has an escape that means nothing.
  public static let escape = Self(.escape)
  /// A Zone.Identifier lacks its section.
  public static let noSection = Self(.noSection)
  /// The section of a Zone.Identifier has no field that means anything.
  public static let noField = Self(.noField)
  /// `ZoneId` is none of the zones.
  public static let zone = Self(.zone)
  /// A value of fixed length has another one.
  public static let length = Self(.length)
  /// A property list is no array.
  public static let notArray = Self(.notArray)
  /// An array's element is no text, or no date.
  public static let element = Self(.element)
  /// An array has no element.
  public static let noElement = Self(.noElement)
  /// A property list is no document source.
  public static let noSource = Self(.noSource)
  /// libxml2 cannot read it.
  public static let xml = Self(.xml)
  /// The XML is another document's.
  public static let notXBEL = Self(.notXBEL)
  /// The document type declares entities, which no desktop does.
  public static let entities = Self(.entities)
  /// The document type declares something else than entities.
  public static let declarations = Self(.declarations)
  /// A tag, a reference or the document type is longer than any writer makes it.
  public static let longTag = Self(.longTag)
  /// A tag has more attributes than any writer gives it.
  public static let attributes = Self(.attributes)
  /// An element and those around it declare more namespaces than any writer does.
  public static let namespaces = Self(.namespaces)
  /// Elements and attributes have more different names than any writer gives them.
  public static let names = Self(.names)
  /// There are more bookmarks than `RecentFiles.limit`.
  public static let tooMany = Self(.tooMany)

  /// A value is no binary property list that can be read.
  public static func propertyList(_ reason: DecodingFailure.Reason) -> Self {
    Self(.propertyList(reason))
  }
}

extension MarkFailure.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch kind {
    case .flaw(let flaw): flaw.rawValue
    case .propertyList(let reason): reason.description
    }
  }
}
