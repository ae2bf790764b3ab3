public import BinaryPropertyList

/// A type that an application declares, as an Info.plist has it.
public struct TypeDeclaration: Hashable, Sendable {
  public var identifier: String
  /// The types that it conforms to.
  public var parents: [String]
  /// Extensions of file names, without their periods.
  public var extensions: [String]
  public var mimeTypes: [String]

  public init(
    identifier: String, parents: [String] = [], extensions: [String] = [],
    mimeTypes: [String] = []
  ) {
    self.identifier = identifier
    self.parents = parents
    self.extensions = extensions
    self.mimeTypes = mimeTypes
  }

  /// Why a property list declares no types.
  public struct Failure: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String
  }

  private static let arrays = ["UTExportedTypeDeclarations", "UTImportedTypeDeclarations"]

  /// The declarations in a property list: those below `UTExportedTypeDeclarations` and
  /// `UTImportedTypeDeclarations` of a dictionary such as an Info.plist, which may lack both, or an
  /// array of declarations.
  ///
  /// - Throws: `Failure` for what is no declaration where one ought to be.
  public static func all(in list: PropertyList) throws(Failure) -> [TypeDeclaration] {
    switch list {
    case .array(let elements): return try declarations(elements, "")
    case .dictionary(let dictionary):
      var found: [TypeDeclaration] = []
      for key in arrays {
        guard let value = dictionary[key] else { continue }
        guard case .array(let elements) = value else {
          throw Failure(description: "\(key) is not an array")
        }
        found += try declarations(elements, key)
      }
      return found
    default: throw Failure(description: "neither a dictionary nor an array of type declarations")
    }
  }

  private static func declarations(
    _ elements: [PropertyList], _ key: String
  ) throws(Failure) -> [TypeDeclaration] {
    var found: [TypeDeclaration] = []
    for (number, element) in elements.enumerated() {
      do throws(Failure) {
        found.append(try TypeDeclaration(element))
      } catch {
        let place = key.isEmpty ? "declaration \(number + 1)" : "\(key), declaration \(number + 1)"
        throw Failure(description: "\(place): \(error)")
      }
    }
    return found
  }

  private init(_ list: PropertyList) throws(Failure) {
    guard case .dictionary(let dictionary) = list else {
      throw Failure(description: "not a dictionary")
    }
    guard case .string(let identifier)? = dictionary["UTTypeIdentifier"] else {
      throw Failure(description: "UTTypeIdentifier is missing or not a string")
    }
    guard Self.isIdentifier(identifier) else {
      throw Failure(
        description: "UTTypeIdentifier may have only letters, digits, hyphens and periods, and at"
          + " most 255 of them")
    }
    let parents = try Self.strings(dictionary["UTTypeConformsTo"], "UTTypeConformsTo")
    guard parents.allSatisfy(Self.isIdentifier) else {
      throw Failure(description: "UTTypeConformsTo has an element that is no type identifier")
    }
    self.init(identifier: identifier, parents: parents)
    guard let tags = dictionary["UTTypeTagSpecification"] else { return }
    guard case .dictionary(let tags) = tags else {
      throw Failure(description: "UTTypeTagSpecification is not a dictionary")
    }
    extensions = try Self.strings(
      tags["public.filename-extension"], "public.filename-extension")
    mimeTypes = try Self.strings(tags["public.mime-type"], "public.mime-type")
  }

  /// A string stands for an array of one, as Apple's systems read it.
  private static func strings(
    _ value: PropertyList?, _ key: String
  ) throws(Failure) -> [String] {
    switch value {
    case nil: return []
    case .string(let text): return [text]
    case .array(let elements):
      let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      if texts.count == elements.count { return texts }
    default: break
    }
    throw Failure(description: "\(key) is neither a string nor an array of strings")
  }

  /// As Apple's documentation has it, with all letters of Unicode beyond ASCII.
  private static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
          true
        default: false
        }
      }
  }
}
