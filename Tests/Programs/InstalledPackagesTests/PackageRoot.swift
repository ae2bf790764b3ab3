import ForeignFormats
import Foundation
import InstalledPackages
import LinuxSystem
import TestSupport
import Testing

/// A root directory with the databases of package managers.
struct PackageRoot {
  let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  /// The directory's path without links, which records have.
  var root: String { place.root }

  @discardableResult
  func write(_ path: String, _ content: String) throws -> String {
    let full = place.path(path)
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(content.utf8).write(to: URL(fileURLWithPath: full))
    return full
  }

  func packages(
    _ extent: PackageQuestion.Extent, wantsChecksums: Bool = false, system: Set<UInt32>? = nil,
    milliseconds: Int = 60_000
  ) -> Found {
    let home = Array(place.path("home").utf8)
    var packages = InstalledPackages(
      PackageQuestion(extent, wantsChecksums: wantsChecksums), below: FilePath(root),
      system: system ?? [0, geteuid()],
      directories: BaseDirectories { $0 == "HOME" ? home : nil },
      deadline: Clock.milliseconds + milliseconds)
    defer { for descriptor in packages.descriptors { close(descriptor) } }
    let records = packages.readRecords()
    return Found(records: records, flaws: packages.flaws)
  }

  struct Found {
    let records: [[PackageRecord]]
    let flaws: [DatabaseFlaw]
  }

  func packages(of file: String, isDirectory: Bool = false) -> Found {
    packages(.files([PackagedFile(path: Array(file.utf8), isDirectory: isDirectory)]))
  }

  func titles(_ file: String) -> [String] {
    packages(of: file).records.flatMap(\.self).map(\.title)
  }
}
