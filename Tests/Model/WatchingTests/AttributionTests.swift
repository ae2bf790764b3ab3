import Applications
import ForeignFormats
import Glibc
import TestSupport
import Testing

@testable import Watching

/// Whose processes are, by facts that are made up.
@Suite struct AttributionTests {
  private let home: ApplicationsHome
  private let applications: InstalledApplications

  init() throws {
    home = try ApplicationsHome()
    try home.program("usr/bin/editor")
    try home.entry(
      "org.example.Editor", "Name=Editor", "Icon=editor-icon", "Exec=editor %U",
      "DBusActivatable=true")
    try home.entry("org.example.Editor-helper", "Name=Helper", "Exec=editor %U", "NoDisplay=true")
    try home.program("opt/office/launch", "#!/bin/sh\n")
    let office = home.directory.path("opt/office/launch")
    try home.entry("office-writer", "Name=Writer", "Exec=\(office) --writer %U")
    try home.entry("office-start", "Name=Office", "Exec=\(office) %U")
    try home.program("usr/bin/notes", "#!/usr/bin/python3\n")
    try home.entry("notes", "Name=Notes", "Exec=env X=Y notes %U")
    try home.program("usr/bin/term")
    try home.entry(
      "org.example.Term", "Name=Term", "Exec=term", "Categories=System;TerminalEmulator;")
    try home.program("usr/bin/files")
    try home.entry("org.example.Files", "Name=Files", "Exec=files", "Categories=FileManager;Core")
    try home.entry("exported", "Name=Exported", "X-Flatpak=org.example.Flat", "Exec=flatpak run x")
    try home.entry("gimp_gimp", "Name=Snapped", "Exec=/snap/bin/gimp %U")
    try home.entry("gone", "Name=Gone", "Exec=gone-program", "TryExec=tried")
    try home.program("usr/bin/tried")
    try home.program("usr/bin/twins")
    try home.entry("twin-a", "Name=A", "Exec=twins")
    try home.entry("twin-b", "Name=B", "Exec=twins")
    try home.entry("script", "Name=Script", "Exec=sh -c \"a; b\"")
    try home.program("usr/bin/pack")
    try home.entry(
      "org.example.Pack", "Name=Pack", "Exec=pack %U", "Categories=Utility;Archiving;",
      "MimeType=application/zip;")
    try home.file(
      "usr/share/mime/globs2",
      "50:application/zip:*.zip\n50:text/plain:*.txt\n50:application/pdf:*.pdf\n"
        + "50:application/text:*.odt\n50:application/sheet:*.ods\n50:text/csv:*.csv\n")
    var applications = home.applications
    applications.describe(
      [
        ("org.example.Bare", "Bare"), ("org.example.Old", "Old"),
        ("org.example.Editor", "Not this"),
        ("org.example.Bare", "Second"),
      ].map { ApplicationDescription(identifier: $0, name: $1, icon: "bare-icon") })
    self.applications = applications
  }

  private let editor = Attribution.application(
    ApplicationDescription(identifier: "org.example.Editor", name: "Editor", icon: "editor-icon"))

  private func application(_ identifier: String, _ name: String? = nil) -> Attribution {
    .application(ApplicationDescription(identifier: identifier, name: name))
  }

  private func facts(
    _ program: String?, _ identifier: Int32 = 100, parent: Int32 = 50, session: Int32 = 10,
    terminal: Bool = false, arguments: [String] = [], unit: String? = nil,
    launch: ProcessFacts.Launch? = nil, flatpak: String? = nil
  ) -> ProcessFacts {
    let path = program.map { $0.hasPrefix("//") ? String($0.dropFirst()) : home.directory.path($0) }
    let name = (program ?? "").split(separator: "/").last ?? ""
    return ProcessFacts(
      identifier: identifier, parent: parent, session: session, hasTerminal: terminal,
      command: Array(name.utf8), executable: path.map { Array($0.utf8) },
      arguments: ([String(name)] + arguments).map { Array($0.utf8) },
      controlGroups: Array("0::/user.slice/\(unit ?? "session-1.scope")\n".utf8), launch: launch,
      flatpak: flatpak)
  }

