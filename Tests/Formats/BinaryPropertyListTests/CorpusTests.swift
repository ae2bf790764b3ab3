import BinaryPropertyList
import Foundation
import TestSupport
import Testing

/// Case files of other implementations' tests, which stay outside the project.
struct CorpusTests {
  static let directory: URL = {
    if let path = ProcessInfo.processInfo.environment["DOCSOURCE_SHARED"] {
      return URL(filePath: path).appending(path: "fixtures/property-lists/corpus")
    }
    return Fixture.root.appending(path: "../shared/fixtures/property-lists/corpus")
  }()

  static let isPresent = FileManager.default.fileExists(
    atPath: directory.appending(path: "manifest.json").path)

  @Test(.enabled(if: isPresent, "no ../shared beside the checkout, nor in DOCSOURCE_SHARED"))
  func verdictsAgreeSaveWhereWeDecidedOtherwise() throws {
    let manifest = try JSONDecoder().decode(
      CorpusManifest.self,
      from: Data(contentsOf: Self.directory.appending(path: "manifest.json")))
    #expect(manifest.cases.count > 400)
    var departures: [String: String] = [:]
    for entry in manifest.cases {
      let bytes = try [UInt8](Data(contentsOf: Self.directory.appending(path: entry.file)))
      let name = entry.file.split(separator: "/").last.map(String.init) ?? entry.file
      switch Self.decode(bytes) {
      case .success(let value):
        if entry.expected != "accept" {
          departures[name] = "accepted"
        }
        try #require(try PropertyList(binary: value.binary()) == value, "\(name)")
      case .failure(let failure):
        if entry.expected == "accept" {
          departures[name] = failure.reason.description
        }
      }
    }
    for (name, what) in departures.sorted(by: { $0.key < $1.key }) {
      #expect(Self.departures[name] == what, "\(name): \(what)")
    }
    #expect(departures.count == Self.departures.count)
  }

  @Test(.enabled(if: isPresent, "no ../shared beside the checkout, nor in DOCSOURCE_SHARED"))
  func treesAreThoseOfCoreFoundationSaveWhereWeDecidedOtherwise() throws {
    let manifest = try JSONDecoder().decode(
      CorpusManifest.self,
      from: Data(contentsOf: Self.directory.appending(path: "manifest.json")))
    var compared = 0
    var different: Set<String> = []
    for entry in manifest.cases {
      guard let file = entry.expectedJSON,
        case .success(let value) = Self.decode(
          try [UInt8](Data(contentsOf: Self.directory.appending(path: entry.file))))
      else { continue }
      let expected = try JSONDecoder().decode(
        CorpusValue.self, from: Data(contentsOf: Self.directory.appending(path: file)))
      compared += 1
      if CorpusValue(value) != expected {
        different.insert(entry.file.split(separator: "/").last.map(String.init) ?? entry.file)
      }
    }
    #expect(compared > 200)
    #expect(different == Self.differentTrees)
  }

  private static func decode(_ bytes: [UInt8]) -> Result<PropertyList, DecodingFailure> {
    Result { () throws(DecodingFailure) in try PropertyList(binary: bytes) }
  }
}
