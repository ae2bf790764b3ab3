import BinaryPropertyList
import Foundation
import JSONPropertyList
import PropertyListText
import TestSupport
import Testing

@testable import Handoff

/// Catalogues as property lists in XML, binary form and JSON.
@Suite struct CatalogueFormatTests {
  private static let place = "Sharing/IntentKit/Apps"

  /// IntentKit's lists, by their paths below `place`.
  static let lists: [String] = {
    let root = Fixture.root.appending(path: "Fixtures/\(place)").path
    let paths = try? FileManager.default.subpathsOfDirectory(atPath: root)
    return (paths ?? []).filter { $0.hasSuffix(".plist") }.sorted()
  }()

  private static func name(_ path: String) -> String {
    String(path.split(separator: "/").last?.split(separator: ".").first ?? "")
  }

  private static func list(_ path: String) throws -> PropertyList {
    try XMLPropertyListReader.read(Fixture.bytes("\(place)/\(path)"))
  }

  /// All that a catalogue says, in its order.
  private static func account(_ catalogue: IntentCatalogue) -> [String] {
    let applications = catalogue.applications.map { one in
      let standard = one.parts.standard.sorted { $0.key < $1.key }
      let names = one.parts.names.mapValues { $0.sorted { $0.key < $1.key } }
      return """
        \(one.identity) \(one.names.sorted { $0.key < $1.key }) \(one.actions) \(one.optional) \
        \(standard) \(names.sorted { $0.key < $1.key }) \
        \(one.className ?? "-") \(one.desktopIdentifier ?? "-")
        """
    }
    let defaults = catalogue.defaults.map { one in
      "\(one.handler) \(one.application ?? "-") \(one.firstParty ?? "-") \(one.fallbacks)"
    }
    return applications + defaults + catalogue.lint().map { "\($0)" }
  }

  @Test func allListsOfIntentKitAreThere() {
    #expect(Self.lists.count == 23)
  }

  @Test(arguments: lists)
  func catalogueIsTheSameInEveryFormat(_ path: String) throws {
    let list = try Self.list(path)
    let expected = Self.account(IntentCatalogue(list, name: Self.name(path)))
    #expect(!expected.isEmpty)
    func check(_ again: PropertyList, _ way: Comment) {
      #expect(Self.account(IntentCatalogue(again, name: Self.name(path))) == expected, way)
    }
    var json: [UInt8] = []
    try JSONPropertyListWriter.write(list) { json += $0 }
    let ofJSON = try JSONPropertyListReader.read(json)
    check(ofJSON, "XML to JSON")
    var xml: [UInt8] = []
    try XMLPropertyListWriter.write(ofJSON) { xml += $0 }
    let ofXML = try XMLPropertyListReader.read(xml)
    check(ofXML, "JSON to XML")
    var again: [UInt8] = []
    try JSONPropertyListWriter.write(ofXML) { again += $0 }
    #expect(again == json)
    check(try PropertyList(binary: try list.binary()), "XML to binary")
  }

  /// What docsource brings along is what IntentKit has, list for list.
  @Test func builtInCatalogueIsThatOfIntentKit() throws {
    var whole = IntentCatalogue()
    for path in Self.lists where !path.hasPrefix("IntentKitBundle") {
      whole.add(IntentCatalogue(try Self.list(path), name: Self.name(path)))
    }
    let builtIn = try #require(IntentCatalogue.iOS)
    #expect(Self.account(whole).sorted() == Self.account(builtIn).sorted())
  }
}
