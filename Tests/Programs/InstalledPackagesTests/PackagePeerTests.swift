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
      var packages = InstalledPackages(
        PackageQuestion(.files(wanted)), below: FilePath(root), system: [0, geteuid()],
        deadline: Clock.milliseconds + 60_000)
      defer { for descriptor in packages.descriptors { close(descriptor) } }
      let records = packages.readRecords().flatMap(\.self)
      #expect(packages.flaws == [])
      return records
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

/// The answers for packages of other systems, made with their own programs.
extension PackagePeerTests {
  private static func run(_ command: [String], in directory: String) throws -> String {
    let run = try Execution.run(command, in: directory)
    #expect(run.status == 0, "\(command): \(run.errors)")
    return run.text
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rpmbuild"), "needs rpm"))
  func filesAreOfThePackagesThatRpmNames() throws {
    let root = try PackageRoot()
    let build = try TemporaryDirectory()
    let database = root.place.path("var/lib/rpm")
    for number in 0..<3 {
      try build.file(
        "p\(number).spec",
        """
        Name: p\(number)
        Version: 1.\(number)
        Release: 2
        \(number == 1 ? "Epoch: 3" : "")
        Summary: t
        License: MIT
        BuildArch: noarch
        %description
        t
        %install
        mkdir -p %{buildroot}/usr/share/p%{name} %{buildroot}/usr/share/shared
        for i in $(seq 20); do
          echo %{name} $i >%{buildroot}/usr/share/p%{name}/file$i
        done
        echo same >%{buildroot}/usr/share/shared/file1
        %files
        /usr/share/p%{name}
        /usr/share/shared/file1
        """)
      _ = try Self.run(
        [
          "rpmbuild", "-bb", "--quiet", "--define", "_topdir \(build.root)/top", "--define",
          "_build_id_links none", "p\(number).spec",
        ], in: build.root)
    }
    try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
    let packages = (0..<3).map { "top/RPMS/noarch/p\($0)-1.\($0)-2.noarch.rpm" }
    _ = try Self.run(
      ["rpm", "-i", "--justdb", "--nodeps", "--force", "--dbpath", database] + packages,
      in: build.root)
    let format = "%{NAME} %{EVR} %{ARCH}\n"
    let names = try Self.run(["rpm", "-qal", "--dbpath", database], in: build.root)
      .split(separator: "\n").map(String.init)
    #expect(Set(names).count == 64)
    for path in Set(names) {
      let expected = try Self.run(
        ["rpm", "-qf", "--dbpath", database, "--qf", format, path], in: build.root)
      let found = root.packages(of: path).records.flatMap(\.self)
      #expect(
        found.map { "\($0.title) \($0.architecture ?? "")" }.sorted()
          == expected.split(separator: "\n").map(String.init).sorted(), "\(path)")
    }
    let all = root.packages(.trees([[0x2f]]), wantsChecksums: true).records
    #expect(all.map(\.count) == [22, 22, 22])
    let digest = try Self.run(
      ["rpm", "-q", "--dbpath", database, "--qf", "[%{FILEDIGESTS} %{FILENAMES}\n]", "p0"],
      in: build.root)
    for record in all.flatMap(\.self) where record.package == "p0" {
      let digits = record.checksum.map {
        $0.digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      }
      #expect(digest.contains("\(digits ?? "") \(String(decoding: record.path, as: UTF8.self))\n"))
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pacman"), "needs pacman"))
  func filesAreOfThePackagesThatPacmanNames() throws {
    let root = try PackageRoot()
    for number in 0..<3 {
      let directory = "var/lib/pacman/local/p\(number)-1.\(number)-2"
      let files = (0..<20).map { "usr/share/p\(number)/file\($0)\n" }.joined()
      try root.write(
        directory + "/files", "%FILES%\nusr/\nusr/share/\nusr/share/p\(number)/\n\(files)")
      try root.write(
        directory + "/desc", "%NAME%\np\(number)\n\n%VERSION%\n1.\(number)-2\n\n%ARCH%\nany\n\n")
      for file in 0..<20 { try root.write("usr/share/p\(number)/file\(file)", "") }
    }
    try root.write("var/lib/pacman/local/ALPM_DB_VERSION", "9\n")
    try root.write("pacman.conf", "[options]\n")
    for number in 0..<3 {
      for file in [0, 7, 19] {
        let path = "/usr/share/p\(number)/file\(file)"
        let expected = try Self.run(
          [
            "pacman", "--config", root.place.path("pacman.conf"), "--root", root.root, "--dbpath",
            root.place.path("var/lib/pacman"), "-Qo", root.root + path,
          ], in: root.root)
        #expect(
          expected.hasSuffix("is owned by \(root.titles(path).joined())\n"), "\(expected)")
      }
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pip3"), "needs pip"))
  func filesAreThoseThatPipShows() throws {
    let root = try PackageRoot()
    let wheel = "tiny-1.0-py3-none-any.whl"
    let run = try Execution.run(
      [
        "/usr/bin/python3", "-c",
        """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1], "w") as file:
            info = "tiny-1.0.dist-info/"
            for number in range(30):
                file.writestr(f"tiny/m{number}.py", f"x = {number}\\n")
            file.writestr('tiny/a,"b".py', "x = 1\\n")
            file.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
            file.writestr(info + "WHEEL",
                          "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
            file.writestr(info + "entry_points.txt", "[console_scripts]\\ntiny = tiny.m1:x\\n")
            file.writestr(info + "RECORD", "")
        """, root.place.path(wheel),
      ])
    #expect(run.status == 0, "\(run.errors)")
    _ = try Self.run(
      ["/usr/bin/python3", "-m", "venv", "--without-pip", root.place.path("v")], in: root.root)
    let pip = ["/usr/bin/python3", "-m", "pip", "--python", root.place.path("v/bin/python")]
    let quiet = ["--disable-pip-version-check", "--no-cache-dir"]
    _ = try Self.run(
      pip + quiet + ["install", "--no-index", "--no-deps", "-q", root.place.path(wheel)],
      in: root.root)
    let shown = try Self.run(pip + quiet + ["show", "-f", "tiny"], in: root.root)
    let location = try #require(shown.split(separator: "\n").first { $0.hasPrefix("Location: ") })
      .dropFirst("Location: ".count)
    let names = shown.components(separatedBy: "Files:\n")[1].split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    #expect(names.count > 60)
    var expected: Set<String> = []
    for name in names {
      let path = URL(fileURLWithPath: "\(location)/\(name)").standardizedFileURL.path
      let file = String(path.dropFirst(root.root.count))
      expected.insert(file)
      #expect(root.titles(file) == ["tiny 1.0"], "\(file)")
    }
    let all = root.packages(.trees([Array("/v".utf8)])).records.flatMap(\.self)
    #expect(Set(all.map { String(decoding: $0.file, as: UTF8.self) }) == expected)
  }
}
