package import TextFormats

/// Uniform type identifiers and what each of them conforms to.
///
/// The types of Apple's systems are compiled in; ``init(adding:)`` adds others. Identifiers are
/// compared without regard to the case of ASCII letters. A type that the tree does not know conforms
/// only to itself.
public struct TypeTree: Sendable {
  /// A known type by a number, which is cheaper to compare than its identifier.
  package struct Code: Hashable, Sendable {
    package let rawValue: Int32
  }

  /// A type that was added, or that one of these names as its parent.
  private struct AddedType: Sendable {
    let identifier: String
    var parents: [Code] = []
    var extensions: [String] = []
    var mimeTypes: [String] = []
  }

  /// The most types that are added; the tree ignores what follows.
  public static let addedLimit = 20_000
  /// The most ancestors that a type has; nearer ones come first.
  public static let ancestorLimit = 256

  /// The types that are compiled in.
  public static let builtIn = TypeTree()

  private var added: [AddedType] = []
  private var places: [String: Int] = [:]
  /// Added types by an extension of file names, and by a MIME type.
  private var addedByExtension: [String: Code] = [:]
  private var addedByMIMEType: [String: Code] = [:]

  private init() {}

  /// The built-in types and others.
  ///
  /// A declaration of a built-in type adds extensions and MIME types to it, but no parents, as on
  /// Apple's systems. The first declaration of any other type counts.
  public init(adding declarations: [TypeDeclaration]) {
    var declared: Set<Code> = []
    for declaration in declarations where added.count < Self.addedLimit {
      let code = add(declaration.identifier)
      if place(of: code) != nil, declared.insert(code).inserted {
        let parents = declaration.parents.prefix(Self.ancestorLimit).map { add($0) }
        if let place = place(of: code) { added[place].parents = parents }
      }
      if let place = place(of: code) {
        added[place].extensions += declaration.extensions
        added[place].mimeTypes += declaration.mimeTypes
      }
      for name in declaration.extensions where addedByExtension[name.lowercasedASCII] == nil {
        addedByExtension[name.lowercasedASCII] = code
      }
      for name in declaration.mimeTypes where addedByMIMEType[name.lowercasedASCII] == nil {
        addedByMIMEType[name.lowercasedASCII] = code
      }
    }
  }

  /// The code of a type, which is added where it is not known.
  private mutating func add(_ identifier: String) -> Code {
    if let code = code(of: identifier) { return code }
    places[identifier.lowercasedASCII] = added.count
    added.append(AddedType(identifier: identifier))
    return Code(rawValue: Int32(typeTable.end + added.count - 1))
  }

  /// Where an added type stands; `nil` for a built-in one.
  private func place(of code: Code) -> Int? {
    let place = Int(code.rawValue) - typeTable.end
    return place >= 0 ? place : nil
  }

  /// The type by its number; `nil` if it is not known.
  package func code(of identifier: String) -> Code? {
    if let position = typeTable.position(of: identifier) { return Code(rawValue: Int32(position)) }
    if places.isEmpty { return nil }
    return places[identifier.lowercasedASCII].map { Code(rawValue: Int32(typeTable.end + $0)) }
  }

  package func identifier(of code: Code) -> String {
    if let place = place(of: code) { return added[place].identifier }
    return typeTable.word(0, ofLineAt: Int(code.rawValue)) ?? ""
  }

  /// The parents of a type, and the ancestors of these that the type itself has not.
  private func parents(of code: Code) -> (parents: [Code], exceptions: [Code]) {
    if let place = place(of: code) { return (added[place].parents, []) }
    var (parents, exceptions): ([Code], [Code]) = ([], [])
    for word in typeTable.words(1, ofLineAt: Int(code.rawValue)) {
      let isException = word.utf8.first == UInt8(ascii: "-")
      guard let position = typeTable.position(of: String(isException ? word.dropFirst() : word))
      else { continue }
      let parent = Code(rawValue: Int32(position))
      if isException { exceptions.append(parent) } else { parents.append(parent) }
    }
    return (parents, exceptions)
  }

  /// All types that a type conforms to besides itself, the nearest first.
  package func ancestors(of code: Code) -> [Code] {
    var (found, exceptions) = parents(of: code)
    if found.isEmpty { return [] }
    var seen = 0
    while seen < found.count, found.count < Self.ancestorLimit {
      let next = parents(of: found[seen])
      exceptions += next.exceptions
      for parent in next.parents
      where parent != code && !found.contains(parent) && !exceptions.contains(parent) {
        found.append(parent)
      }
      seen += 1
    }
    return found
  }
}

// The tree by identifiers.
extension TypeTree {
  /// Whether the tree knows a type.
  public func contains(_ identifier: String) -> Bool { code(of: identifier) != nil }

  /// The parents of a type; none where it is not known.
  public func parents(of identifier: String) -> [String] {
    code(of: identifier).map { parents(of: $0).parents.map(self.identifier(of:)) } ?? []
  }

  /// All types that a type conforms to besides itself, the nearest first.
  public func ancestors(of identifier: String) -> [String] {
    code(of: identifier).map { ancestors(of: $0).map(self.identifier(of:)) } ?? []
  }

  /// Whether a type is another one or below it.
  public func conforms(_ identifier: String, to ancestor: String) -> Bool {
    if identifier.lowercasedASCII == ancestor.lowercasedASCII { return true }
    guard let type = code(of: identifier), let other = code(of: ancestor) else { return false }
    return ancestors(of: type).contains(other)
  }

  /// All known types, the built-in ones in their order before the added ones.
  public var identifiers: [String] {
    typeTable.positions.compactMap { typeTable.word(0, ofLineAt: $0) } + added.map(\.identifier)
  }

