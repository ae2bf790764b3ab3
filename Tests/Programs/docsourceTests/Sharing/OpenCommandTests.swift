import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource open` as a user runs it.
@Suite struct OpenCommandTests {
  private static func world() throws -> DesktopWorld {
    let world = try DesktopWorld()
    try world.program("edit")
    try world.entry("org.example.Editor", "Name=Editor\nExec=edit %F\nMimeType=text/plain;\n")
    try world.entry(
      "pictures", "Name=Pictures\nExec=edit --show %U\nMimeType=image/png;x-scheme-handler/pic;\n")
    try world.updateDatabases()
    return world
  }

  @Test func filesOfOneApplicationAreHandedOverTogether() throws {
    let world = try Self.world()
    let paths = try ["a.txt", "b c.txt", "p.png"].map { try world.directory.file($0, "x") }
    let opened = try world.run("open", "a.txt", "b c.txt", "./p.png", "pic:x")
    #expect(
      opened.text == """
        a.txt: opened in Editor (org.example.Editor)
        b c.txt: opened in Editor (org.example.Editor)
        ./p.png: opened in Pictures (pictures)
        pic:x: opened in Pictures (pictures)

        """)
    #expect(opened.errors == "" && opened.status == 0)
    let records = try world.records(2)
    #expect(Set(records) == [[paths[0], paths[1]], ["--show", paths[2], "pic:x"]])
  }

  @Test func placeOfTheEntryIsOneArgumentInADryRunToo() throws {
    let world = try Self.world()
    let path = try world.directory.file("a.txt", "x")
    try world.entry("100% k'k", "Name=K\nExec=edit %k --at=%k %f\n")
    let entry = world.directory.path("share/applications/100% k'k.desktop")
    #expect(try world.run("open", "--with", "100% k'k", "a.txt").status == 0)
    let records = try world.records(1)
    #expect(records == [[entry, "--at=\(entry)", path]])
    let dry = try world.run("open", "-n", "--json", "--with", "100% k'k", "a.txt")
    #expect(
      dry.text.hasSuffix(
        "\"arguments\":[\"edit\",\"\(entry)\",\"--at=\(entry)\",\"\(path)\"]}\n"), "\(dry.text)")
  }

  @Test func dryRunTellsTheArgumentsAndStartsNothing() throws {
    let world = try Self.world()
    let path = try world.directory.file("b c.txt", "")
    let dry = try world.run("open", "-n", "b c.txt")
    #expect(dry.text == "would run: edit \"\(path)\"\n")
    let json = try world.run("open", "-n", "--json", "b c.txt")
    #expect(
      json.text == """
        {"files":["b c.txt"],"identifier":"org.example.Editor","name":"Editor",\
        "outcome":"opened","dryRun":true,"terminal":false,"arguments":["edit","\(path)"]}

        """)
    #expect(try world.remainingRecords() == [])
  }

  @Test func nameThatIsNotUTF8IsHandedOverExactly() throws {
    let world = try Self.world()
    let bytes = Array(world.directory.root.utf8) + Array("/\u{1}".utf8) + [0xff]
    let file = unsafe (bytes + [0]).withUnsafeBytes {
      unsafe open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o644)
    }
    try #require(file >= 0)
    close(file)
    let dry = try Execution.run(
      ["open", "-n", "--json", "--with", "editor"].reduce([Array(Docsource.path.utf8)]) {
        $0 + [Array($1.utf8)]
      } + [bytes], environment: world.environment)
    let exact = Data(bytes).base64EncodedString()
    #expect(dry.text.contains("\"argumentsBase64\":[\"ZWRpdA==\",\"\(exact)\"]"), "\(dry.errors)")
  }

  @Test func failuresAreReportedAndStopNothing() throws {
    let world = try Self.world()
    let path = try world.directory.file("a.txt", "x")
    _ = try world.directory.file("a.mp3", "x")
    let opened = try world.run("open", "nothing", "a.mp3", "a.txt", "none:x")
    #expect(
      opened.errors == """
        docsource: nothing: cannot open: no such file or directory
        docsource: a.mp3: no application opens audio/mpeg
        docsource: none:x: no application opens none: URLs

        """)
    #expect(opened.text == "a.txt: opened in Editor (org.example.Editor)\n")
    #expect(opened.status == 2)
    #expect(try world.records(1) == [[path]])
    let unknown = try world.run("open", "--with", "Editr", "a.txt")
    #expect(
      unknown.errors
        == "docsource: open: no known application 'Editr'; did you mean 'org.example.Editor'?\n")
    #expect(unknown.status == 64)
    let url = try world.run("open", "--with", "editor", "http://a.example/")
    #expect(url.errors == "docsource: http://a.example/: Editor does not open URLs\n")
    #expect(url.status == 2)
    for (words, message) in [
      (["--source", "--list", "a"], "--source and --list cannot be combined"),
      (["--ask", "a"], "--ask needs --portal"), (["--root=.", "a"], "--root needs --source"),
      (["--original", "a"], "--original needs --source"),
      ([], "no file given"),
    ] {
      let wrong = try world.run([Docsource.path, "open"] + words)
      #expect(wrong.errors == "docsource: open: \(message); see 'docsource help open'\n")
      #expect(wrong.status == 64)
    }
  }

  @Test func listTellsTheRoles() throws {
    let world = try Self.world()
    try world.entry(
      "second", "Name=Second\nExec=edit %f\nIcon=s\nMimeType=text/plain;text/x-csrc;\n")
    try world.entry("third", "Name=Third\nExec=edit %f\n")
    try world.updateDatabases()
    _ = try world.directory.file(
      "config/mimeapps.list", "[Default Applications]\ntext/x-csrc=second.desktop\n")
    _ = try world.directory.file("a.c", "x")
    _ = try world.directory.file("a.txt", "x")
    let list = try world.run("open", "--list", "--all", "a.c")
    #expect(
      list.text == """
        second\tSecond\tdefault
        org.example.Editor\tEditor\tfallback
        pictures\tPictures\tother
        third\tThird\tother

        """)
    let both = try world.run("open", "--list", "--json", "a.c", "a.txt")
    #expect(
      both.text.split(separator: "\n").map { String($0) }.sorted() == [
        #"{"identifier":"org.example.Editor","name":"Editor","role":"fallback"}"#,
        #"{"identifier":"second","name":"Second","role":"recommended","icon":"s"}"#,
      ])
    _ = try world.directory.file("a.mp3", "x")
    #expect(try world.run("open", "--list", "a.mp3").status == 1)
  }

  /// Writes the attribute as untrusted input may have it.
  private func tag(_ world: DesktopWorld, _ file: String, _ fields: [String: String]) throws {
    let value = try PropertyListSerialization.data(
      fromPropertyList: fields, format: .binary, options: 0)
    let hexadecimal = value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let written = try world.run([
      "setfattr", "-n", "user.x-document-source", "-v", "0x" + hexadecimal.joined(), file,
    ])
    #expect(written.status == 0, "\(written.errors)")
  }

  @Test func sourceIsTheApplicationAndThePlace() throws {
    let world = try Self.world()
    let copy = try world.directory.file("copy.txt", "")
    let elsewhere = try TemporaryDirectory(in: "/var/tmp/docsource-tests")
    let absolute = try elsewhere.file("original.txt", "")
    let original = try world.directory.file("drafts/original.txt", "")
    func opened(_ options: String...) throws -> [[String]] {
      let run = try world.run([Docsource.path, "open", "--source"] + options + ["copy.txt"])
      let records = try world.records(1)
      let place = records == [[copy]] ? "" : ": \(records.joined().joined())"
      #expect(
        run.text == "copy.txt: opened in Editor (org.example.Editor)\(place)\n", "\(run.errors)")
      return records
    }
    try tag(world, "copy.txt", ["identifier": "org.example.editor", "path": absolute])
    #expect(try opened() == [[copy]])
    #expect(try opened("--original") == [[absolute]])
    let json = try world.run("open", "-s", "--original", "--json", "copy.txt")
    #expect(json.text.hasSuffix(#""outcome":"opened","originals":["\#(absolute)"]}"# + "\n"))
    #expect(try world.records(1) == [[absolute]])
    try tag(world, "copy.txt", ["identifier": "org.example.Editor", "path": "drafts/original.txt"])
    #expect(try opened("--root", ".") == [[original]])
    try tag(world, "copy.txt", ["identifier": "org.example.Editor", "path": "../outside.txt"])
    let outside = try world.run("open", "--source", "--root", "drafts", "copy.txt")
    #expect(outside.status == 2 && outside.text == "")
    #expect(
      outside.errors == """
        docsource: copy.txt: cannot open the original "../outside.txt": a name in its path begins \
        with a dot; open it by naming it

        """)
  }

  /// What is asked for is opened or not; nothing else is opened in its place.
  @Test(
    arguments: [
      (nil, "the document source has no path"),
      ("drafts/original.txt", "\"drafts/original.txt\": the path is not absolute"),
      ("/nowhere/else.txt", "\"/nowhere/else.txt\": no such file or directory"),
      ("/dev/null", "\"/dev/null\": no regular file of the user's"),
      ("/tmp", "\"/tmp\": no regular file of the user's"),
    ] as [(String?, String)])
  func missingOriginalIsReported(_ path: String?, _ reason: String) throws {
    let world = try Self.world()
    let copy = try world.directory.file("copy.txt", "")
    var fields = ["identifier": "org.example.Editor"]
    fields["path"] = path
    try tag(world, "copy.txt", fields)
    var options = [["--original"]]
    if path?.first != "d" { options.append(["--root", "."]) }
    for option in options {
      let run = try world.run([Docsource.path, "open", "--source"] + option + ["copy.txt"])
      let lead = "docsource: copy.txt: cannot open the original"
      #expect(run.errors == "\(lead)\(path == nil ? ":" : "") \(reason)\n")
      #expect(run.text == "" && run.status == 2)
    }
    #expect(try world.run("open", "--source", "copy.txt").status == 0)
    #expect(try world.records(1) == [[copy]])
    #expect(try world.remainingRecords() == [])
  }

  /// Whoever sends a file can write this attribute.
  @Test func fileDoesNotHandOutKeys() throws {
    let world = try Self.world()
    let notes = try world.directory.file("notes.txt", "x")
    let key = try world.directory.file("home/.ssh/id_rsa", "secret")
    let link = world.directory.path("plain.txt")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: key)
    for path in [key, "/" + key, key.replacing("/.ssh/", with: "/.ssh/../.ssh/./"), link] {
      try tag(world, "notes.txt", ["identifier": "org.example.Editor", "path": path])
      #expect(
        try world.run("open", "--source", "notes.txt").text
          == "notes.txt: opened in Editor (org.example.Editor)\n")
      #expect(try world.records(1) == [[notes]])
      let original = try world.run("open", "--source", "--original", "notes.txt")
      #expect(
        original.errors == """
          docsource: notes.txt: cannot open the original "\(path)": a name in its path begins with \
          a dot; open it by naming it

          """)
      #expect(original.status == 2 && original.text == "")
    }
    for path in ["/proc/self/environ", "//proc/self/environ", "/tmp/../proc/self/environ"] {
      try tag(world, "notes.txt", ["identifier": "org.example.Editor", "path": path])
      let original = try world.run("open", "--source", "--original", "notes.txt")
      #expect(
        original.errors
          == "docsource: notes.txt: cannot open the original \"\(path)\": the kernel generates it\n"
      )
      #expect(original.status == 2)
    }
    // A catalogue's way is judged in the same manner.
    _ = try world.directory.file(
      "home/docsource/intents.d/prog.json",
      #"{"name":"com.example.prog","exec":{"openDocument:":["edit","{{{path}}}"]}}"#)
    let dots = "a name in its path begins with a dot; open it by naming it"
    for (path, reason) in [
      (key, dots), (link, dots), ("/proc/self/environ", "the kernel generates it"),
      ("/dev/fd/0", "no regular file of the user's"), ("/tmp", "no regular file of the user's"),
    ] {
      try tag(world, "notes.txt", ["identifier": "com.example.prog", "path": path])
      let original = try world.run("open", "--source", "--original", "notes.txt")
      #expect(
        original.errors
          == "docsource: notes.txt: cannot open the original \"\(path)\": \(reason)\n")
      #expect(original.status == 2 && original.text == "")
    }
    try tag(world, "notes.txt", ["identifier": "org.example.Editor", "path": "proc/version"])
    #expect(
      try world.run("open", "--source", "--root", "/", "notes.txt").errors
        == "docsource: notes.txt: cannot open 'proc/version' below /: no regular file of the user's\n"
    )
    // The user names it.
    try tag(world, key, ["identifier": "org.example.Editor", "path": key])
    #expect(try world.run("open", "--source", "--original", key).status == 0)
    #expect(try world.records(1) == [[key]])
    #expect(try world.remainingRecords() == [])
  }

  @Test func missingApplicationIsReportedWithItsWebsite() throws {
    let world = try Self.world()
    _ = try world.directory.file("a.txt", "x")
    _ = try world.directory.file("plain.txt", "")
    try tag(
      world, "a.txt",
      [
        "identifier": "com.example.ios", "name": "Working \u{1b}[31mCopy",
        "appInfoURL": "https://user@apps.example:8443/appInfo.json",
      ])
    let opened = try world.run("open", "--source", "a.txt", "plain.txt")
    #expect(opened.text == "" && opened.status == 1)
    #expect(
      opened.errors == """
        docsource: a.txt: says it comes from "Working \\x1b[31mCopy" ("com.example.ios"), which \
        is not installed here; its website is apps.example
        docsource: plain.txt: no document source

        """)
    let json = try world.run("open", "--source", "--json", "a.txt")
    #expect(
      json.text.hasSuffix(",\"identifier\":\"com.example.ios\",\"website\":\"apps.example\"}\n"))
    #expect(try world.remainingRecords() == [])
  }

  @Test func catalogueKnowsTheWayIntoTheApplication() throws {
    let world = try Self.world()
    try world.program("opener")
    try world.entry("notes", "Name=Notes\nExec=opener %u\nMimeType=x-scheme-handler/notes;\n")
    try world.updateDatabases()
    _ = try world.directory.file(
      "home/docsource/intents.d/notes.json",
      #"{"name":"Notes","desktopId":"notes.desktop","actions":{"openDocument:":"notes://open?path={{path}}"}}"#
    )
    _ = try world.directory.file(
      "home/docsource/intents.d/prog.json",
      #"{"name":"com.example.prog","exec":{"openDocument:":["opener","--goto","{{{path}}}"]}}"#)
    _ = try world.directory.file("a.txt", "x")
    try tag(world, "a.txt", ["identifier": "notes", "path": "a&b c/--x"])
    #expect(
      try world.run("open", "-s", "a.txt").errors
        == "docsource: a.txt: Notes does not open text/plain\n")
    let noted = try world.run("open", "-s", "--original", "a.txt")
    #expect(noted.text == "a.txt: opened in Notes (notes): a&b c/--x\n" && noted.status == 0)
    #expect(try world.records(1) == [["notes://open?path=a%26b%20c%2F--x"]])
    try tag(world, "a.txt", ["identifier": "com.example.prog", "path": "dir/$(id);x"])
    let started = try world.run("open", "-s", "--original", "a.txt")
    #expect(
      started.text == "a.txt: opened in com.example.prog (com.example.prog): dir/$(id);x\n")
    #expect(started.errors == "" && started.status == 0)
    #expect(try world.records(1) == [["--goto", "dir/$(id);x"]])
    let object = #"{"files":["a.txt"],"identifier":"com.example.prog","name":"com.example.prog","#
    let json = try world.run("open", "-s", "--original", "--json", "a.txt")
    #expect(json.text == object + #""outcome":"opened","originals":["dir/$(id);x"]}"# + "\n")
    #expect(try world.records(1) == [["--goto", "dir/$(id);x"]])
    let dry = try world.run("open", "-s", "--original", "-n", "a.txt")
    #expect(dry.text == #"would run: opener --goto "dir/$(id);x""# + "\n")
    let dryJSON = try world.run("open", "-s", "--original", "-n", "--json", "a.txt")
    #expect(
      dryJSON.text == object
        + #""outcome":"opened","originals":["dir/$(id);x"],"dryRun":true,"terminal":false,"arguments":["opener","--goto","dir/$(id);x"]}"#
        + "\n")
    #expect(try world.remainingRecords() == [])
    try tag(world, "a.txt", ["identifier": "com.example.prog", "path": "--exec=id"])
    let refused = try world.run("open", "-s", "--original", "a.txt")
    #expect(
      refused.errors
        == "docsource: a.txt: cannot open in its application: the value '--exec=id' would be taken for an option\n"
    )
    #expect(refused.status == 2)
    _ = try world.directory.file(
      "home/docsource/intents.d/prog.json",
      #"{"name":"com.example.prog","exec":{"openDocument:":["not-there","{{{path}}}"]}}"#)
    try tag(world, "a.txt", ["identifier": "com.example.prog", "path": "x"])
    let missing = try world.run("open", "-s", "--original", "--json", "a.txt")
    #expect(
      missing.text.hasSuffix(
        #""outcome":"failed","error":"cannot open in its application: cannot start 'not-there': no such file or directory"}"#
          + "\n"), "\(missing.text)")
    #expect(missing.status == 2)
  }

  @Test func userAndHostOfAURLAreNoOptions() throws {
    let world = try Self.world()
    try world.entry("ssh", "Name=SSH\nExec=edit %u\nMimeType=x-scheme-handler/ssh;\n")
    try world.updateDatabases()
    for url in ["ssh://-oProxyCommand=x", "ssh://-l@e.org/", "ssh://%2Dx"] {
      for words in [["open"], ["open", "--with", "ssh"], ["share", "--to", "ssh"]] {
        let run = try world.run([Docsource.path] + words + [url])
        #expect(
          run.errors == """
            docsource: \(url): cannot open: a user or host in the URL begins with a hyphen, as options do

            """)
        #expect(run.text == "" && run.status == 2)
      }
    }
    #expect(try world.run("open", "ssh://e.org/-x").status == 0)
    #expect(try world.records(1) == [["ssh://e.org/-x"]])
  }

  /// One catalogue does not keep the file from the application's own entry.
  @Test func badTemplateForADocumentIsPassedOverAndReportedOnce() throws {
    let world = try Self.world()
    _ = try world.directory.file(
      "home/docsource/intents.d/bad.json",
      #"{"name":"Bad","desktopId":"org.example.Editor","actions":{"openDocument:":"nowhere {{path}}"}}"#
    )
    let paths = try ["a.txt", "b.txt"].map { try world.directory.file($0, "x") }
    for path in paths {
      try tag(world, path, ["identifier": "org.example.Editor", "path": path])
    }
    let run = try world.run("open", "--source", "--original", "a.txt", "b.txt")
    #expect(
      run.errors
        == "docsource: warning: Bad: the template does not begin with a scheme; skipped\n")
    #expect(
      run.text == """
        a.txt: opened in Editor (org.example.Editor)
        b.txt: opened in Editor (org.example.Editor)

        """)
    #expect(run.status == 0)
    #expect(try world.records(1) == [paths])
  }

  /// Values of the attribute that try to become something else than a file for an application: the
  /// identifier, the path, and what an application gets.
  private static let hostile = [
    "-n", "--help", "--with=x", "-", "--", "$(touch hacked)", "`touch hacked`", "; touch hacked",
    "| touch hacked", "&& touch hacked", "> hacked", "\ntouch hacked\n", "../../../bin/sh",
    "/bin/sh", "/usr/bin/env", "sh", "edit", "../edit", "file:///etc/passwd", "javascript:alert(1)",
    "data:text/html,x", "vbscript:x", "http://evil.example/", "https://evil.example/",
    "mailto:a@b?attach=/etc/passwd", "tel:1", "sms:1", "pic:x", "about:blank", "view-source:x",
    "%f", "%U %k", "%%", "'; touch hacked; '", "\"; touch hacked; \"", "\\", "a\\", "${IFS}",
    "~/x", "~root", "*", "?", "[a]", "{a,b}", "/dev/tcp/1.2.3.4/80", "/proc/self/environ",
    "/dev/zero", "/dev/stdin", ".", "..", "/", "//evil/x", "a/../../..", "\u{202e}txt.exe",
    "\u{1b}]0;x\u{7}", "org.example.Editor.desktop", "org.example.Editor;pictures",
    "org/example/Editor", "ORG.EXAMPLE.EDITOR\t", " org.example.Editor",
  ]

  @Test func sixtyHostileValuesStartNothingElse() throws {
    let world = try Self.world()
    let file = try world.directory.file("a.txt", "x")
    #expect(Self.hostile.count >= 60)
    for value in Self.hostile {
      try tag(world, "a.txt", ["identifier": value])
      let opened = try world.run("open", "--source", "a.txt")
      #expect(opened.status == 1, "\(value): \(opened.text) \(opened.errors)")
      #expect(opened.text == "", "\(value)")
      #expect(!opened.errors.contains("\u{1b}") && !opened.errors.contains("\u{202e}"))
      // The path, the name and the URL of an application that is there.
      try tag(
        world, "a.txt", ["identifier": "org.example.Editor", "path": value, "name": value])
      #expect(try world.run("open", "--source", "a.txt").status == 0)
      #expect(try world.records(1) == [[file]], "\(value)")
      let placed = try world.run("open", "--source", "--original", "a.txt")
      #expect(placed.text == "" && placed.status == 2, "\(value): \(placed.text)")
      if value == "/proc/self/environ" {
        #expect(placed.errors.contains("the kernel generates it"), "\(placed.errors)")
      } else if ["/bin/sh", "/usr/bin/env"].contains(value) {
        // A regular file that is there, of a type that the application does not declare.
        #expect(placed.errors.contains("Editor does not open "), "\(placed.errors)")
      } else {
        #expect(placed.errors.contains("cannot open the original"), "\(placed.errors)")
      }
    }
    #expect(try world.remainingRecords() == [])
    #expect(!FileManager.default.fileExists(atPath: world.directory.path("hacked")))
  }

  @Test func applicationOfTheAttributeMustDeclareTheType() throws {
    let world = try Self.world()
    try world.entry("shell", "Name=Shell\nExec=edit -c %f\n")
    _ = try world.directory.file("a.txt", "x")
    try tag(world, "a.txt", ["identifier": "shell"])
    let opened = try world.run("open", "--source", "a.txt")
    #expect(opened.errors == "docsource: a.txt: Shell does not open text/plain\n")
    #expect(opened.status == 2)
    #expect(try world.run("open", "--with", "shell", "a.txt").status == 0)
    #expect(try world.records(1) == [["-c", world.directory.path("a.txt")]])
    // The entry says it, before update-desktop-database has run.
    try world.entry("shell", "Name=Shell\nExec=edit -c %f\nMimeType=image/png;\n")
    #expect(try world.run("open", "--source", "a.txt").status == 2)
    try world.entry("shell", "Name=Shell\nExec=edit -c %f\nMimeType=image/png;text/plain;\n")
    #expect(try world.run("open", "--source", "a.txt").text == "a.txt: opened in Shell (shell)\n")
    #expect(try world.records(1) == [["-c", world.directory.path("a.txt")]])
  }
}
