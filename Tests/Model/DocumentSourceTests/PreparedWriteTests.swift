import BinaryPropertyList
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import DocumentSource

/// A change that is made to many files, each with a path of its own.
@Suite struct PreparedWriteTests {
  private let directory: TemporaryDirectory
  private let change: PreparedChange
  private let samba = "user.DosStream.x-document-source:$DATA"

  init() throws {
    directory = try TemporaryDirectory()
    change = try PreparedChange(
      SourceChange(to: DocumentSource(identifier: "org.example.Editor", name: "Éditeur")))
  }

  private func file(_ name: String) throws -> ExtendedAttributes {
    let path = FilePath(try directory.file(name))
    return ExtendedAttributes(of: .path(path))
  }

  private func value(_ attributes: ExtendedAttributes) throws -> [UInt8]? {
    try attributes.value(of: SourceAttribute.nativeName)
  }

  @Test func untaggedFileGetsWhatPlanAndWriteGiveIt() throws {
    let (short, long) = (try file("short"), try file("long"))
    let path = "Notizen/Größe \u{1F4C4}.txt"
    let expected = DocumentSource(
      identifier: "org.example.Editor", name: "Éditeur", path: path)
    let written = DocumentSourceAttribute(of: short.file).write(change, path: path)
    #expect(change.source(at: path) == expected)
    #expect(try written == value(short))
    let other = DocumentSourceAttribute(of: long.file)
    try other.write(try other.plan(try change.setting(path: path)))
    #expect(try value(short) == value(long))
    let finding = try DocumentSourceAttribute(of: short.file).read()
    #expect(finding.content == .source(expected, mistyped: []))
  }

  @Test func whateverIsThereIsLeftAlone() throws {
    for (name, bytes) in [(SourceAttribute.nativeName.description, [UInt8(0)]), (samba, [1, 2])] {
      let attributes = try file("there")
      let name = try #require(AttributeName(name))
      try attributes.setValue(bytes, of: name)
      #expect(DocumentSourceAttribute(of: attributes.file).write(change, path: "a") == nil)
      #expect(try attributes.names() == [name])
      #expect(try attributes.value(of: name) == bytes)
      try attributes.removeValue(of: name)
    }
  }

  @Test func refusedPathAndMissingFileWriteNothing() throws {
    let attributes = try file("file")
    let attribute = DocumentSourceAttribute(of: attributes.file)
    #expect(attribute.write(change, path: "a\0b") == nil)
    #expect(try attributes.names() == [])
    let missing = FileReference.path(FilePath("\(directory.root)/missing"))
    #expect(DocumentSourceAttribute(of: missing).write(change, path: "a") == nil)
  }

  /// The fields may be another application's.
  @Test(arguments: [
    PropertyList.Dictionary(), ["identifier": .integer(5)], ["identifier": .string("")],
    ["identifier": .string("org.example.other")],
  ])
  func fieldsBesideNoOrAnotherIdentifierAreDropped(_ former: PropertyList.Dictionary) throws {
    let attributes = try file("former")
    var former = former
    former["name"] = .string("Text Editor")
    former["path"] = .string("p")
    former["other"] = .boolean(true)
    try attributes.setValue(
      try PropertyList.dictionary(former).binary(), of: SourceAttribute.nativeName)
    let attribute = DocumentSourceAttribute(of: attributes.file)
    let kept = try attribute.plan(
      SourceChange(base: .existingOfAnyApplication, identifier: .set("com.k.k")))
    #expect(kept.source == DocumentSource(identifier: "com.k.k", name: "Text Editor", path: "p"))
    try attribute.write(try attribute.plan(SourceChange(identifier: .set("com.k.k"))))
    guard case .dictionary(let dictionary)? = try attribute.read().value() else {
      Issue.record("no dictionary")
      return
    }
    #expect(dictionary.count == 2)
    #expect(dictionary["identifier"] == .string("com.k.k"))
    #expect(dictionary["other"] == .boolean(true))
  }

  /// What is read is changed, too: `Content` reads these.
  @Test(arguments: [
    "key-same-text-twice", "version-01", "key-integer", "cycle-in-unused",
    "surrogate-in-unused-string",
  ])
  func flawedListIsChanged(_ name: String) throws {
    let attributes = try file("flawed")
    let bytes = try Fixture.bytes("PropertyLists/hostile/\(name).bplist")
    try attributes.setValue(bytes, of: SourceAttribute.nativeName)
    let attribute = DocumentSourceAttribute(of: attributes.file)
    guard
      case .dictionary(var dictionary) = try PropertyList(binary: bytes, options: .lenient)
    else {
      // Another value than a dictionary is not damaged either.
      let error = #expect(throws: DocumentSourceError.self) {
        try attribute.plan(SourceChange(identifier: .set("a.b")))
      }
      guard case .notDictionary? = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      return
    }
    try attribute.write(try attribute.plan(SourceChange(identifier: .set("a.b"))))
    dictionary["identifier"] = .string("a.b")
    let written = try #require(try value(attributes))
    #expect(try PropertyList(binary: written) == .dictionary(dictionary))
  }
}