  private func of(_ process: ProcessFacts?, _ ancestors: ProcessFacts...) -> Attribution {
    Attribution.of(process, ancestors: ancestors, among: applications)
  }

  @Test func writerThatIsGoneIsUnknown() {
    #expect(of(nil) == .unknown)
    // It is ending: its memory and with it its program are gone already.
    #expect(of(facts(nil)) == .unknown)
    #expect(of(facts(nil, unit: "app-x-org.example.Editor-1.scope")) == editor)
    var copier = facts(nil, unit: "app-x-org.example.Editor-1.scope")
    copier.command = Array("cp".utf8)
    #expect(of(copier) == .none(.plain(.copier)))
  }

  /// Its parent has not asked for it yet: all that is left of its program is the name.
  @Test func writerThatHasEndedIsKnownByItsNameAndParents() throws {
    func ended(_ command: String, unit: String? = nil) -> ProcessFacts {
      var process = facts(nil, unit: unit)
      process.command = Array(command.utf8)
      return process
    }
    #expect(of(ended("editor")) == editor)
    #expect(of(ended("plug-in"), facts("usr/bin/editor", 50)) == editor)
    #expect(of(ended("plug-in"), facts("usr/bin/files", 50)) == .none(.fileManager))
    #expect(of(ended("plug-in")) == .unknown)
    #expect(of(ended("editor2")) == .unknown)
    #expect(of(ended("python3"), facts("usr/bin/make", 50)) == .none(.plain(.compiler)))
    #expect(of(ended("plug-in", unit: "app-x-org.example.Editor-1.scope")) == editor)
    let home = try ApplicationsHome()
    try home.program("usr/bin/a-program-of-some-length")
    try home.program("usr/lib/wrapped/wrapped-program")
    symlink("../lib/wrapped/wrapped-program", home.directory.path("usr/bin/wrapped"))
    try home.entry("long", "Name=Long", "Exec=a-program-of-some-length --new")
    try home.entry("wrapped", "Name=Wrapped", "Exec=wrapped %U")
    func found(_ command: String) -> Attribution {
      Attribution.of(ended(command), ancestors: [], among: home.applications)
    }
    #expect(found("a-program-of-so") == application("long", "Long"))
    #expect(found("a-program-of-some-length") == .unknown)
    #expect(found("wrapped") == application("wrapped", "Wrapped"))
    #expect(found("wrapped-program") == application("wrapped", "Wrapped"))
  }

