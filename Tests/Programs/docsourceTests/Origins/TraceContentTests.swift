import Foundation
import Glibc
import TestSupport
import Testing

/// What `trace` takes from the content of files.
@Suite struct TraceContentTests {
  private let user: BrowserUser

  init() throws {
    user = try BrowserUser()
    // Root's exiftool is one of nobody.
    for directory in ["", "bin"] {
      mkdir(user.home.path(directory), 0o755)
      chmod(user.home.path(directory), 0o755)
    }
  }

  private var home: TemporaryDirectory { user.home }

  private func fixture(_ name: String) throws -> String {
    let path = home.path(name)
    try Data(Fixture.bytes("EmbeddedMetadata/\(name)")).write(to: URL(filePath: path))
    return name
  }

  private func run(_ arguments: String..., path: String? = nil) throws -> Execution {
    var environment = user.environment
    environment["PATH"] = path ?? "/usr/bin:/bin"
    return try Execution.run(
      [Docsource.path] + arguments, in: home.root, environment: environment)
  }

  /// A program that is found in place of exiftool, and answers each question with what a script writes.
  private func stand(_ script: String, at directory: String = "bin") throws -> String {
    let text = """
      #!/usr/bin/python3 -I
      import os, sys, time
      path = "/proc/self/fd/3"
      for line in sys.stdin:
          if line.startswith("-execute"):
              \(script.split(separator: "\n").joined(separator: "\n        "))
              print("{ready}", flush=True)
      """
    try home.program("\(directory)/exiftool", text)
    return home.path(directory)
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: [
    ("libreoffice.odt", "LibreOffice 7.4.7.2"), ("libreoffice.docx", "LibreOffice 7.4.7.2"),
    ("libreoffice.pdf", "LibreOffice 7.4"), ("chromium.pdf", "Chrome 156.0.0.0"),
    ("gimp.png", "GIMP"), ("inkscape.pdf", "Inkscape 1.2.2"), ("ffmpeg.mp4", "Lavf59.27.100"),
    ("ffmpeg.mkv", "Lavf59.27.100"), ("word-16.docx", "Microsoft Office Word 16.0000"),
  ])
  func programIsNamed(_ file: String, _ program: String) throws {
    let path = home.path(try fixture(file))
    let before = try Execution.run(["stat", "-c", "%x %y %z", path]).text
    let execution = try run("trace", file)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
    #expect(execution.text.split(separator: "\n").first == "\(file): written by \"\(program)\"")
    #expect(try Execution.run(["stat", "-c", "%x %y %z", path]).text == before)
  }

