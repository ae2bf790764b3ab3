import Foundation
import TestSupport
import Testing

/// `make install` and `make uninstall`.
@Suite struct InstallationTests {
  private static func make(_ target: String, _ place: String, _ more: String...) throws -> Execution
  {
    try Execution.run(
      ["make", "--no-print-directory", "-C", Fixture.root.path, target, "DESTDIR=\(place)"]
        + ["BINARY=\(Docsource.path)"] + more,
      // As run from a shell, not from a make that runs the tests.
      environment: ["MAKEFLAGS": "", "MAKELEVEL": "", "MAKEOVERRIDES": ""])
  }

  /// Everything below a directory, as `MODE PATH`.
  private static func listing(_ place: String) throws -> [String] {
    try Execution.run(["find", place, "-mindepth", "1", "-printf", "%m %P%y\n"]).text
      .split(separator: "\n").map { line in
        line.hasSuffix("d") ? line.dropLast() + "/" : String(line.dropLast())
      }.sorted()
  }

  private static func expected() throws -> [String] {
    let man = Fixture.root.appending(path: "Sources/Integrations/man").path
    let pages = try FileManager.default.contentsOfDirectory(atPath: man).filter { page in
      !page.hasSuffix(".3")
    }
    let files =
      ["755 bin/docsource"]
      + ["archive", "content", "fetch", "records", "repositories", "share", "xml"].map {
        "755 libexec/docsource/docsource-\($0)"
      }
      + ["644 libexec/docsource/installed"]
      + pages.map { "644 share/man/man\($0.suffix(1))/\($0).gz" }
      + [
        "644 share/bash-completion/completions/docsource",
        "644 share/zsh/site-functions/_docsource",
        "644 share/fish/vendor_completions.d/docsource.fish",
        "644 lib/systemd/system/docsource-watch.service",
      ]
    let directories = [
      "bin", "libexec", "libexec/docsource", "share", "share/man", "share/man/man1",
      "share/man/man7",
      "share/bash-completion", "share/bash-completion/completions", "share/zsh",
      "share/zsh/site-functions", "share/fish", "share/fish/vendor_completions.d", "lib",
      "lib/systemd", "lib/systemd/system",
    ]
    let all = files + directories.map { "755 \($0)/" } + (try library()) + shared()
    return (all.map { $0.replacing(" ", with: " opt/d s/") } + ["755 opt/", "755 opt/d s/"])
      .sorted()
  }

  /// What the companions share, where that is beside the tool: `make` puts it there.
  private static func shared() -> [String] {
    let built = URL(filePath: Docsource.path).deletingLastPathComponent()
    let name = "libdocsource-companions.so"
    let isThere = FileManager.default.fileExists(atPath: built.appending(path: name).path)
    return isThere ? ["644 libexec/docsource/\(name)"] : []
  }

  /// What belongs to the C library, where that is built beside the tool.
  private static func library() throws -> [String] {
    let built = URL(filePath: Docsource.path).deletingLastPathComponent()
    guard
      FileManager.default.fileExists(atPath: built.appending(path: SharedLibrary.soname).path)
    else {
      return []
    }
    let name = SharedLibrary.soname
    let modules = try SharedLibrary.pythonModules()
    let python = modules.replacing("/dist-packages", with: "")
    return [
      "755 include/", "644 include/documentsource.h", "644 include/documentsource.hpp",
      "644 lib/\(name).9", "777 lib/\(name)", "777 lib/libdocumentsource.so", "755 lib/pkgconfig/",
      "644 lib/pkgconfig/documentsource.pc", "755 \(python)/", "755 \(modules)/",
      "644 \(modules)/documentsource.py", "755 share/man/man3/",
      "644 share/man/man3/documentsource.3.gz",
    ] + (try desktop()) + dolphin(besides: built)
  }

  /// Dolphin's plugins, where `make dolphin` has built them.
  private static func dolphin(besides built: URL) -> [String] {
    let plugins = built.appending(path: "dolphin/bin/kf5").path
    guard FileManager.default.fileExists(atPath: plugins) else { return [] }
    return ["", "/plugins", "/plugins/kf5"].map { "755 lib/qt5\($0)/" }
      + ["kfileitemaction", "kfilemetadata", "kio", "overlayicon", "propertiesdialog"].map {
        "755 lib/qt5/plugins/kf5/\($0)/"
      }
      + [
        "kfileitemaction/docsource-actions", "kfilemetadata/docsource-extractor",
        "kio/docsource-source", "overlayicon/docsource-overlay",
      ].map { "644 lib/qt5/plugins/kf5/\($0).so" }
      + ["777 lib/qt5/plugins/kf5/propertiesdialog/docsource-properties.so"]
  }

