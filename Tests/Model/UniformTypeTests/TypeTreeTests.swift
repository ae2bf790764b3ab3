import BinaryPropertyList
import TestSupport
import Testing
import TextFormats

@testable import UniformType

@Suite struct TypeTreeTests {
  private static let tree = TypeTree.builtIn
  private static let data = "sharing/data/uti_tree.tsv"

  @Test(.enabled(if: SharedReference.exists(data)))
  func everyTypeOfTheReferenceHasItsParentsAncestorsAndTags() throws {
    let rows = try SharedReference.rows(Self.data)
    #expect(rows.count == 587)
    #expect(Self.tree.identifiers.count == 587)
    func list(_ field: String?) -> Set<String> {
      Set((field ?? "").split(separator: ",").map(String.init))
    }
    for row in rows {
      let type = row["uti"] ?? ""
      #expect(Self.tree.contains(type), "\(type)")
      #expect(Set(Self.tree.parents(of: type)) == list(row["parents"]), "\(type)")
      #expect(Set(Self.tree.ancestors(of: type)) == list(row["ancestors"]), "\(type)")
      #expect(Set(Self.tree.extensions(of: type)) == list(row["extensions"]), "\(type)")
      #expect(Set(Self.tree.mimeTypes(of: type)) == list(row["mime_types"]), "\(type)")
    }
  }

  @Test func nearestAncestorsComeFirst() {
    #expect(
      Self.tree.ancestors(of: "public.png")
        == ["public.image", "public.content", "public.data", "public.item"])
  }

  @Test func identifiersAreComparedWithoutRegardToCase() {
    #expect(Self.tree.conforms("PUBLIC.PNG", to: "Public.Image"))
    #expect(Self.tree.conforms("com.example.Unknown", to: "COM.example.unknown"))
  }

  @Test func unknownTypeConformsOnlyToItself() {
    #expect(!Self.tree.contains("com.example.unknown"))
    #expect(Self.tree.conforms("com.example.unknown", to: "com.example.unknown"))
    #expect(!Self.tree.conforms("com.example.unknown", to: "public.item"))
    #expect(!Self.tree.conforms("public.item", to: "com.example.unknown"))
    #expect(Self.tree.ancestors(of: "com.example.unknown") == [])
  }

  @Test func conformanceGoesUpAndNotDown() {
    #expect(Self.tree.conforms("public.file-url", to: "public.url"))
    #expect(!Self.tree.conforms("public.url", to: "public.file-url"))
    #expect(Self.tree.conforms("com.adobe.pdf", to: "public.content"))
    #expect(!Self.tree.conforms("public.zip-archive", to: "public.content"))
    #expect(Self.tree.conforms("public.json", to: "public.text"))
    #expect(!Self.tree.conforms("public.json", to: "public.plain-text"))
    // As the dump of a Mac has it, and not Apple's older comments on the parent.
    #expect(!Self.tree.conforms("com.apple.m4a-audio", to: "public.movie"))
  }

  @Test(arguments: ["", " ", "public", "public.", "public.png ", "public.pn", "zzz", "\u{0}"])
  func whatIsNoIdentifierOfTheTableIsNotFound(word: String) {
    #expect(!Self.tree.contains(word))
  }

  @Test func usualExtensionComesFirst() {
    #expect(Self.tree.extensions(of: "com.apple.quicktime-movie") == ["mov", "qt"])
    #expect(Self.tree.types(withExtension: "PNG") == ["public.png"])
    #expect(Self.tree.types(withExtension: "app").count == 2)
  }

  @Test func addedTypesHaveAncestorsAmongBuiltInAndAddedOnes() {
    let tree = TypeTree(adding: [
      TypeDeclaration(identifier: "com.example.drawing", parents: ["com.example.base"]),
      TypeDeclaration(
        identifier: "com.example.base", parents: ["public.image", "com.example.absent"]),
    ])
    #expect(
      tree.ancestors(of: "com.example.Drawing") == [
        "com.example.base", "public.image", "com.example.absent", "public.content", "public.data",
        "public.item",
      ])
    #expect(tree.conforms("com.example.drawing", to: "com.example.absent"))
    #expect(tree.identifiers.count == 590)
  }

  @Test func firstDeclarationOfATypeCountsAndBuiltInOnesKeepTheirParents() {
    let tree = TypeTree(adding: [
      TypeDeclaration(identifier: "com.example.a", parents: ["public.text"]),
      TypeDeclaration(identifier: "COM.example.A", parents: ["public.image"]),
      TypeDeclaration(
        identifier: "public.png", parents: ["public.text"], extensions: ["portable"]),
    ])
    #expect(tree.parents(of: "com.example.a") == ["public.text"])
    #expect(tree.parents(of: "public.png") == ["public.image"])
    #expect(
      tree.type(ofMIME: "application/octet-stream", fileName: "x.portable").identifier
        == "public.png")
  }

  @Test func declarationsThatContainThemselvesHaveAnEnd() {
    let tree = TypeTree(adding: [
      TypeDeclaration(identifier: "com.example.a", parents: ["com.example.b"]),
      TypeDeclaration(identifier: "com.example.b", parents: ["com.example.a", "com.example.b"]),
    ])
    #expect(tree.ancestors(of: "com.example.a") == ["com.example.b"])
    #expect(tree.conforms("com.example.b", to: "com.example.a"))
  }

  @Test func declarationsOfAnInfoPlistAreRead() throws {
    let tags: PropertyList = .dictionary([
      "public.filename-extension": .array([.string("sketch"), .string("tar.sk")]),
      "public.mime-type": .string("image/x-example-sketch"),
    ])
    let declaration: PropertyList = .dictionary([
      "UTTypeIdentifier": .string("com.example.sketch"),
      "UTTypeConformsTo": .string("public.image"), "UTTypeTagSpecification": tags,
    ])
    let list: PropertyList = .dictionary(["UTExportedTypeDeclarations": .array([declaration])])
    let declarations = try TypeDeclaration.all(in: list)
    #expect(
      declarations == [
        TypeDeclaration(
          identifier: "com.example.sketch", parents: ["public.image"],
          extensions: ["sketch", "tar.sk"], mimeTypes: ["image/x-example-sketch"])
      ])
    let tree = TypeTree(adding: declarations)
    let found = tree.type(ofMIME: "application/gzip", fileName: "a.b.TAR.SK")
    #expect(
      found == FileType(identifier: "com.example.sketch", reason: .declaredExtension("tar.sk")))
    #expect(
      tree.type(ofMIME: "image/x-Example-sketch", fileName: "a.txt")
        == FileType(identifier: "com.example.sketch", reason: .declaredMIMEType))
    #expect(
      tree.type(ofMIME: "inode/directory", fileName: "a.sketch").identifier == "public.folder")
  }

  private static let malformed: [(PropertyList, String)] = [
    (.string("x"), "neither a dictionary nor an array of type declarations"),
    (
      .dictionary(["UTImportedTypeDeclarations": .string("x")]),
      "UTImportedTypeDeclarations is not an array"
    ),
    (.array([.integer(1)]), "declaration 1: not a dictionary"),
    (
      .array([.dictionary(["UTTypeIdentifier": .integer(1)])]),
      "declaration 1: UTTypeIdentifier is missing or not a string"
    ),
    (
      .array([.dictionary(["UTTypeIdentifier": .string("a b")])]),
      "declaration 1: UTTypeIdentifier may have only letters, digits, hyphens and periods, and at"
        + " most 255 of them"
    ),
    (
      .array([
        .dictionary([
          "UTTypeIdentifier": .string("a.b"), "UTTypeConformsTo": .array([.boolean(true)]),
        ])
      ]),
      "declaration 1: UTTypeConformsTo is neither a string nor an array of strings"
    ),
  ]

  @Test(arguments: malformed)
  func malformedDeclarationIsRefused(list: PropertyList, reason: String) {
    #expect(throws: TypeDeclaration.Failure(description: reason)) {
      try TypeDeclaration.all(in: list)
    }
  }
}