  @Test func contentIsShownBelowTheMarksWithItsTag() throws {
    let file = try fixture("gimp-edited-camera.jpg")
    #expect(
      try run("trace", file).text == """
        gimp-edited-camera.jpg: written by "GIMP 2.10.34", made with "Canon PowerShot G1 X Mark II"
          Content      by "GIMP 2.10.34", with "Canon PowerShot G1 X Mark II", in its history "Gimp 2.10 (Linux)"
            IFD0:Software (in the content; anyone who wrote the file may have named another program)

        """)
    #expect(try run("trace", "--raw", "IFD0:Software", file).text == "GIMP 2.10.34")
    #expect(try Docsource.tag(home.path(file)).status == 0)
    let lines = try run("trace", file).text.split(separator: "\n")
    #expect(
      lines.first == """
        gimp-edited-camera.jpg: from "Working Copy", written by "GIMP 2.10.34", made with "Canon \
        PowerShot G1 X Mark II"
        """)
    #expect(lines.dropFirst().first?.hasPrefix("  Source ") == true)
  }

  @Test func jsonHasTheHistoryAndThatCredentialsAreNotVerified() throws {
    let file = try fixture("c2pa-own.jpg")
    let report = try Self.object(run("trace", "--json", file).text)
    let origin = try #require(report["origin"] as? [String: Any])
    #expect(origin["program"] as? String == "GIMP 2.10.34")
    #expect(origin["device"] as? String == "Canon PowerShot G1 X Mark II")
    let mark = try #require((report["marks"] as? [[String: Any]])?.first)
    #expect(mark["mark"] as? String == "embedded-origin")
    #expect(mark["carrier"] as? String == "IFD0:Software")
    #expect(mark["form"] as? String == "content")
    #expect(mark["trust"] as? String == "embedded")
    let value = try #require(mark["value"] as? [String: Any])
    #expect(value["program"] as? String == "GIMP")
    #expect(value["version"] as? String == "2.10.34")
    #expect(value["words"] as? String == "GIMP 2.10.34")
    let history = try #require(value["history"] as? [[String: Any]])
    #expect(
      history.map { $0["action"] as? String } == [
        "saved", "c2pa.created", "c2pa.color_adjustments",
      ])
    #expect(history.map { $0["verified"] as? Bool } == [nil, false, false])
    #expect(history[2]["program"] as? String == "GIMP 2.10.34")
    #expect(try run("trace", file).text.contains("content credentials not verified"))
  }

  @Test func contentBelowDirectoriesIsReadOnlyIfAskedFor() throws {
    _ = try fixture("gimp.png")
    let line = "./gimp.png: written by \"GIMP\""
    let plain = try run("trace", "-r", ".", path: "/nowhere")
    #expect(plain.status == 1)
    #expect(plain.errors == "")
    for option in ["--embedded", "--all"] {
      let execution = try run("trace", "-r", option, ".")
      #expect(execution.text.contains(line))
      #expect(execution.status == 0)
    }
    #expect(try run("trace", "--no-embedded", "gimp.png").status == 1)
    let both = try run("trace", "--embedded", "--no-embedded", "gimp.png")
    #expect(both.errors.contains("--embedded and --no-embedded cannot be combined"))
  }

  @Test func withoutExifToolASentenceSaysWhatItWouldTell() throws {
    _ = try fixture("gimp.png")
    let sentence = """
      docsource: exiftool is not installed (Debian: libimage-exiftool-perl); with it, docsource names the \
      program and the device that wrote the content

      """
    let single = try run("trace", "gimp.png", path: "/nowhere")
    #expect(single.errors == "docsource: gimp.png: no mark of origin\n" + sentence)
    #expect(single.status == 1)
    // Where the marks answer, it is no news.
    #expect(try Docsource.tag(home.path("gimp.png")).status == 0)
    let tagged = try run("trace", "gimp.png", path: "/nowhere")
    #expect(tagged.errors == "")
    #expect(tagged.status == 0)
    #expect(tagged.text.hasPrefix("gimp.png: from \"Working Copy\"\n"))
    let asked = try run("trace", "-r", "--all", ".", path: "/nowhere")
    #expect(asked.errors == sentence)
    #expect(asked.status == 2)
  }

  @Test func otherProgramsReadNothingElseAndChangeNothing() throws {
    _ = try fixture("gimp.png")
    _ = try home.file("secret", "secret")
    let attempts = [
      "open('\(home.path("secret"))').read()", "open('\(home.path("gimp.png"))').read()",
      "open('\(home.path("made"))', 'w')", "assert os.system('touch \(home.path("made"))') == 0",
      "os.fork()", "os.kill(os.getppid(), 9)",
    ].enumerated().map { position, attempt in
      "try: \(attempt); done.append('\(position)')\nexcept (OSError, AssertionError): pass"
    }
    let path = try stand(
      """
      done = []
      \(attempts.joined(separator: "\n"))
      size = len(open(path, 'rb').read())
      print('[{"PNG:Software": "' + str(size) + ' bytes ' + ','.join(done) + '"}]')
      """)
    let execution = try run("trace", "gimp.png", path: path + ":/usr/bin")
    #expect(execution.text.split(separator: "\n").first == "gimp.png: written by \"633 bytes\"")
    #expect(!FileManager.default.fileExists(atPath: home.path("made")))
  }

  @Test(arguments: [
    ("sys.exit(1)", "exiftool has ended while reading it"),
    ("os.abort()", "exiftool has ended while reading it"),
    ("time.sleep(60)", "exiftool has not read it in 5 s"),
    ("print('x' * (5 << 20))", "exiftool says more of it than is taken"),
    ("print('nonsense')", "exiftool cannot read it"),
  ])
  func exifToolThatFailsIsReported(_ script: String, _ reason: String) throws {
    _ = try fixture("gimp.png")
    let path = try stand(script)
    let execution = try run("trace", "gimp.png", path: path + ":/usr/bin")
    #expect(execution.errors.contains("docsource: gimp.png: cannot read the content: \(reason)\n"))
    #expect(execution.status == 2)
  }

  @Test func fileThatCannotBeReadHasOneObject() throws {
    _ = try fixture("gimp.png")
    let path = try stand("sys.exit(1)") + ":/usr/bin"
    for verb in [["trace"], ["adopt", "--infer", "-n"]] {
      var environment = user.environment
      environment["PATH"] = path
      let execution = try Execution.run(
        [Docsource.path] + verb + ["--json", "gimp.png"], in: home.root, environment: environment)
      #expect(execution.text.split(separator: "\n").count == 1)
      #expect(execution.status == 2)
    }
  }

  @Test func exifToolThatHasEndedIsStartedAgain() throws {
    for name in ["one.png", "two.png", "three.png"] {
      try FileManager.default.moveItem(
        atPath: home.path(try fixture("gimp.png")), toPath: home.path(name))
    }
    let path = try stand(
      """
      print('[{"PNG:Software": "Editor 1"}]\\n{ready}', flush=True)
      os.close(1)
      sys.exit(0)
      """)
    let execution = try run(
      "trace", "-r", "-j1", "--embedded", "--exclude", "bin", ".", path: path + ":/usr/bin")
    #expect(execution.errors == "")
    #expect(execution.text.split(separator: "\n").filter { $0.contains("Editor 1") }.count >= 3)
    #expect(execution.status == 0)
  }

  @Test func fileAfterOneThatEndsExifToolIsRead() throws {
    for name in ["a", "b", "c"] { _ = try home.file(name, name) }
    let path = try stand(
      """
      content = open(path).read()
      if content == 'b': sys.exit(1)
      print('[{"PNG:Software": "Program ' + content + '"}]')
      """)
    let execution = try run("trace", "a", "b", "c", path: path + ":/usr/bin")
    #expect(execution.text.contains("a: written by \"Program a\""))
    #expect(execution.text.contains("c: written by \"Program c\""))
    #expect(execution.errors.contains("b: cannot read the content: exiftool has ended"))
    #expect(execution.status == 2)
  }

  @Test func adoptInfersTheProgramOfTheContent() throws {
    _ = try fixture("libreoffice.odt")
    let preview = try run("adopt", "-n", "--infer", "libreoffice.odt")
    #expect(preview.text == "libreoffice.odt: would infer: LibreOffice\n")
    #expect(try run("adopt", "-r", "--infer", ".").text == "")
    #expect(try run("adopt", "-r", "--infer", "--embedded", ".").status == 0)
    #expect(try run("show", "libreoffice.odt").text.contains("LibreOffice"))
    let alone = try run("adopt", "--embedded", "libreoffice.odt")
    #expect(alone.errors.contains("--embedded requires --infer"))
  }

  @Test func findSelectsByTheProgramOfTheContent() throws {
    _ = try fixture("libreoffice.odt")
    _ = try fixture("gimp-edited-camera.jpg")
    for pattern in ["libreoffice", "LibreOffice 7.4*"] {
      let execution = try run("find", "--written-by", pattern, ".")
      #expect(execution.text == "./libreoffice.odt\n")
      #expect(execution.errors == "")
      #expect(execution.status == 0)
    }
    // A program of the history.
    #expect(
      try run("find", "--written-by", "Gimp 2.10 (Linux)", ".").text == "./gimp-edited-camera.jpg\n"
    )
    #expect(try run("find", "--written-by", "Word", ".").status == 1)
    #expect(try run("find", "--written-by", "Word", ".", path: "/nowhere").status == 2)
  }

  /// The processes whose parents are gone, or not, and that read for docsource.
  private func readers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { entry in
      guard Int(entry) != nil,
        let line = try? Data(contentsOf: URL(filePath: "/proc/\(entry)/cmdline"))
      else { return false }
      let words = String(decoding: line, as: UTF8.self)
      return words.contains(home.root) && words.contains("exiftool")
    }
  }

  @Test func nothingIsLeftWhereDocsourceIsKilled() throws {
    for number in 0..<40 { _ = try home.file("files/\(number)", "content") }
    let path = try stand("time.sleep(0.01)")
    for delay in 0..<20 {
      let process = Process()
      process.executableURL = URL(filePath: Docsource.path)
      process.arguments = ["trace", "-r", "--embedded", "files"]
      process.currentDirectoryURL = URL(filePath: home.root)
      process.environment = user.environment.merging(["PATH": path + ":/usr/bin"]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(delay) * 8000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let end = Date.now + 5
    while try !readers().isEmpty, Date.now < end { usleep(20_000) }
    #expect(try readers() == [])
  }
}