  @Test func plainProgramsAreNobodysWhereverTheyRun() {
    let unit = "app-x-org.example.Editor-1.scope"
    let launch = ProcessFacts.Launch(desktopFile: "/a/org.example.Editor.desktop", identifier: 100)
    for (program, kind) in [
      ("usr/bin/dash", PlainProgram.shell), ("usr/bin/cp", .copier), ("usr/bin/gcc-12", .compiler),
      ("usr/bin/git", .versionControl), ("usr/libexec/xdg-desktop-portal", .service),
      ("usr/libexec/xdg-document-portal", .portal),
    ] {
      #expect(
        of(facts(program, unit: unit, launch: launch, flatpak: "org.example.Flat"))
          == .none(.plain(kind)))
    }
  }

  @Test func flatpakIsKnownByItsInfo() {
    #expect(
      of(facts("app/bin/x", flatpak: "org.example.Flat")) == application("exported", "Exported"))
    #expect(of(facts("app/bin/x", flatpak: "org.example.New")) == application("org.example.New"))
    #expect(of(facts("app/bin/x", flatpak: "org.example.Editor")) == editor)
    #expect(of(facts("app/bin/x", flatpak: "org.example.Term")) == .none(.terminal))
  }

  @Test func applicationWithoutADesktopEntryHasItsNameFromAppStream() {
    func described(_ identifier: String, _ name: String) -> Attribution {
      .application(ApplicationDescription(identifier: identifier, name: name, icon: "bare-icon"))
    }
    #expect(
      of(facts("app/bin/x", flatpak: "org.example.Bare")) == described("org.example.Bare", "Bare"))
    #expect(
      of(facts("opt/x", unit: "app-gnome-org.example.Old-4242.scope"))
        == described("org.example.Old", "Old"))
    #expect(of(facts("opt/x", unit: "app-gnome-org.example.Editor-4242.scope")) == editor)
  }

  @Test func snapIsKnownByItsUnit() {
    let uuid = "0a1b2c3d-1111-2222-3333-444455556666"
    #expect(
      of(facts("snap/gimp", unit: "snap.gimp.gimp-\(uuid).scope"))
        == application("gimp_gimp", "Snapped"))
    #expect(of(facts("x", unit: "snap.a.b-\(uuid).scope")) == application("a_b"))
    #expect(of(facts("x", unit: "snap.a.b.service")) == .none(.service))
  }

  @Test func unitsOfApplicationsAreBelieved() {
    #expect(of(facts("opt/x", unit: "app-gnome-org.example.Editor-4242.scope")) == editor)
    #expect(of(facts("opt/x", unit: "app-org.example.Editor@1a.service")) == editor)
    #expect(
      of(facts("opt/x", unit: "app-gnome-org.gnome.TextEditor-4242.scope"))
        == application("org.gnome.TextEditor"))
    #expect(
      of(facts("opt/x", unit: "app-office\\x2dwriter-1.scope"))
        == application("office-writer", "Writer"))
    #expect(of(facts("opt/x", unit: "app-x-twin-a-1.scope")) == application("twin-a", "A"))
    // A launcher's own helpers are neither installed nor named like applications.
    #expect(of(facts("opt/x", unit: "app-gnome-keyring-1.scope")) == .none(.nothingKnown))
    // A program that is a file has no identifier; desktops name the unit by the file.
    for name in ["Foo\\x2d1.2.AppImage", "Foo.AppImage", "my.own.sh", "a.b", "tool-1.2.3"] {
      #expect(of(facts("opt/x", unit: "app-gnome-\(name)-99.scope")) == .none(.nothingKnown))
    }
    #expect(of(facts("opt/x", unit: "app-x-org.example.Term-1.scope")) == .none(.terminal))
    #expect(of(facts("opt/x", unit: "app-x-org.example.Files-1.scope")) == .none(.fileManager))
    #expect(of(facts("opt/x", unit: "dbus-:1.2-org.example.Editor@0.service")) == editor)
    #expect(of(facts("opt/x", unit: "dbus-:1.2-org.example.Files@0.service")) == .none(.service))
    #expect(of(facts("usr/bin/editor", unit: "session.slice/a.service")) == .none(.service))
    // GNOME Shell takes screenshots.
    #expect(of(facts("opt/x", unit: "session.slice/org.example.Editor@x.service")) == editor)
    #expect(
      of(facts("opt/x", unit: "background.slice/org.example.Editor.service")) == .none(.service))
    #expect(of(facts("usr/bin/editor", unit: "app.slice/editor.service")) == editor)
  }

  @Test func whatRunsInATerminalOfAnApplicationIsNotTheApplications() {
    let unit = "app-x-org.example.Editor-1.scope"
    let shell = facts("usr/bin/bash", 10, parent: 5, session: 10, terminal: true, unit: unit)
    let tool = facts("opt/x", parent: 10, terminal: true, unit: unit)
    #expect(of(tool, shell) == .none(.terminal))
    #expect(of(tool) == .none(.terminal))
    #expect(of(facts("opt/x", parent: 10, unit: unit), shell) == editor)
    // The process was put into its own unit from there.
    let other = facts("usr/bin/bash", 10, session: 10, terminal: true, unit: "session-2.scope")
    #expect(of(tool, other) == editor)
    // What is an application by its program is that everywhere.
    #expect(of(facts("usr/bin/notes-x", parent: 10, terminal: true), shell) == .none(.terminal))
    let notes = facts(
      "//usr/bin/python3.11", terminal: true, arguments: [home.directory.path("usr/bin/notes")])
    #expect(of(notes, shell) == application("notes", "Notes"))
  }

  @Test func startByGIOCountsForThatProcessOnly() {
    func launch(_ file: String, _ identifier: Int32 = 100) -> ProcessFacts.Launch {
      ProcessFacts.Launch(desktopFile: file, identifier: identifier)
    }
    let file = "/usr/share/applications/org.example.Editor.desktop"
    #expect(of(facts("opt/x", launch: launch(file))) == editor)
    #expect(of(facts("opt/x", launch: launch(file, 99))) == .none(.nothingKnown))
    #expect(
      of(facts("opt/x", launch: launch("/a/applications/office/writer.desktop")))
        == application("office-writer", "Writer"))
    #expect(of(facts("opt/x", launch: launch("/home/u/org.a.b.desktop"))) == application("org.a.b"))
    #expect(of(facts("opt/x", launch: launch("/home/u/a.b.desktop"))) == .none(.nothingKnown))
    #expect(of(facts("opt/x", launch: launch("/home/u/mine.desktop"))) == .none(.nothingKnown))
    #expect(of(facts("opt/x", launch: launch(""))) == .none(.nothingKnown))
    let starter = facts("opt/wrapper", 99, parent: 10, launch: launch(file, 99))
    #expect(of(facts("opt/x", parent: 99, launch: launch(file, 99)), starter) == editor)
    let terminal = facts(
      "usr/bin/term", 99, parent: 10, launch: launch("/a/org.example.Term.desktop", 99))
    #expect(of(facts("opt/x", parent: 99), terminal) == .none(.terminal))
  }

  @Test func programIsFoundAmongDesktopEntries() {
    #expect(of(facts("usr/bin/editor")) == editor)
    #expect(of(facts("//home/u/.local/bin/editor")) == editor)
    #expect(of(facts("//home/u/src/editor/editor")) == .none(.nothingKnown))
    #expect(of(facts("usr/bin/editor2")) == .none(.nothingKnown))
    #expect(of(facts("usr/bin/tried")) == application("gone", "Gone"))
    #expect(of(facts("//opt/gone/bin/gone-program")) == application("gone", "Gone"))
    #expect(of(facts("usr/bin/twins")) == .none(.nothingKnown))
  }

  @Test func programBesideAnApplicationsScriptIsTheApplications() {
    #expect(
      of(facts("opt/office/office.bin", arguments: ["--writer"]))
        == application("office-writer", "Writer"))
    #expect(of(facts("opt/office/office.bin")) == application("office-start", "Office"))
    #expect(of(facts("opt/office/below/office.bin")) == .none(.nothingKnown))
    #expect(of(facts("usr/bin/other")) == .none(.nothingKnown))
  }

  @Test func scriptIsFoundAfterItsInterpreter() {
    let script = home.directory.path("usr/bin/notes")
    #expect(
      of(facts("//usr/bin/python3.11", arguments: ["-O", script, "x"]))
        == application("notes", "Notes"))
    #expect(of(facts("//usr/bin/python3.11", arguments: ["-c", script])) == .none(.nothingKnown))
    #expect(of(facts("//usr/bin/python3.11", arguments: ["x", script])) == .none(.nothingKnown))
    #expect(of(facts("//usr/bin/python3.11")) == .none(.nothingKnown))
    #expect(of(facts("//opt/x", arguments: [script])) == .none(.nothingKnown))
  }

  @Test func childrenAreOfTheApplicationTheyDescendFrom() {
    let parent = facts("usr/bin/editor", 50, parent: 40)
    #expect(of(facts("opt/x"), parent) == editor)
    #expect(of(facts("opt/x"), facts("opt/y", 50), facts("usr/bin/editor", 40)) == editor)
    // A script between them is no terminal.
    #expect(of(facts("opt/x"), facts("usr/bin/sh", 50), facts("usr/bin/editor", 40)) == editor)
    #expect(
      of(facts("opt/x"), facts("usr/bin/sh", 50, terminal: true), facts("usr/bin/editor", 40))
        == .none(.terminal))
    #expect(
      of(facts("opt/x"), facts("opt/leader", 10, session: 10), facts("usr/bin/editor", 5))
        == .none(.nothingKnown))
    #expect(of(facts("opt/x"), facts("usr/bin/files", 50)) == .none(.fileManager))
    #expect(of(facts("opt/x"), facts("//usr/lib/systemd", 50)) == .none(.service))
  }

  @Test func whatABuildToolRunsIsNotTheEditors() {
    let unit = "app-x-org.example.Editor-1.scope"
    let made = facts("//usr/bin/python3.11", 100, parent: 60, unit: unit)
    let make = facts("usr/bin/make", 60, parent: 50, unit: unit)
    let editor = facts("usr/bin/editor", 50, parent: 10, unit: unit)
    let shell = facts("usr/bin/sh", 55, parent: 50, unit: unit)
    #expect(of(made, make, editor) == .none(.plain(.compiler)))
    #expect(of(made, make, shell, editor) == .none(.plain(.compiler)))
    #expect(of(made, shell, editor) == self.editor)
    // Without units.
    #expect(
      of(facts("opt/x"), facts("usr/bin/ninja", 60), facts("usr/bin/editor", 50))
        == .none(.plain(.compiler)))
    // An application that was started by a build tool, and what that application starts.
    #expect(of(facts("usr/bin/editor"), facts("usr/bin/make", 60)) == self.editor)
    #expect(
      of(facts("opt/x"), facts("usr/bin/editor", 60), facts("usr/bin/make", 50)) == self.editor)
    // The process was put into a unit of its own.
    #expect(of(facts("opt/x", unit: unit), facts("usr/bin/make", 60)) == self.editor)
    #expect(
      of(facts("opt/x", flatpak: "org.example.Editor"), facts("usr/bin/make", 60))
        == .none(.plain(.compiler)))
  }

  @Test func archiversHaveOthersPack() {
    let archiver = facts("usr/bin/pack", 50)
    let pack = application("org.example.Pack", "Pack")
    #expect(of(facts("usr/bin/zip"), archiver) == pack)
    #expect(of(facts("usr/bin/zip"), facts("usr/bin/sh", 60), archiver) == pack)
    let editor = facts("usr/bin/editor", 60)
    #expect(of(facts("usr/bin/zip"), editor, archiver) == .none(.plain(.copier)))
    #expect(of(facts("usr/bin/cat"), archiver) == .none(.plain(.tool)))
    #expect(of(facts("usr/bin/zip"), facts("usr/bin/files", 50)) == .none(.plain(.copier)))
  }

  @Test func archiversMakeArchivesAndCopyAllElse() {
    func product(_ path: String) -> InstalledApplications.Product {
      applications.product(
        of: ApplicationDescription(identifier: "org.example.Pack", name: "Pack"),
        at: Array(path.utf8))
    }
    #expect(
      product("/d/new.ZIP")
        == .application(ApplicationDescription(identifier: "org.example.Pack", name: "Pack")))
    #expect(product("/d/letter.txt") == .copy)
    #expect(product("/d/new.zip.x8Yz") == .undecided)
  }

  @Test func optionsDecideOnlyBetweenEntriesOfOneProgram() throws {
    let home = try ApplicationsHome()
    let shot = try home.program("usr/bin/shot")
    let tool = try home.program("usr/bin/tool")
    try home.entry("shot", "Name=Shot", "Exec=shot --interactive")
    try home.entry("tool", "Name=Tool", "Exec=tool gui --new")
    let applications = home.applications
    func of(_ path: String, _ arguments: String...) -> Attribution {
      let process = ProcessFacts(
        identifier: 60, executable: Array(path.utf8),
        arguments: ([path] + arguments).map { Array($0.utf8) })
      return Attribution.of(process, ancestors: [], among: applications)
    }
    #expect(of(shot, "-f", "a") == application("shot", "Shot"))
    #expect(of(tool, "gui", "--new") == application("tool", "Tool"))
    // A word that is no option is another command of the program.
    #expect(of(tool, "list") == .none(.nothingKnown))
  }

  @Test(arguments: [
    ("writer", "/d/a.odt", "writer"), ("writer", "/d/a.ods", "calc"), ("whole", "/d/a.ods", "calc"),
    ("calc", "/d/a.csv", "calc"), ("writer", "/d/a.csv", "calc"), ("writer", "/d/a.pdf", "writer"),
    ("whole", "/d/a.pdf", "whole"), ("writer", "/d/a.txt", "writer"), ("writer", "/d/a", "writer"),
    ("whole", "/d/a.zip", "whole"), ("other", "/d/a.odt", "other"), ("none", "/d/a.odt", "none"),
  ])
  func entryOfTheProgramThatOpensTheTypeCounts(
    _ started: String, _ path: String, _ expected: String
  ) throws {
    let home = try ApplicationsHome()
    try home.program("opt/office/launch", "#!/bin/sh\n")
    try home.file(
      "usr/share/mime/globs2",
      "50:application/zip:*.zip\n50:text/plain:*.txt\n50:application/pdf:*.pdf\n"
        + "50:application/text:*.odt\n50:application/sheet:*.ods\n50:text/csv:*.csv\n")
    let office = home.directory.path("opt/office/launch")
    for (identifier, types) in [
      ("whole", ""), ("writer", "application/text;text/plain"),
      ("calc", "application/sheet;text/csv"), ("draw", "application/pdf;"),
      ("one", "application/zip"), ("two", "application/zip"),
    ] {
      try home.entry(
        identifier, "Name=\(identifier)", "Exec=\(office) --\(identifier) %U", "MimeType=\(types)")
    }
    try home.entry(
      "hidden", "Name=hidden", "Exec=\(office) %U", "NoDisplay=true", "MimeType=application/sheet")
    try home.program("usr/bin/other")
    try home.entry("other", "Name=other", "Exec=other %U")
    let application = ApplicationDescription(identifier: started, name: started)
    #expect(
      home.applications.product(of: application, at: Array(path.utf8))
        == .application(ApplicationDescription(identifier: expected, name: expected)))
  }

  /// Chromium's writes LIBDIR=/usr/lib/$APPNAME.
  @Test func wrappersAreFollowedToWhatTheyStart() throws {
    let home = try ApplicationsHome()
    let browser = try home.program("usr/lib/browser/browser-bin")
    let other = try home.program("usr/lib/other/other")
    let script = try home.program("usr/share/notes/notes.py", "#!/usr/bin/python3\n")
    try home.program("usr/bin/browser", "#!/bin/sh\nexec /usr/lib/$NAME/$NAME-bin\n")
    try home.program("usr/bin/other", "#!/bin/sh\nexec elsewhere\n")
    try home.program("usr/bin/notes", "#!/bin/sh\nexec python3 /usr/share/notes/notes.py\n")
    for name in ["browser", "other", "notes"] {
      try home.entry(name, "Name=\(name)", "Exec=\(name) %U")
    }
    func of(_ executable: String, _ arguments: String...) -> Attribution {
      let process = ProcessFacts(
        identifier: 60, executable: Array(executable.utf8),
        arguments: ([executable] + arguments).map { Array($0.utf8) })
      return Attribution.of(process, ancestors: [], among: home.applications)
    }
    #expect(of(browser) == application("browser", "browser"))
    #expect(of("/usr/bin/python3", script) == application("notes", "notes"))
    // Its script starts something else.
    #expect(of(other) == .none(.nothingKnown))
  }

  @Test func entryWithMoreArgumentsThanAnyHasNoProgram() throws {
    let home = try ApplicationsHome()
    let path = try home.program("usr/bin/many")
    for (identifier, count) in [("few", 64), ("many", 65)] {
      try home.entry(
        identifier, "Name=\(identifier)",
        "Exec=many " + (1...count).map { "\($0)" }.joined(separator: " "))
    }
    let process = ProcessFacts(
      identifier: 60, executable: Array(path.utf8),
      arguments: [Array(path.utf8)] + (1...65).map { Array("\($0)".utf8) })
    #expect(
      Attribution.of(process, ancestors: [], among: home.applications)
        == .application(ApplicationDescription(identifier: "few", name: "few")))
  }
}