@Suite struct FileTypeTests {
  private static let data = "sharing/data/mime_uti.tsv"

  @Test(.enabled(if: SharedReference.exists(data)))
  func everyMIMETypeOfTheReferenceHasItsType() throws {
    let rows = try SharedReference.rows(Self.data)
    #expect(rows.count == 851)
    for row in rows {
      let found = TypeTree.builtIn.type(ofMIME: row["mime"] ?? "")
      #expect(found.identifier == row["uti"], "\(row)")
      let method: FileType.Reason =
        switch row["method"] {
        case "curated": .chosen
        case "mime": .mimeType
        case "fallback": .mimeClass
        case let name?: .onlyExtension(String(name.dropFirst(4)))
        case nil: .mimeClass
        }
      #expect(found.reason == method, "\(row)")
    }
  }

  @Test(
    arguments: [
      ("image/x-example", [], "public.image"), ("video/x-example", [], "public.movie"),
      ("audio/x-example", .plainText, "public.audio"), ("font/x-example", [], "public.font"),
      ("inode/example", [], "public.item"), ("text/x-example", .plainText, "public.plain-text"),
      ("text/x-example", [], "public.text"), ("application/x-example", .xml, "public.xml"),
      ("application/x-example", .zip, "public.zip-archive"),
      ("application/x-example", [.plainText, .xml], "public.plain-text"),
      ("application/x-example", [], "public.data"), ("", [], "public.data"),
    ] as [(String, MIMEClasses, String)])
  func unknownMIMETypeHasTheTypeOfItsClass(mime: String, classes: MIMEClasses, type: String) {
    #expect(
      TypeTree.builtIn.type(ofMIME: mime, classes: classes)
        == FileType(identifier: type, reason: .mimeClass))
  }

  @Test func tablesAreSorted() {
    for table in [typeTable, mimeTypeTable] {
      let words = table.positions.compactMap { table.word(0, ofLineAt: $0)?.lowercasedASCII }
      #expect(words == words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      for (position, word) in zip(table.positions, words) {
        #expect(table.position(of: word.uppercased()) == position, "\(word)")
      }
    }
  }
}
