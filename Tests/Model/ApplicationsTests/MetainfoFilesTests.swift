import BinaryPropertyList
import ForeignFormats
import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Applications

/// Which files of AppStream's metainfo are read, and their way to what reads them.
@Suite struct MetainfoFilesTests {
  private let directory: TemporaryDirectory
  private let places: BaseDirectories

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    places = BaseDirectories(systemRoot: FilePath(directory.root)) { name in
      name == "HOME" ? Array(directory.path("home").utf8) : nil
    }
  }

  private func files(except known: String...) -> [String] {
    MetainfoFiles(places) { known.contains($0) }.contents.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func firstOfEachUnknownIdentifierIsRead() throws {
    for name in [
      "home/.local/share/metainfo/b.metainfo.xml", "usr/share/metainfo/a.appdata.xml",
      "usr/share/metainfo/b.appdata.xml", "usr/share/metainfo/known.metainfo.xml",
      "usr/share/metainfo/known.desktop.metainfo.xml", "usr/share/metainfo/other.xml",
      "usr/share/appdata/a.metainfo.xml", "usr/share/appdata/c.desktop.appdata.xml",
    ] {
      try directory.file(name, name)
    }
    #expect(
      files(except: "known") == [
        "home/.local/share/metainfo/b.metainfo.xml", "usr/share/metainfo/a.appdata.xml",
        "usr/share/appdata/c.desktop.appdata.xml",
      ])
  }

  @Test func whatIsNoFileOrTooLongIsPassedOver() throws {
    let long = String(repeating: "a", count: MetainfoFiles.limit + 1)
    try directory.file("usr/share/metainfo/a.metainfo.xml", long)
    try directory.file("usr/share/metainfo/b.metainfo.xml", String(long.dropLast()))
    #expect(mkfifo(directory.path("usr/share/metainfo/c.metainfo.xml"), 0o600) == 0)
    #expect(symlink("/dev/zero", directory.path("usr/share/metainfo/d.metainfo.xml")) == 0)
    #expect(symlink("gone", directory.path("usr/share/metainfo/e.metainfo.xml")) == 0)
    try directory.file("usr/share/metainfo/f.metainfo.xml/file")
    try directory.file("usr/share/metainfo/g.metainfo.xml", "g")
    #expect(files() == [String(long.dropLast()), "g"])
  }

  @Test func notMoreThanSixteenMebibytesAreRead() throws {
    let long = String(repeating: "a", count: MetainfoFiles.limit)
    for number in 10..<30 { try directory.file("usr/share/metainfo/\(number).metainfo.xml", long) }
    #expect(files().count == 16)
  }

  @Test func filesSurviveTheirWayAsAPropertyList() throws {
    let files = MetainfoFiles([[], Array("<a/>".utf8), [0, 0xff], Array("<a/>".utf8)])
    #expect(try MetainfoFiles(binary: files.binary()) == files)
    #expect(try MetainfoFiles(binary: Fixture.bytes("PropertyLists/four-keys.bplist")) == nil)
    #expect(try MetainfoFiles(binary: PropertyList.array([.string("a")]).binary()) == nil)
  }

  @Test func descriptionsSurviveTheirWayAsAPropertyList() throws {
    let list = [
      ApplicationDescription(identifier: "a", name: "Größe", icon: "i"), nil,
      ApplicationDescription(identifier: "b"), ApplicationDescription(identifier: "c", icon: "a"),
    ]
    #expect(try ApplicationDescription.list(binary: ApplicationDescription.binary(list)) == list)
    #expect(
      try ApplicationDescription.list(binary: Fixture.bytes("PropertyLists/four-keys.bplist"))
        == nil)
    let numbers = PropertyList.array([
      .dictionary(["id": .integer(1)]), .dictionary(["id": .string("a"), "name": .null]),
    ])
    #expect(
      try ApplicationDescription.list(binary: numbers.binary())
        == [nil, ApplicationDescription(identifier: "a")])
  }
}
