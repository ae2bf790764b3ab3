import Foundation
import TestSupport
import Testing

/// The library as `make install` puts it there, used as the README and documentsource(3) say.
@Suite(.enabled(if: try SharedLibrary.isExpected)) struct InstalledLibraryTests {
  private let place: TemporaryDirectory
  private let prefix: String

  init() throws {
    place = try TemporaryDirectory()
    prefix = place.path("opt/doc & source|x")
    // The library is installed with what lies beside it.
    let built = place.path("built")
    let script = """
      mkdir "$2" && cp -dR "$1"/share "$1"/libdocumentsource.so* "$2"
      for program in docsource docsource-archive docsource-content docsource-fetch docsource-records \
        docsource-repositories docsource-share docsource-xml; do
        printf '#!/bin/sh\\n' >"$2/$program" && chmod 755 "$2/$program" || exit
      done
      "$3" install '' "$4" "$2/docsource"
      """
    let installed = try Execution.run([
      "sh", "-c", script, "sh", SharedLibrary.directory, built,
      SharedLibrary.source("Integrations/installation"), prefix,
    ])
    try #require(installed.errors == "")
    try #require(installed.status == 0)
  }

  /// The one example of a language.
  private static func example(_ language: String) throws -> String {
    let url = Fixture.root.appending(path: "README.md")
    let blocks = try String(contentsOf: url, encoding: .utf8)
      .components(separatedBy: "\n```\(language)\n")
    try #require(blocks.count == 2)
    return try #require(blocks[1].components(separatedBy: "\n```").first) + "\n"
  }

  private func run(_ command: String) throws -> Execution {
    try Execution.run(
      ["sh", "-c", command], in: place.root,
      environment: [
        "PKG_CONFIG_PATH": "\(prefix)/lib/pkgconfig", "LD_LIBRARY_PATH": "\(prefix)/lib",
        "PYTHONPATH": "\(prefix)/\(try SharedLibrary.pythonModules())",
        "PYTHONDONTWRITEBYTECODE": "1",
      ])
  }

  /// The one program below a heading of the manual page.
  private static func program(_ heading: String) throws -> String {
    let blocks = try RenderedPage("documentsource.3").blocks(below: heading)
    try #require(blocks.count == 1)
    return blocks[0].joined(separator: "\n") + "\n"
  }

  // What pkg-config quotes, a shell has to read.
  private static let runsC = "eval \"gcc -std=c11 letter.c \(flags) -o letter\" && ./letter"
  private static let flags = "-Wall -Wextra -Werror $(pkg-config --cflags --libs documentsource)"

  @Test func examplesOfTheReadmeWorkWithWhatIsInstalled() throws {
    try place.file("letter.txt")
    try place.file("letter.c", Self.example("c"))
    try place.file("letter.py", Self.example("python"))
    let inC = try run(Self.runsC)
    #expect(inC.errors == "")
    #expect(inC.text == "")
    #expect(inC.status == 0)
    let inPython = try run("python3 letter.py")
    #expect(inPython.errors == "")
    #expect(inPython.text == "Editor\n")
  }

  @Test func programsOfTheManualPageWorkWithWhatIsInstalled() throws {
    try place.file("letter.txt")
    try place.file("letter.c", Self.program("C"))
    try place.file("letter.cpp", Self.program("C++"))
    try place.file("letter.py", Self.program("PYTHON"))
    let inC = try run(Self.runsC)
    #expect(inC.errors == "")
    #expect(inC.text == "Editor\n")
    let inCPlusPlus = try run(
      "eval \"g++ -std=c++17 letter.cpp \(Self.flags) -o letter++\" && ./letter++")
    #expect(inCPlusPlus.errors == "")
    #expect(inCPlusPlus.text == "Editor\n")
    let inPython = try run("python3 letter.py")
    #expect(
      inPython.text == """
        Editor drafts/letter.txt
        NOT_FOUND missing.txt: cannot read document source: no such file or directory

        """)
    #expect(inPython.errors == "")
    #expect(inPython.status == 0)
    #expect(try run("pkg-config --modversion documentsource").text == "1.9\n")
  }

  @Test func desktopStartsTheDialogWhereverItIsInstalled() throws {
    let entry = try run("cat opt/*/share/applications/org.docsource.Dialog.desktop").text
    let program = "\(prefix)/libexec/docsource/docsource-dialog"
    #expect(entry.contains("\nExec=\"\(program)\" tag -- %F\n"))
  }

  @Test func libraryIsInstalledAndUninstalledWithItsLinks() throws {
    let listing = try run("cd opt/* && find lib include ! -type d -printf '%M %p %l\\n'")
    let modules = try SharedLibrary.pythonModules()
    #expect(
      listing.text.split(separator: "\n").sorted() == [
        "-rw-r--r-- include/documentsource.h ", "-rw-r--r-- include/documentsource.hpp ",
        "-rw-r--r-- lib/libdocumentsource.so.1.9 ",
        "-rw-r--r-- lib/pkgconfig/documentsource.pc ",
        "-rw-r--r-- \(modules)/documentsource.py ",
        "-rw-r--r-- lib/systemd/system/docsource-watch.service ",
        "lrwxrwxrwx lib/libdocumentsource.so libdocumentsource.so.1",
        "lrwxrwxrwx lib/libdocumentsource.so.1 libdocumentsource.so.1.9",
      ])
    let uninstalled = try Execution.run([
      SharedLibrary.source("Integrations/installation"), "uninstall", "", prefix,
    ])
    #expect(uninstalled.errors == "")
    #expect(uninstalled.status == 0)
    #expect(try run("ls opt").text == "")
  }

  @Test func libraryCanBeInstalledWherePackagesHaveTheirs() throws {
    let installed = try Execution.run([
      SharedLibrary.source("Integrations/installation"), "install", place.path("package"), "/usr",
      place.path("built/docsource"), "/usr/lib/x86_64-linux-gnu",
    ])
    #expect(installed.errors == "")
    #expect(installed.status == 0)
    let listing = try run("cd package/usr && find lib share/zsh ! -type d")
    #expect(
      listing.text.split(separator: "\n").sorted() == [
        "lib/python3/dist-packages/documentsource.py",
        "lib/systemd/system/docsource-watch.service",
        "lib/x86_64-linux-gnu/libdocumentsource.so",
        "lib/x86_64-linux-gnu/libdocumentsource.so.1",
        "lib/x86_64-linux-gnu/libdocumentsource.so.1.9",
        "lib/x86_64-linux-gnu/pkgconfig/documentsource.pc",
        "share/zsh/vendor-completions/_docsource",
      ])
    let variable = "pkg-config --define-variable=prefix=/other --variable=libdir"
    #expect(
      try run("\(variable) package/usr/lib/*/pkgconfig/documentsource.pc").text
        == "/other/lib/x86_64-linux-gnu\n")
  }

  /// docsource-fetch is found from where the library is installed.
  @Test func fetchingProgramIsFoundInLibexec() throws {
    let program = """
      import documentsource, select
      fetch = documentsource.Fetch("https://example.org/appInfo.json", 48)
      select.select([fetch], [], [])
      print(fetch.result().name)
      """
    try place.file("fetch.py", program)
    let fetched = try run("python3 fetch.py")
    #expect(fetched.errors == "")
    #expect(fetched.text == "OK\n")
    #expect(fetched.status == 0)
  }
}
