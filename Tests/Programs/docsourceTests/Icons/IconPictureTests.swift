import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource icon` with -o and --inline: the icon itself.
@Suite struct IconPictureTests {
  private static let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"

  /// Width and height in a PNG's header.
  private static func size(_ png: [UInt8]) -> [Int] {
    guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return [] }
    return [png[16..<20], png[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test func finishedIconIsWrittenAsItIs() throws {
    let home = try IconHome()
    try home.keep()
    #expect(try home.run("icon", "-o", "-", IconHome.url).output == IconHome.picture)
    let written = try home.run("icon", "-o", "icon.png", IconHome.url)
    #expect(written.text == "")
    #expect(written.errors == "")
    #expect(written.status == 0)
    #expect(try home.directory.bytes("icon.png") == IconHome.picture)
    let failed = try home.run("icon", "-o", "missing/icon.png", IconHome.url)
    #expect(
      failed.errors
        == "docsource: missing/icon.png: cannot write: no such file or directory\n")
    #expect(failed.status == 2)
    #expect(home.fetched == [])
  }

  @Test func iconOfAThemeIsScaledWithoutAnOutlineOfOurs() throws {
    let home = try IconHome(fetch: "/bin/cat")
    try home.installTheme()
    let path = try home.file(
      "share/icons/hicolor/64x64/apps/x.y.png", IconHome.picture)
    #expect(try home.run("icon", "x.y").text == "\(path)\n")
    #expect(try home.run("icon", "-o", "-", "x.y").output == IconHome.picture)
    #expect(try home.run("icon", "-o", "-", "--shape=superellipse", "x.y").status == 0)
    #expect(
      home.fetched == ["render 64.0 1.0 none stroke", "render 64.0 1.0 superellipse stroke"])
  }

  @Test func realProgramScales() throws {
    let home = try IconHome(fetch: nil)
    try home.file("home/.config/docsource/icons/x.y.png", IconHome.picture)
    let found = try home.run("icon", "--size=29", "--scale=2", "-o", "-", "x.y")
    #expect(Self.size(found.output) == [58, 58])
    #expect(found.errors == "")
  }

  @Test func fileThatIsNoPictureIsReported() throws {
    let home = try IconHome(fetch: nil)
    let path = try home.file(
      "home/.config/docsource/icons/x.y.png", Array(IconHome.picture.prefix(100)))
    let found = try home.run("icon", "-o", "icon.png", "x.y")
    #expect(found.errors.hasPrefix("docsource: \(path): cannot scale: "))
    #expect(found.errors.filter { $0 == "\n" }.count == 1)
    #expect(found.status == 2)
    #expect(access(home.directory.path("icon.png"), F_OK) != 0)
  }

  @Test func drawingNeedsRsvgConvert() throws {
    let home = try IconHome(fetch: "/bin/cat")
    let path = try home.file("home/.config/docsource/icons/x.y.svg", Array(Self.svg.utf8))
    home.set("PATH", home.bin)
    let failed = try home.run("icon", "-o", "-", "x.y")
    #expect(
      failed.errors
        == "docsource: \(path): an SVG needs rsvg-convert; install the package librsvg2-bin\n")
    #expect(failed.status == 2)
    #expect(home.fetched == [])
    try home.script("bin/rsvg-convert", "echo \"$*\"; exec /bin/cat")
    let drawn = try home.run("icon", "-o", "-", "--size=24", "x.y")
    #expect(
      drawn.text
        == "--width 24 --height 24 --keep-aspect-ratio --format png\n\(Self.svg)")
    #expect(home.fetched == ["render 24.0 1.0 none stroke"])
    try home.script("bin/rsvg-convert", "exit 1")
    #expect(
      try home.run("icon", "-o", "-", "x.y").errors
        == "docsource: \(path): rsvg-convert cannot draw the icon\n")
  }

  @Test func kittyGetsThePictureInPiecesOfBase64() throws {
    let home = try IconHome()
    let picture = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try home.keep(picture: picture + IconHome.picture.suffix(12))
    home.set("TERM", "xterm-kitty")
    // A multiplexer is recognized by its variable, empty or not.
    let shown = try Execution.run(
      ["env", "-u", "TMUX", "-u", "STY", "script", "-qec"]
        + ["\(home.docsource) icon --inline \(IconHome.url)", "/dev/null"],
      in: home.directory.root, environment: home.environment
    ).text
    let pieces = shown.components(separatedBy: "\u{1b}_G").dropFirst().map { piece in
      String(piece.prefix { $0 != "\u{1b}" })
    }
    #expect(pieces.count == 2)
    #expect(pieces.first?.hasPrefix("a=T,f=100,q=2,m=1;") == true)
    #expect(pieces.last?.hasPrefix("m=0;") == true)
    let base64 = pieces.map { $0.drop { $0 != ";" }.dropFirst() }
    #expect(base64.first?.count == 4096)
    #expect(
      Data(base64Encoded: base64.joined()) == Data(picture + IconHome.picture.suffix(12)))
    #expect(shown.hasSuffix("\u{1b}\\\r\n"))
  }

  @Test func otherTerminalsGetWhatChafaMakesOfIt() throws {
    let home = try IconHome()
    try home.keep()
    home.set("TERM", "xterm-kitty")  // inside a multiplexer, as IconHome has it
    home.set("PATH", "\(home.bin):/usr/bin:/bin")
    try home.script("bin/chafa", "echo \"chafa $*\"; cmp - \"$HOME/picture\" <\"$3\" && echo same")
    try home.file("home/picture", IconHome.picture)
    let shown = try home.runOnTerminal("icon", "--inline", IconHome.url)
    #expect(shown.text == "chafa --size 8x4 /dev/stdin\r\nsame\r\n")
    #expect(shown.status == 0)
    try home.script("bin/chafa", "exit 1")
    #expect(try home.runOnTerminal("icon", "--inline", IconHome.url).status == 2)
  }

  @Test func terminalThatShowsNoPicturesIsReported() throws {
    let home = try IconHome()
    try home.keep()
    try home.script("bin/sh", "exec /bin/sh \"$@\"")
    symlink("/usr/bin/script", "\(home.bin)/script")
    home.set("PATH", home.bin)
    let shown = try home.runOnTerminal("icon", "--inline", IconHome.url)
    #expect(
      shown.text
        == "docsource: this terminal cannot show pictures; install chafa, or use kitty,"
        + " Ghostty or WezTerm\r\n")
    #expect(shown.status == 2)
  }
}
