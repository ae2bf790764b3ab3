import ForeignFormats
import Foundation
import InstalledPackages
import LinuxSystem
import TestSupport
import Testing

/// The answers are those of the package managers' own programs.
@Suite struct PackagePeerTests {
  /// The records of files, by their paths as packages have them.
  private static func records(_ files: [String], below root: String = "/") -> [PackageRecord] {
    stride(from: 0, to: files.count, by: 64).flatMap { start in
      let wanted = files[start...].prefix(64).map { file in
        let name = (file as NSString).lastPathComponent
        let directory = (root + (file as NSString).deletingLastPathComponent)
        let real = FilePath(directory).realPath.map { String(decoding: $0.bytes, as: UTF8.self) }
        let below = (real ?? directory).dropFirst(root == "/" ? 0 : root.count)
        return PackagedFile(path: Array(((below as NSString).appendingPathComponent(name)).utf8))
      }
      let packages = InstalledPackages(
        PackageQuestion(.files(wanted)), below: FilePath(root), system: [0, geteuid()],
        deadline: Clock.milliseconds + 60_000)
      #expect(packages.flaws == [])
      return packages.records.flatMap(\.self)
    }
  }

  private static func lines(_ command: [String]) throws -> [String] {
    try Execution.run(command).text.split(separator: "\n").map(String.init)
  }

  @Test func filesOfThisSystemAreOfThePackagesThatDpkgNames() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SplitMix(state: seed)
    let packages = try Self.lines(["dpkg-query", "-W", "-f", "${binary:Package}\n"])
    let all = try Self.lines(["dpkg", "-L"] + packages).filter { path in
      var isDirectory: ObjCBool = false
      return path.hasPrefix("/")
        && !(FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
          && isDirectory.boolValue)
    }
    let paths = Array(Set((0..<1000).map { _ in all[Int(random.next() % UInt64(all.count))] }))
    var expected: [String: Set<String>] = [:]
    var diverters: [String: String] = [:]
    for line in try Self.lines(["dpkg", "-S"] + paths) {
      if line.hasPrefix("diversion by ") {
        let words = line.dropFirst("diversion by ".count).components(separatedBy: " from: ")
        if words.count == 2 { diverters[words[1]] = words[0] }
        continue
      }
      let parts = line.components(separatedBy: ": ")
      guard parts.count == 2 else { continue }
      expected[parts[1], default: []].formUnion(
        parts[0].components(separatedBy: ", ").map { String($0.prefix { $0 != ":" }) })
    }
    // Of a diverted path, dpkg names the packages of both files.
    for (path, package) in diverters where expected[path] != nil { expected[path] = [package] }
    var found: [String: Set<String>] = [:]
    for record in Self.records(paths) {
      found[String(decoding: record.path, as: UTF8.self), default: []].insert(record.package)
    }
    for path in paths {
      #expect(found[path] == expected[path], "\(path)")
    }
    #expect(found.count == paths.count)
    let versions = try Self.lines(["dpkg-query", "-W", "-f", "${Package} ${Version}\n"])
    let titles = Set(Self.records(Array(paths.prefix(64))).map(\.title))
    #expect(titles.subtracting(versions) == [])
  }
}
