import Foundation
import TestSupport
import Testing

/// The programs that `doctor` says to keep or lose the attribute do.
@Suite struct MovingToolTests {
  /// A shell's way to copy or move `a` to `b` for each.
  private static let scripts = [
    "cp -a": "cp -a a b", "mv": "mv a b", "rsync -X": "rsync -X a b",
    "tar --xattrs (to pack and to unpack)":
      "tar --xattrs -cf t a && mkdir d && tar --xattrs -xf t -C d && mv d/a b",
    "gio copy": "gio copy a b", "cp": "cp a b", "install": "install a b",
    "rsync -a": "rsync -a a b",
    "tar": "tar -cf t a && mkdir d && tar -xf t -C d && mv d/a b",
    "zip": "zip -q t.zip a && mkdir d && unzip -q t.zip -d d && mv d/a b",
    "gzip": "gzip a && gunzip a.gz && mv a b",
    "git": "git init -q . && git add a && rm a && git checkout -q a && mv a b",
    "scp": "scp -pq a b", "sed -i": "sed -i s/x/y/ a && mv a b",
  ]

  private static func calls(_ label: String, _ lines: [Substring]) -> [String] {
    var text = ""
    for line in lines.drop(while: { !$0.hasPrefix("  \(label)") }) {
      guard text.isEmpty || line.hasPrefix("     ") else { break }
      text += (text.isEmpty ? "" : " ") + line.dropFirst(15)
    }
    return text.components(separatedBy: ", ")
  }

  @Test(arguments: [("Kept by", true), ("Lost by", false)])
  func programsDoAsIsSaid(_ label: String, _ keeps: Bool) throws {
    let told = try Docsource.run("doctor", "/dev/shm", TemporaryDirectory().root)
    let lines = told.text.split(separator: "\n")
    #expect(lines.drop { $0 != "When a file moves" }.allSatisfy { $0.count <= 80 })
    let calls = Self.calls(label, lines).filter {
      !["mail", "uploads", "editors that save by renaming"].contains($0)
    }
    #expect(calls.contains(keeps ? "cp -a" : "cp"))
    for call in calls {
      let script = try #require(Self.scripts[call], "\(call)")
      let directory = try TemporaryDirectory()
      try directory.file("a", "x\n")
      #expect(try Docsource.tag(directory.path("a")).status == 0)
      let done = try Execution.run(["sh", "-c", script], in: directory.root)
      #expect(done.status == 0, "\(call): \(done.errors)")
      #expect(try Docsource.run("show", directory.path("b")).status == (keeps ? 0 : 1), "\(call)")
    }
  }

  /// Across file systems mv copies.
  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [FileSystem.Kind.tmpfs, .ext4, .xfs, .btrfs])
  func mvToAnotherFileSystemKeepsIt(_ kind: FileSystem.Kind) throws {
    let directory = try TemporaryDirectory()
    let system = try FileSystem(kind)
    let path = try directory.file("a")
    #expect(try Docsource.tag(path).status == 0)
    #expect(try Execution.run(["mv", path, system.path("a")]).status == 0)
    #expect(try Docsource.run("show", system.path("a")).status == 0)
  }
}