  /// What file managers and desktops show, which needs the C library.
  private static func desktop() throws -> [String] {
    let package = "file-managers/docsource_desktop"
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: SharedLibrary.source("Integrations/\(package)")
    ).filter { $0.hasSuffix(".py") }
    let files =
      modules.map { "docsource/\(package)/\($0)" } + [
        "docsource/file-managers/docsource_extension.py",
        "applications/org.docsource.Dialog.desktop",
        "applications/org.docsource.Search.desktop",
        "dbus-1/services/org.docsource.Search.service",
        "gnome-shell/search-providers/org.docsource.Search.search-provider.ini",
        "metainfo/org.docsource.docsource.metainfo.xml",
      ]
      + ["", "-symbolic"].map { "icons/hicolor/scalable/apps/org.docsource.Dialog\($0).svg" }
      + ["de", "zh_CN"].map { "locale/\($0)/LC_MESSAGES/docsource.mo" }
      + ["", "-damaged", "-doubtful", "-marked"].flatMap { emblem in
        [16, 22, 24, 32, 48].map {
          "icons/hicolor/\($0)x\($0)/emblems/emblem-docsource\(emblem).png"
        }
          + ["", "-symbolic"].map {
            "icons/hicolor/scalable/emblems/emblem-docsource\(emblem)\($0).svg"
          }
      }
    let links = ["nautilus", "nemo", "caja", "thunarx"].map {
      "\($0)-python/extensions/docsource_extension_opt_d_s.py"
    }
    let directories = Set(
      (files + links).flatMap { file in
        sequence(first: file) { path in
          path.lastIndex(of: "/").map { String(path[..<$0]) }
        }.dropFirst()
      })
    return files.map { "644 share/\($0)" } + links.map { "777 share/\($0)" }
      + directories.map { "755 share/\($0)/" }
      + ["dialog", "search"].map { "755 libexec/docsource/docsource-\($0)" }
  }

  @Test func installedFilesWorkAndUninstallingLeavesNothing() throws {
    let place = try TemporaryDirectory()
    let installed = try Self.make("install", place.root, "PREFIX=/opt/d s")
    #expect(installed.text == "")
    #expect(installed.errors == "")
    #expect(installed.status == 0)
    #expect(try Self.listing(place.root) == Self.expected())

    let tool = place.path("opt/d s/bin/docsource")
    #expect(try Execution.run([tool, "--version"]).text == Docsource.run("--version").text)
    // XML is read by the program in libexec.
    let xml = "<?xml version=\"1.0\"?><plist version=\"1.0\"><string>x</string></plist>"
    try place.file("a.xml", xml)
    try #expect(
      Execution.run([tool, "plist", "encode", "-o", place.path("a"), place.path("a.xml")]).errors
        == "")
    #expect(
      try Execution.run([tool, "plist", "show", place.path("a")]).text == "string \"x\"\n")
    let page = try Execution.run(
      ["man", "-w", "docsource-icon-trust"],
      environment: ["MANPATH": place.path("opt/d s/share/man")])
    #expect(page.text == place.path("opt/d s/share/man/man1/docsource-icon-trust.1.gz\n"))

    let uninstalled = try Self.make("uninstall", place.root, "PREFIX=/opt/d s")
    #expect(uninstalled.text == "")
    #expect(uninstalled.errors == "")
    #expect(uninstalled.status == 0)
    #expect(try Self.listing(place.root) == ["644 a", "644 a.xml"])
  }

  @Test func whatWasThereBeforeStaysAndWhatAnOlderVersionHadGoes() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir -p usr/local/share/man/man1 usr/local/bin usr/local/share/zsh
      touch usr/local/share/zsh/mine
      """
    #expect(try Execution.run(["sh", "-c", script], in: place.root).status == 0)
    let before = try Self.listing(place.root)
    #expect(try Self.make("install", place.root).status == 0)
    // Once more, as after an update that has dropped a page, while others use a directory of ours.
    let dropped = "/usr/local/share/man/man1/docsource-dropped.1.gz"
    let record = "usr/local/libexec/docsource/installed"
    try place.file(String(dropped.dropFirst()))
    try place.file(record, place.text(record) + "file \(dropped)\n")
    try place.file("usr/local/share/fish/theirs")
    #expect(try Self.make("install", place.root).status == 0)
    #expect(!FileManager.default.fileExists(atPath: place.root + dropped))
    #expect(try Self.make("uninstall", place.root).status == 0)
    #expect(
      try Self.listing(place.root)
        == (before + ["755 usr/local/share/fish/", "644 usr/local/share/fish/theirs"]).sorted())
    let again = try Self.make("uninstall", place.root)
    #expect(again.errors.hasPrefix("not installed here: there is no \(place.root)/usr/local/"))
    #expect(again.status == 2)
  }

  @Test func installingNeitherBuildsNorInstallsPackages() throws {
    let place = try TemporaryDirectory()
    let plan = try Self.make("install", place.root, "--dry-run")
    #expect(
      plan.text
        == "Sources/Integrations/installation install '\(place.root)' '/usr/local'"
        + " '\(Docsource.path)' '/usr/local/lib'\n")
    let missing = try Self.make("install", place.root, "BINARY=\(place.root)/docsource")
    #expect(missing.errors.hasPrefix("docsource is not built: run make first\n"))
    #expect(missing.status == 2)
    let relative = try Self.make("install", place.root, "PREFIX=usr")
    #expect(relative.errors.hasPrefix("PREFIX must be an absolute path: 'usr'\n"))
    let other = try Self.make("install", place.root, "LIBDIR=lib")
    #expect(other.errors.hasPrefix("LIBDIR must be an absolute path: 'lib'\n"))
    #expect(try Self.listing(place.root) == [])
  }

  @Test(arguments: [
    ("/", "/"), ("/usr//local//", "/usr/local/"), ("/a/../b", "/b/"), ("/it's", "/it's/"),
    (#"/$$x "q" \ `id` *"#, #"/$x "q" \ `id` */"#),
  ])
  func prefixMayBeOdd(_ prefix: String, _ meant: String) throws {
    let place = try TemporaryDirectory()
    let installed = try Self.make("install", place.root, "PREFIX=\(prefix)")
    #expect(installed.errors == "")
    #expect(installed.status == 0)
    let tool = place.root + meant + "bin/docsource"
    #expect(try Execution.run([tool, "--version"]).text == Docsource.run("--version").text)
    let uninstalled = try Self.make("uninstall", place.root, "PREFIX=\(prefix)")
    #expect(uninstalled.errors == "")
    #expect(uninstalled.status == 0)
    #expect(try Self.listing(place.root) == [])
  }

  @Test func directoryThatBeginsWithADashIsNoOption() throws {
    let place = try TemporaryDirectory()
    let script = Fixture.root.appending(path: "Sources/Integrations/installation").path
    let installed = try Execution.run(
      [script, "install", "-rf", "/usr", Docsource.path], in: place.root)
    #expect(installed.errors == "")
    #expect(installed.status == 0)
    #expect(FileManager.default.isExecutableFile(atPath: place.path("-rf/usr/bin/docsource")))
    #expect(try Execution.run([script, "uninstall", "-rf", "/usr"], in: place.root).errors == "")
    #expect(try Self.listing(place.root) == ["755 -rf/"])
    let lines = try Execution.run([script, "install", place.root, "/a\nb", Docsource.path])
    #expect(lines.errors == "PREFIX must be one line: '/a\nb'\n")
    #expect(lines.status == 64)
  }

  @Test func installingThatFailsMidwayLeavesNothingAfterUninstalling() throws {
    let (place, built) = (try TemporaryDirectory(), try TemporaryDirectory())
    // What cannot be copied.
    let names = "{archive,content,fetch,records,repositories,share,xml}"
    let script = "cp '\(Docsource.path)' docsource && mkdir docsource-\(names)"
    #expect(try Execution.run(["bash", "-c", script], in: built.root).status == 0)
    // The last one given counts.
    let failed = try Self.make("install", place.root, "BINARY=\(built.path("docsource"))")
    #expect(failed.errors.hasPrefix("cat: "))
    #expect(failed.status == 2)
    #expect(
      try Self.listing(place.root).filter { !$0.hasSuffix("/") } == [
        "644 usr/local/libexec/docsource/installed.new", "755 usr/local/bin/docsource",
      ])
    #expect(try Self.make("uninstall", place.root).status == 0)
    #expect(try Self.listing(place.root) == [])
  }

  @Test func whatOthersHaveInTheWayIsNotWrittenThroughOrInto() throws {
    let place = try TemporaryDirectory()
    try place.file("mine", "mine\n")
    let script = """
      mkdir -p usr/local/bin usr/local/libexec/docsource/docsource-xml
      ln -s ../../../mine usr/local/bin/docsource.new
      """
    #expect(try Execution.run(["sh", "-c", script], in: place.root).status == 0)
    let failed = try Self.make("install", place.root)
    #expect(failed.errors.hasPrefix("mv: cannot overwrite directory "))
    #expect(failed.status == 2)
    #expect(try place.text("mine") == "mine\n")
    #expect(try Self.make("uninstall", place.root).status == 0)
    #expect(
      try Self.listing(place.root) == [
        "644 mine", "755 usr/", "755 usr/local/", "755 usr/local/bin/", "755 usr/local/libexec/",
        "755 usr/local/libexec/docsource/", "755 usr/local/libexec/docsource/docsource-xml/",
      ])
  }
}