  /// The extensions of file names of a type, without their periods; the usual one first.
  public func extensions(of identifier: String) -> [String] {
    guard let code = code(of: identifier) else { return [] }
    if let place = place(of: code) { return added[place].extensions }
    return typeTable.words(2, ofLineAt: Int(code.rawValue)).map(String.init)
  }

  /// The MIME types of a type.
  public func mimeTypes(of identifier: String) -> [String] {
    guard let code = code(of: identifier) else { return [] }
    if let place = place(of: code) { return added[place].mimeTypes }
    return typeTable.words(3, ofLineAt: Int(code.rawValue)).map(String.init)
  }

  /// The types that have an extension of file names, given without its period; added ones first.
  public func types(withExtension name: String) -> [String] {
    let name = name.lowercasedASCII
    let builtIn = typeTable.positions.filter { position in
      typeTable.words(2, ofLineAt: position).contains { $0 == name }
    }
    return (addedByExtension[name].map { [identifier(of: $0)] } ?? [])
      + builtIn.compactMap { typeTable.word(0, ofLineAt: $0) }
  }
}

// From a file's MIME type to its uniform type.
extension TypeTree {
  /// The type of a file.
  ///
  /// What was added decides first, by the MIME type, then by the file's name: the MIME database need
  /// not know that type. Then the table of known MIME types decides, then the class of the MIME type.
  ///
  /// - Parameters:
  ///   - mime: the MIME type of the file.
  ///   - name: the name of the file; empty where only the MIME type is known.
  ///   - classes: which more general MIME types this one is a kind of, for one that the table lacks.
  package func type(
    ofMIME mime: String, fileName name: String = "", classes: MIMEClasses = []
  ) -> FileType {
    if !added.isEmpty || !addedByMIMEType.isEmpty {
      if let code = addedByMIMEType[mime.lowercasedASCII] {
        return FileType(identifier: identifier(of: code), reason: .declaredMIMEType)
      }
      if !mime.utf8.starts(with: "inode/".utf8), let (suffix, code) = addedType(ofFileNamed: name) {
        return FileType(identifier: identifier(of: code), reason: .declaredExtension(suffix))
      }
    }
    guard let line = mimeTypeTable.position(of: mime),
      let identifier = mimeTypeTable.word(1, ofLineAt: line)
    else { return Self.type(ofUnknownMIME: mime.lowercasedASCII, classes) }
    let reason: FileType.Reason =
      switch mimeTypeTable.word(2, ofLineAt: line) {
      case "chosen": .chosen
      case "declared": .mimeType
      case "class", nil: .mimeClass
      case let pattern?: .onlyExtension(String(pattern.dropFirst(2)))
      }
    return FileType(identifier: identifier, reason: reason)
  }

  /// The added type with the longest extension that a name ends with.
  private func addedType(ofFileNamed name: String) -> (suffix: String, code: Code)? {
    let period = UInt8(ascii: ".")
    var rest = name.lowercasedASCII[...]
    while let position = rest.utf8.firstIndex(of: period) {
      rest = rest[rest.utf8.index(after: position)...]
      if let code = addedByExtension[String(rest)] { return (String(rest), code) }
    }
    return nil
  }

  private static func type(ofUnknownMIME mime: String, _ classes: MIMEClasses) -> FileType {
    let media: [(String, String)] = [
      ("image/", "public.image"), ("video/", "public.movie"), ("audio/", "public.audio"),
      ("font/", "public.font"), ("inode/", "public.item"),
    ]
    let identifier =
      if let (_, type) = media.first(where: { mime.utf8.starts(with: $0.0.utf8) }) {
        type
      } else if classes.contains(.plainText) {
        "public.plain-text"
      } else if mime.utf8.starts(with: "text/".utf8) {
        "public.text"
      } else if classes.contains(.xml) {
        "public.xml"
      } else if classes.contains(.zip) {
        "public.zip-archive"
      } else {
        "public.data"
      }
    return FileType(identifier: identifier, reason: .mimeClass)
  }
}

/// The uniform type of a file, and what it was found by.
public struct FileType: Hashable, Sendable {
  public let identifier: String
  public let reason: Reason

  /// What a MIME type leads to its uniform type by.
  public enum Reason: Hashable, Sendable {
    /// An added declaration has the MIME type.
    case declaredMIMEType
    /// An added declaration has the extension of the file's name.
    case declaredExtension(String)
    /// The built-in type has the MIME type.
    case mimeType
    /// The two were matched by hand.
    case chosen
    /// No other MIME type has this extension of the built-in type.
    case onlyExtension(String)
    /// The kind of media, or a more general MIME type.
    case mimeClass
  }
}

/// What the desktop's database says of a file.
package struct DetectedType: Sendable {
  package let mime: String
  /// The MIME type by the file's name alone; empty if the file is empty, and that decides.
  private let nameMIME: String
  private let classes: MIMEClasses

  package init(_ mime: String, nameMIME: String, _ classes: MIMEClasses) {
    self.mime = mime
    self.nameMIME = nameMIME
    self.classes = classes
  }

  /// What decided the MIME type.
  package enum Basis: String {
    case name, content
    /// That there is no content: GIO takes an empty file for a text, whatever its name says.
    case size
    /// That it is a directory, a device or another file without content.
    case kind
  }

  package var basis: Basis {
    if mime.utf8.starts(with: "inode/".utf8) { return .kind }
    if nameMIME.isEmpty { return .size }
    return mime == nameMIME ? .name : .content
  }

  /// The uniform type of a file with that last part of its path.
  package func type(ofFileNamed name: some Collection<UInt8>, in tree: TypeTree) -> FileType {
    tree.type(ofMIME: mime, fileName: String(decoding: name, as: UTF8.self), classes: classes)
  }
}
