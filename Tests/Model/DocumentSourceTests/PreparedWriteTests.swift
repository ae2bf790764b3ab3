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
    #expect(DocumentSourceAttribute(of: short.file).write(change, path: path) == expected)
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
}
