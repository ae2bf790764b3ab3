import TestSupport
import Testing

/// The menu of `docsource share` on a terminal, and how it leaves that terminal.
@Suite struct ShareMenuTests {
  private static func environment(_ place: DesktopWorld) -> [String: String] {
    place.environment.merging(["TERM": "xterm"]) { $1 }
  }

  @Test(arguments: ["SIGHUP", "SIGINT", "SIGTERM"])
  func signalEndsItWhenTheTerminalIsAsItWas(_ signal: String) throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x\n")
    let script = Fixture.root.appending(path: "Tests/Scripts/end-on-terminal").path
    let run = try Execution.run(
      [script, "Share with:", signal, "--", Docsource.path, "share", "-n", "a.txt"],
      in: place.directory.root, environment: Self.environment(place))
    #expect(run.errors == "" && run.text == "\(signal) as it was\n")
  }

  @Test func escapeAloneCancels() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x\n")
    let script = Fixture.root.appending(path: "Tests/Scripts/type-on-terminal").path
    let run = try Execution.run(
      [script, "Share with:", #"\x1b"#, "--", Docsource.path, "share", "-n", "a.txt"],
      in: place.directory.root, environment: Self.environment(place))
    #expect(run.errors == "" && run.text.hasSuffix("docsource: cancelled\r\n"))
  }
}

/// Options of `docsource share` besides whom to hand over to.
@Suite struct ShareOptionTests {
  @Test func optionsOfATargetAreItsArguments() throws {
    let place = try DesktopWorld()
    _ = try place.file("a.txt", "x\n")
    try place.recorder("reader")
    _ = try place.file(
      "home/docsource/targets/reader.target",
      "[Share Target]\nName=Reader\nExec=reader -q\nOptions=folder;visibility=public\n")
    let plain = try place.share("--to", "reader", "a.txt")
    #expect(plain.errors == "" && plain.status == 0)
    #expect(try place.recorded("reader").words == ["-q", "visibility=public"])
    let run = try place.share(
      "--to", "reader", "--option", "folder=a b", "--option=visibility=", "a.txt")
    #expect(run.errors == "" && run.status == 0)
    #expect(try place.recorded("reader").words == ["-q", "folder=a b", "visibility="])
    let dry = try place.share("-n", "--to", "reader", "--option", "folder=-x", "a.txt")
    #expect(dry.text.hasPrefix("would run: reader -q folder=-x visibility=public\n"))
    for (target, option, message) in [
      (
        "reader", "colour=red",
        "'colour' is not an option of the target; it has folder, visibility"
      ),
      ("reader", "folder", "'folder' is invalid; expected NAME=VALUE"),
      ("save", "folder=later", "'save' is no share target"),
    ] {
      let wrong = try place.share("--to", target, "--option", option, "a.txt")
      #expect(wrong.status == 64 && wrong.text == "")
      #expect(
        wrong.errors == "docsource: share: --option: \(message); see 'docsource help share'\n")
    }
  }

  /// Where nobody has logged in on a desktop, there is no user-dirs.dirs.
  @Test func copiesGoToUsualDirectoriesThatAreThere() throws {
    let place = try DesktopWorld()
    _ = try place.picture("p.png")
    _ = try place.file("a.zip", "PK\u{3}\u{4}")
    _ = try place.file("Pictures/keep", "")
    let picture = try place.share("--to", "save", "p.png")
    #expect(picture.errors == "" && picture.status == 0)
    let copy = place.directory.path("Pictures/p.png")
    #expect(picture.text == "p.png: handed over to Save: saved: \(copy)\n")
    let refused = "cannot hand over to Save: user-dirs.dirs names no directory XDG_DOWNLOAD_DIR"
    let absent = try place.share("--to", "save", "a.zip")
    #expect(absent.errors == "docsource: a.zip: \(refused); give --into DIR\n")
    #expect(absent.status == 2)
    _ = try place.file("Downloads", "no directory")
    #expect(
      try place.share("--to", "save", "a.zip").errors
        == "docsource: a.zip: \(refused); give --into DIR\n")
  }

  /// As GLib and xdg-user-dirs have it: the home directory itself is a directory that is not wanted.
  @Test func directoryThatIsNotWantedIsNotTheUsualOne() throws {
    let place = try DesktopWorld()
    _ = try place.picture("p.png")
    _ = try place.file("Pictures/keep", "")
    _ = try place.file("config/user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/\"\n")
    let refused = try place.share("--to", "save", "p.png")
    #expect(
      refused.errors
        == "docsource: p.png: cannot hand over to Save: user-dirs.dirs names no directory"
        + " XDG_PICTURES_DIR; give --into DIR\n")
  }
}
