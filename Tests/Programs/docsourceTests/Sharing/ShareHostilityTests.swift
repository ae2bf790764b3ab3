import Foundation
import Glibc
import TestSupport
import Testing

/// Untrusted values, in items and attributes, do not become arguments, commands, or URLs of schemes
/// that nobody knows.
@Suite struct ShareHostilityTests {
  private static let texts = [
    "-x", "--attach=/etc/passwd", "--", "-", "$(touch PWNED)", "`touch PWNED`", "; touch PWNED",
    "| touch PWNED", "&& touch PWNED", "a\ntouch PWNED\n", "\"; touch PWNED; \"",
    "'; touch PWNED; '", "%F %U %k %i", "%s%n", "a?bcc=x@evil.org", "a&attach=/etc/passwd",
    "a%0d%0aBcc:%20x@evil.org", "\r\nBcc: x@evil.org", "\u{1b}]52;c;eA==\u{7}", "\u{202e}txt.exe",
  ]

  private static let urls = [
    "javascript:alert(1)", "file:///etc/passwd", "FILE:/etc/passwd", "data:text/html,x",
    "-x://e.org", "--help", "ssh://-oProxyCommand=x/", "smb://e.org/x", "vnc://e.org",
    "x-scheme:do", "steam://run/1", "ms-settings:x", "https://", "https:// e.org/",
    "https://e.org/\n-x",
    "https://e.org/`x`", "http://e.org\\@f.org/", "http://[::1", "tel:$(x)", "tel:-x", "sms:;x",
    "sms:a@b", "geo:1,2;x=y", "geo:-x", "maps:-x", "mailto", "http:e.org", "https://e.org/\u{202e}",
    "https://e.org/ -x", "HTTPS://e.org:99999999/",
  ]

  private static let paths = [
    "/etc/passwd", "../../../etc/passwd", "../outside.txt", "link-out", "-rf", "inside/../../x",
    "a\u{0}b", "/dev/zero", "/proc/self/environ", "fifo",
  ]

  private static func place() throws -> DesktopWorld {
    let place = try DesktopWorld()
    for name in ["xdg-email", "lp", "wl-copy", "own", "bluetooth-sendto"] {
      try place.recorder(name)
    }
    try place.program("handler")
    try place.entry(
      "handler",
      "Name=Handler\nExec=handler %u\nMimeType="
        + ["mailto", "sms", "tel", "geo", "https", "http", "javascript", "file", "x-scheme"]
        .map { "x-scheme-handler/\($0);" }.joined())
    try place.updateDatabases()
    _ = try place.file(
      "home/docsource/activities/own.activity", "[Activity]\nExec=own %u %U\n")
    _ = try place.file("outside.txt", "secret\n")
    _ = try place.file("in/inside/doc.txt", "x\n")
    try FileManager.default.createSymbolicLink(
      atPath: place.directory.path("in/link-out"), withDestinationPath: "../outside.txt")
    mkfifo(place.directory.path("in/fifo"), 0o600)
    return place
  }

  /// Shares with everything that could take it, and looks at what was started.
  private func tryAll(_ file: String, of place: DesktopWorld, _ value: String) throws {
    let allowed: [String: [String]] = [
      "xdg-email": ["--attach"], "lp": ["--"], "wl-copy": ["--type"],
    ]
    for target in ["mail", "message", "call", "map", "copy", "print", "airdrop", "twitter", "own"] {
      let run = try place.share("--to", target, file, with: ["WAYLAND_DISPLAY": "w"])
      #expect([0, 2].contains(run.status), "\(target) \(value.debugDescription): \(run.errors)")
      #expect(!run.errors.utf8.contains(0x1b) && !run.text.utf8.contains(0x1b))
      for name in ["xdg-email", "lp", "wl-copy", "own", "bluetooth-sendto"] {
        guard let recorded = try? place.recorded(name) else { continue }
        for word in recorded.words where word.hasPrefix("-") {
          #expect(allowed[name]?.contains(word) == true, "\(name) \(target): \(word)")
        }
        #expect(!recorded.words.contains { $0.contains("/etc/passwd") && $0.hasPrefix("/") })
        #expect(!recorded.input.contains("secret"))
      }
      let started = try FileManager.default.contentsOfDirectory(atPath: place.directory.root)
        .filter { $0.hasPrefix("record.done.") }
      for name in started {
        let words = try place.directory.bytes(name).split(separator: 0).map {
          String(decoding: $0, as: UTF8.self)
        }
        #expect(words.count == 1)
        let scheme = words.first?.prefix { $0 != ":" } ?? ""
        #expect(["mailto", "sms", "tel", "geo", "https"].contains(scheme), "\(words)")
        let isPlain = words.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }
        #expect(isPlain, "\(words)")
        try FileManager.default.removeItem(atPath: place.directory.path(name))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: place.directory.path("PWNED")))
    #expect(!FileManager.default.fileExists(atPath: place.directory.path("in/PWNED")))
  }

  /// Names that xdg-email or a mail program reads as other files or fields.
  private static let attachmentNames = [
    "q',to='evil@example.org',subject='x.pdf", "a,secret.pdf", "a,/secret/id_rsa", "b\\047c.pdf",
    "d\"e.pdf", "f\ng.pdf", "h\u{7f}.pdf", "i%2Fj.pdf", "k#l.pdf", "m?n.pdf", "dir,/o.pdf",
    "p's.pdf",
  ]

  /// The name of the copy that mail programs get of such a file.
  private static func carried(_ name: String) -> String {
    String(
      (name.split(separator: "/").last ?? "").map { "'\",\\%?#\n\u{7f}".contains($0) ? "_" : $0 })
  }

  /// The file that xdg-email got: a copy in a directory that only the user may enter.
  private func copy(in words: [String], of place: DesktopWorld) throws -> String {
    #expect(words.count == 3 && words.first == "--attach", "\(words)")
    let path = words[1]
    let directory = (path as NSString).deletingLastPathComponent
    #expect(
      (directory as NSString).deletingLastPathComponent
        == place.directory.path("run/docsource/mail"), "\(path)")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "x\n")
    return (path as NSString).lastPathComponent
  }

  @Test(arguments: attachmentNames)
  func mailGetsACopyOfAFileThatItWouldMisread(_ name: String) throws {
    let place = try Self.place()
    let path = try place.file(name, "x\n")
    let carried = Self.carried(name)
    // The script resolves links, so a link's own name says nothing.
    try FileManager.default.createSymbolicLink(
      atPath: place.directory.path("harmless.pdf"), withDestinationPath: path)
    for (operand, expected) in [(name, carried), ("harmless.pdf", "harmless.pdf")] {
      let share = ["--to", "mail", "--recipient", "ann@example.org", operand]
      let run = try Execution.run(
        [Docsource.path, "share"] + share, in: place.directory.root,
        environment: place.environment)
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      let words = try place.recorded("xdg-email").words
      #expect(try copy(in: words, of: place) == expected)
      let dry = try Execution.run(
        [Docsource.path, "share", "--dry-run"] + share, in: place.directory.root,
        environment: place.environment)
      let copies = place.directory.path("run/docsource/mail/XXXXXX/")
      #expect(dry.status == 0 && dry.text.contains(copies + expected), "\(dry.text)")
    }
    let without = try place.share(
      "--to", "mail", "harmless.pdf", with: ["XDG_RUNTIME_DIR": ""])
    let shown = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\u{7f}", with: "\\x7f")
    #expect(without.status == 2 && without.text == "")
    #expect(
      without.errors
        == #"docsource: harmless.pdf: cannot hand over to Mail: mail programs misread "\#(shown)", and XDG_RUNTIME_DIR names no directory for a copy\#n"#
    )
  }

  @Test func mailGetsACopyOfAFileWhoseNameIsNotUTF8() throws {
    let place = try Self.place()
    let name = Array(place.directory.path("a.pdf").utf8) + [0xff]
    let file = name.withUnsafeBytes { bytes in
      open(
        Array(bytes.map { CChar(bitPattern: $0) } + [0]), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    }
    #expect(file >= 0)
    #expect(write(file, "x\n", 2) == 2)
    close(file)
    try place.program(
      "share-it", #"exec "$1" share --to mail "$(printf 'a.pdf\377')""#)
    let run = try Execution.run(
      [place.directory.path("bin/share-it"), Docsource.path], in: place.directory.root,
      environment: place.environment)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(try copy(in: place.recorded("xdg-email").words, of: place) == "a.pdf_")
  }

  @Test func mailGetsNoDirectory() throws {
    let place = try Self.place()
    let run = try place.share("--to", "mail", "in")
    #expect(run.status == 2 && run.text == "")
    #expect(
      run.errors
        == #"docsource: in: cannot hand over to Mail: "\#(place.directory.path("in"))": only regular files are attached\#n"#
    )
  }

  @Test func copiesForMailOfAWeekAgoAreRemoved() throws {
    let place = try Self.place()
    for (name, age) in [("old", 8.0), ("new", 6.0)] {
      _ = try place.file("run/docsource/mail/\(name)/a.pdf", "x\n")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -86_400 * age)],
        ofItemAtPath: place.directory.path("run/docsource/mail/\(name)"))
    }
    _ = try place.file("a,b.pdf", "x\n")
    #expect(try place.share("--to", "mail", "a,b.pdf").status == 0)
    let copies = place.directory.path("run/docsource/mail")
    let left = try FileManager.default.contentsOfDirectory(atPath: copies)
    #expect(left.count == 2 && left.contains("new"), "\(left)")
  }

  /// The real script, with a Thunderbird that keeps its arguments.
  @Test func thunderbirdGetsTheFilesAndNothingElse() throws {
    let place = try DesktopWorld()
    try place.recorder("thunderbird")
    try place.entry(
      "thunderbird", "Name=Mail\nExec=thunderbird %u\nMimeType=x-scheme-handler/mailto;")
    _ = try place.file(
      "config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/mailto=thunderbird.desktop\n")
    try place.updateDatabases()
    let plain = try place.file("a & b;c=$d.pdf", "x\n")
    let german = try place.file("Straße.pdf", "x\n")
    _ = try place.file("Stra", "not this one\n")
    for locale in ["C.UTF-8", "C"] {
      let run = try place.share(
        "--to", "mail", "--recipient", "ann@example.org", "a & b;c=$d.pdf", "Straße.pdf",
        with: ["LC_ALL": locale])
      #expect(run.errors == "" && run.status == 0)
      #expect(
        try place.recorded("thunderbird").words == [
          "-compose", "to='ann@example.org,',attachment='\(plain),\(german)'",
        ])
    }
    for name in Self.attachmentNames {
      _ = try place.file(name, "x\n")
      let run = try place.share("--to", "mail", "--recipient", "ann@example.org", name)
      #expect(run.errors == "" && run.status == 0)
      let words = try place.recorded("thunderbird").words
      let start = "to='ann@example.org,',attachment='" + place.directory.path("run/docsource/mail/")
      let last = try #require(words.last)
      #expect(words.count == 2 && words[0] == "-compose" && last.hasPrefix(start), "\(words)")
      let rest = last.dropFirst(start.count)
      #expect(rest.dropFirst(6) == "/" + Self.carried(name) + "'", "\(words)")
    }
  }

  /// An untrusted item, as a property list in JSON.
  private func item(_ members: String, in place: DesktopWorld) throws {
    let json = try place.file("item.json", members)
    let made = try Docsource.run("plist", "encode", json, "-o", place.directory.path("in/a.xei"))
    #expect(made.status == 0, "\(made.errors)")
  }

  private func json(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  @Test func mediaTypeWritesNoLineElsewhere() throws {
    let place = try Self.place()
    let type = "image/png\r\nEMAIL:evil@example.org"
    try item(
      #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.png"], "value": {"$data": "iVBORw0KGgo="}, "mime": \#(try json(type))}]}"#,
      in: place)
    let card = try place.file("card.vcf", "BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nEND:VCARD\n")
    let share = try place.share("--to", "contact", "--vcard", card, "in/a.xei")
    #expect(share.status == 0)
    #expect(
      try place.directory.text("card.vcf")
        == "BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nPHOTO:data:image/png;base64,iVBORw0KGgo=\nEND:VCARD\n"
    )
    let show = try place.run("item", "show", "--json", "in/a.xei")
    #expect(
      show.text.hasSuffix(
        #""flaws":[{"key":".NSExtensionItemAttachmentsKey[0].mime","reason":"not a media type; ignored"}]}"#
          + "\n"), "\(show.text)")
    #expect(!show.text.contains("mediaType"))
    let file = try place.file("target", "x\n")
    let apply = try place.run("item", "apply", "--media-type", "in/a.xei", file)
    #expect(apply.errors == "docsource: the item says nothing that can be written\n")
    #expect(apply.status == 1 && apply.text == "")
    #expect(try Execution.run(["getfattr", "-n", "user.mime_type", file]).status == 1)
  }

  @Test func whatIsTooLongForAProgramIsNamed() throws {
    let place = try Self.place()
    let url = "https://e.org/" + String(repeating: "a", count: 3_000_000)
    try item(
      #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.url"], "value": "\#(url)"}]}"#,
      in: place)
    let long = "bytes is longer than the 131071 that Linux passes to a program\n"
    let handler = try place.share("--to", "handler", "in/a.xei")
    #expect(
      handler.errors == "docsource: cannot start docsource-share: an argument of 3000014 " + long)
    #expect(handler.status == 2 && handler.text == "")
    let doc = try place.file("doc.txt", "x\n")
    for (count, size) in [(120_000, 360_013), (43_690, 131_083)] {
      let mail = try place.share(
        "--to", "mail", "--text", String(repeating: "ä", count: count / 2), doc)
      #expect(
        mail.errors
          == "docsource: \(doc): cannot hand over to Mail: cannot start xdg-email: an argument of \(size) "
          + long)
      #expect(mail.status == 2 && mail.text == "")
    }
  }

  /// What root may copy, and what gives rights to whoever runs the copy.
  @Test(.enabled(if: geteuid() == 0, "attributes of the system need root"))
  func savedCopyHasTheAttributesOfUsersOnly() throws {
    let place = try Self.place()
    let file = try place.file("prog", "x\n")
    for name in ["user.kept", "trusted.left"] {
      let run = try Execution.run(["setfattr", "-n", name, "-v", "1", file])
      try #require(run.status == 0, "\(run.errors)")
    }
    let capability = "0x0100000200200000000000000000000000000000"
    let run = try Execution.run(["setfattr", "-n", "security.capability", "-v", capability, file])
    try #require(run.status == 0, "\(run.errors)")
    let saved = try place.share("--to", "save", "--into", "saved", "prog")
    #expect(saved.errors == "" && saved.status == 0)
    let names = try Execution.run(
      ["getfattr", "-m", "-", "--absolute-names", place.directory.path("saved/prog")])
    #expect(names.text == "# file: \(place.directory.path("saved/prog"))\nuser.kept\n\n")
  }

  @Test(arguments: texts) func hostileTextStaysText(_ text: String) throws {
    let place = try Self.place()
    let value = try json(text)
    try item(
      #"{"NSExtensionItemAttributedTitleKey": \#(value), "NSExtensionItemAttributedContentTextKey": \#(value), "NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.plain-text"], "value": \#(value), "suggestedName": \#(value)}]}"#,
      in: place)
    try tryAll("in/a.xei", of: place, text)
    try item(
      #"{"NSExtensionItemAttributedTitleKey": \#(value), "NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.plain-text", "public.file-url"], "path": "inside/doc.txt"}]}"#,
      in: place)
    try tryAll("in/a.xei", of: place, text)
  }

  @Test(arguments: urls) func hostileURLIsNotHandedOver(_ url: String) throws {
    let place = try Self.place()
    let value = try json(url)
    try item(
      #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.url"], "value": \#(value)}]}"#,
      in: place)
    try tryAll("in/a.xei", of: place, url)
  }

  @Test(arguments: paths) func hostilePathIsNotHandedOver(_ path: String) throws {
    let place = try Self.place()
    try item(
      #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.plain-text"], "path": \#(try json(path))}]}"#,
      in: place)
    try tryAll("in/a.xei", of: place, path)
    let saved = try place.share("--to", "save", "--into", "saved", "in/a.xei")
    #expect(saved.status == 2, "\(saved.text)")
  }

  @Test func nameOfASavedFileStaysInItsDirectory() throws {
    let place = try Self.place()
    for (name, saved) in [
      ("../up", "_.._up"), (".hidden", "_.hidden"), ("a\nb/c", "a_b_c"), ("", "_"),
      ("-x", "_-x"), ("--", "_--"), ("a\u{202e}fdp.exe", "a_fdp.exe"), ("b\u{9b}c\u{7f}", "b_c_"),
      ("\u{200f}d\u{61c}\u{2066}", "_d__"), ("می\u{200c}خ 🧑\u{200d}🚀", "می\u{200c}خ 🧑\u{200d}🚀"),
      ("e\u{2028}f\u{2029}g\u{feff}h\u{200b}", "e_f_g_h_"), ("❤\u{fe0f}", "❤\u{fe0f}"),
    ] {
      try item(
        #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.data"], "value": {"$data": "eA=="}, "suggestedName": \#(try json(name))}]}"#,
        in: place)
      let run = try place.share("--to", "save", "--into", "saved", "in/a.xei")
      #expect(run.errors == "" && run.status == 0)
      #expect(
        FileManager.default.fileExists(atPath: place.directory.path("saved/\(saved)")), "\(name)")
    }
    for (name, saved) in [("-y.txt", "_-y.txt"), ("z\u{85}\u{2069}.txt", "z__.txt")] {
      _ = try place.file("in/" + name, "x\n")
      let run = try place.share("--to", "save", "--into", "saved", "in/" + name)
      #expect(run.errors == "" && run.status == 0)
      #expect(try place.directory.text("saved/" + saved) == "x\n")
    }
  }

  private func urlItem(_ urls: [String], in place: DesktopWorld) throws {
    let attachments = try urls.map {
      #"{"registeredTypeIdentifiers": ["public.url"], "value": \#(try json($0))}"#
    }
    try item(
      #"{"NSExtensionItemAttachmentsKey": [\#(attachments.joined(separator: ","))]}"#, in: place)
  }

  @Test func urlOfAnItemAttachesNothing() throws {
    let place = try Self.place()
    _ = try place.file("home/docsource/targets/to.target", "[Share Target]\nExec=own\n")
    let url = "mailto:ann@x?attach=/etc/passwd&bcc=evil@x"
    try urlItem([url], in: place)
    let lost = """
      "attach=/etc/passwd" in the URL is left out
      docsource: in/a.xei: "bcc=evil@x" in the URL is left out

      """
    for target in ["handler", "own"] {
      let shared = try place.share("--to", target, "in/a.xei")
      #expect(shared.errors == "docsource: in/a.xei: " + lost && shared.status == 0)
    }
    #expect(try place.records(1) == [["mailto:ann@x"]])
    #expect(try place.recorded("own").words == ["mailto:ann@x", "mailto:ann@x"])
    let sent = try place.share("--to", "to", "in/a.xei")
    #expect(sent.errors == "docsource: in/a.xei: " + lost && sent.status == 0)
    let input = try place.recorded("own").input
    #expect(input.contains("mailto:ann@x") && !input.contains("passwd") && !input.contains("evil"))
    let opened = try place.run("open", url)
    #expect(
      opened.errors == """
        docsource: \(url): left out: attach=/etc/passwd
        docsource: \(url): left out: bcc=evil@x

        """)
    #expect(try place.records(1) == [["mailto:ann@x"]])
    let words = try place.share("-n", "--to", "handler", url)
    #expect(words.errors == "docsource: \(url): " + lost.replacing("in/a.xei", with: url))
    #expect(words.text == "would run: handler mailto:ann@x\n")
  }

  @Test(arguments: [
    #""registeredTypeIdentifiers": ["PUBLIC.URL"], "value": "mailto:ann@x?attach=/etc/passwd""#,
    #""registeredTypeIdentifiers": ["public.text", "public.url"], "value": "mailto:ann@x?attach=/etc/passwd""#,
    #""registeredTypeIdentifiers": ["public.url"], "value": {"$data": "bWFpbHRvOmFubkB4P2F0dGFjaD0vZXRjL3Bhc3N3ZA=="}"#,
  ])
  func targetGetsNoURLInDisguise(_ members: String) throws {
    let place = try Self.place()
    _ = try place.file("home/docsource/targets/to.target", "[Share Target]\nExec=own\n")
    try item(#"{"NSExtensionItemAttachmentsKey": [{\#(members)}]}"#, in: place)
    for words in [["share", "--to", "to"], ["item", "send", "--to", "to"]] {
      let sent = try place.run([Docsource.path] + words + ["in/a.xei"])
      #expect(sent.status == 0, "\(sent.errors)")
      let input = try place.recorded("own").input
      #expect(input.contains("mailto:ann@x") && !input.contains("passwd"), "\(words)")
    }
    try urlItem(["javascript:alert(1)"], in: place)
    let sent = try place.run("item", "send", "--to", "to", "in/a.xei")
    #expect(
      sent.errors
        == "docsource: in/a.xei: cannot hand over: attachment 1: URLs of \"javascript\" are not handed over\n"
    )
    #expect(sent.status == 2)
  }

  @Test func codesOfTelephonesAreNotDialled() throws {
    let place = try Self.place()
    let reason = "'*#06#' is a code for the telephone, which is never dialled"
    try urlItem(["tel:*%2306%23"], in: place)
    for target in ["handler", "call", "own"] {
      let shared = try place.share("--to", target, "in/a.xei")
      #expect(shared.errors == "docsource: in/a.xei: cannot share: \(reason)\n")
      #expect(shared.status == 2)
    }
    let opened = try place.run("open", "tel:*%2306%23")
    #expect(opened.errors == "docsource: tel:*%2306%23: cannot open: \(reason)\n")
    let called = try place.run("intent", "perform", "call:", "number=*#06#")
    #expect(called.status == 64, "\(called.errors)")
    #expect(try place.remainingRecords() == [])
  }

  /// A catalogue's URL.
  @Test func urlOfAnIntentAttachesNothing() throws {
    let place = try Self.place()
    _ = try place.file(
      "home/docsource/intents.d/mail.json",
      #"{"name":"Evil","actions":{"sendMailTo:":"mailto:{{recipient}}?bcc=evil@x&attach=/etc/passwd"}}"#
    )
    let run = try place.run("intent", "perform", "--app=Evil", "sendMailTo:", "recipient=a@b")
    #expect(
      run.errors == """
        docsource: "bcc=evil@x" in the URL of Evil is left out
        docsource: "attach=/etc/passwd" in the URL of Evil is left out

        """)
    #expect(try place.records(1) == [["mailto:a@b"]])
    let json = try place.run(
      "intent", "perform", "--json", "--print", "--app=Evil", "sendMailTo:", "recipient=a@b")
    #expect(json.text.contains(#""url":"mailto:a@b""#), "\(json.text)")
    #expect(json.text.contains(#""leftOut":["bcc=evil@x","attach=/etc/passwd"]"#), "\(json.text)")
  }

  @Test func itemAddsNoRecipients() throws {
    let place = try Self.place()
    try urlItem(["sms:+43123,+900666?body=hi"], in: place)
    let given = try place.share(
      "--to", "message", "--recipient", "+1", "--text", "my words", "in/a.xei")
    #expect(
      given.errors == """
        docsource: in/a.xei: left out: the number +43123, which the item names
        docsource: in/a.xei: left out: the number +900666, which the item names

        """)
    #expect(try place.records(1) == [["sms:+1?body=my%20words%0D%0Ahi"]])
    for target in ["message", "handler"] {
      let asked = try place.share("--to", target, "in/a.xei")
      #expect(
        asked.errors.hasSuffix(
          ": the item names the recipients, +43123, +900666; --yes allows it\n"), "\(asked.errors)")
      #expect(asked.status == 2 && asked.text == "")
      let dry = try place.share("-n", "--json", "--to", target, "in/a.xei")
      #expect(dry.text.contains(#""questions":["Send to +43123, +900666"]"#), "\(dry.text)")
      #expect(try place.remainingRecords() == [])
      #expect(try place.share("-q", "--yes", "--to", target, "in/a.xei").status == 0)
      #expect(try place.records(1) == [["sms:+43123,+900666?body=hi"]])
    }
    // The user's own.
    #expect(try place.share("--to", "message", "sms:+1?body=x").status == 0)
    #expect(try place.records(1) == [["sms:+1?body=x"]])
    let script = Fixture.root.appending(path: "Tests/Scripts/type-on-terminal").path
    // The end of the terminal's session, which is no user's shell here, would end the handler.
    let ofSession =
      #""$0" share --to message in/a.xei && until ls record.done.* >/dev/null 2>&1; do sleep 0.05; done"#
    for (answer, words, records) in [
      ("1", "docsource: in/a.xei: cancelled\r\n", 0),
      ("2", "handed over to Message: Handler\r\n", 1),
    ] {
      let typed = try Execution.run(
        [
          script, "Send to +43123, +900666?", "\(answer)\\n", "--", "sh", "-c", ofSession,
          Docsource.path,
        ], in: place.directory.root,
        environment: place.environment.merging(["TERM": "dumb"]) { $1 })
      #expect(typed.text.contains(words), "\(typed.text)")
      #expect(try place.records(records).count == records)
    }
  }

  @Test func itemCallsNobody() throws {
    let place = try Self.home()
    let words = "the item names whom to call, +900666; --yes allows it\n"
    func refused(_ target: String) throws {
      let run = try place.share("--to", target, "in/a.xei")
      #expect(run.errors.hasSuffix(": \(words)"), "\(target): \(run.errors)")
      #expect(run.status == 2 && run.text == "")
      let dry = try place.share("-n", "--json", "--to", target, "in/a.xei")
      #expect(dry.text.contains(#""questions":["Call +900666"]"#), "\(dry.text)")
      #expect(try place.remainingRecords() == [])
    }
    try urlItem(["tel:+900666"], in: place)
    for target in ["call", "handler", "own", "rec"] {
      try refused(target)
      for name in ["own", "rec"] {
        #expect(access(place.directory.path("record.\(name).words"), F_OK) != 0)
      }
    }
    for target in ["call", "handler"] {
      #expect(try place.share("-q", "--yes", "--to", target, "in/a.xei").status == 0)
      #expect(try place.records(1) == [["tel:+900666"]])
    }
    #expect(try place.share("--yes", "--to", "own", "in/a.xei").status == 0)
    #expect(try place.recorded("own").words == ["tel:+900666", "tel:+900666"])
    let sent = try item("send", "--to", "rec", "in/a.xei", in: place)
    #expect(sent.errors == "docsource: in/a.xei: cannot hand over: \(words)" && sent.status == 2)
    let preview = try item("send", "-n", "--to", "rec", "in/a.xei", in: place)
    #expect(preview.errors == "docsource: in/a.xei: would ask: Call +900666?\n")
    #expect(try item("send", "-y", "--to", "rec", "in/a.xei", in: place).status == 0)
    #expect(try place.recorded("rec").input.contains("tel:+900666"))
    for members in [
      #""registeredTypeIdentifiers":["public.plain-text"],"value":"+900666"}]"#,
      #""registeredTypeIdentifiers":["public.plain-text"],"value":"hello"}],"x-extension-item-activities":{"org.docsource.activity.call":{"content-text":"+900666"}}"#,
    ] {
      try item(#"{"NSExtensionItemAttachmentsKey":[{\#(members)}"#, in: place)
      try refused("call")
    }
    // Calls to addresses, which only targets receive.
    try urlItem(["facetime:ann@x", "callto:1"], in: place)
    let target = try place.share("--to", "rec", "in/a.xei")
    #expect(target.errors.contains("URLs of \"facetime\" are not handed over"), "\(target.errors)")
    let called = try item("send", "--to", "rec", "in/a.xei", in: place)
    #expect(called.errors.contains(": the item names whom to call, ann@x, 1; --yes"))
    // Messages likewise.
    try urlItem(["sms:+1?body=a"], in: place)
    for target in ["own", "rec"] {
      let asked = try place.share("--to", target, "in/a.xei")
      #expect(asked.errors.hasSuffix(": the item names the recipients, +1; --yes allows it\n"))
      #expect(asked.status == 2)
    }
    // The user's own.
    #expect(try place.share("--to", "call", "tel:+1").status == 0)
    #expect(try place.records(1) == [["tel:+1"]])
    #expect(try place.share("--to", "own", "tel:+1").status == 0)
  }

  @Test func itemStartsFewPrograms() throws {
    let place = try Self.place()
    try urlItem((1...300).map { "https://e.org/\($0)" }, in: place)
    for options in [[], ["--yes"], ["--dry-run"]] {
      let run = try place.run(
        [Docsource.path, "share", "--to", "handler"] + options + ["in/a.xei"])
      #expect(
        run.errors == """
          docsource: in/a.xei: cannot hand over to Handler: 300 programs would be started; at most \
          100 are started at once

          """)
      #expect(run.status == 2)
    }
    let opened = try place.run(
      [Docsource.path, "open", "--with", "handler"] + (1...101).map { "https://e.org/\($0)" })
    #expect(
      opened.errors == "docsource: 101 programs would be started; at most 100 are started at once\n"
    )
    #expect(opened.status == 2)
    try urlItem((1...21).map { "https://e.org/\($0)" }, in: place)
    let asked = try place.share("--to", "handler", "in/a.xei")
    #expect(
      asked.errors == """
        docsource: in/a.xei: cannot hand over to Handler: 21 programs would be started; --yes \
        allows it

        """)
    #expect(try place.remainingRecords() == [])
    #expect(try place.share("-y", "--to", "handler", "in/a.xei").status == 0)
    #expect(try place.records(21).count == 21)
    let few = (1...20).map { "https://e.org/\($0)" }
    #expect(try place.run([Docsource.path, "open"] + few).status == 0)
    #expect(try place.records(20).count == 20)
    // One program gets them all.
    try place.entry(
      "many", "Name=Many\nExec=handler %U\nMimeType=x-scheme-handler/https;")
    let many = (1...300).map { "https://e.org/\($0)" }
    #expect(try place.run([Docsource.path, "open", "--with", "many"] + many).status == 0)
    #expect(try place.records(1) == [many])
  }

  // Files that an item chooses

  /// Paths of an item in the directory `u`, and why the files are not handed over.
  private static let privateFiles = [
    (".ssh/id_rsa", "a component of the path begins with a dot"),
    ("secret.txt", "only its owner may read the file"),
    ("Private/diary.txt", "only its owner may enter \"Private\""),
    (".", "the path is that of the item's directory"),
    ("letters", "the path is that of a directory"),
  ]

  /// A user's directory with private files, and a share target Rec.
  private static func home() throws -> DesktopWorld {
    let place = try place()
    try place.recorder("rec")
    _ = try place.file(
      "home/docsource/targets/rec.target", "[Share Target]\nName=Rec\nExec=rec\n")
    for path in [
      ".ssh/id_rsa", "secret.txt", "Private/diary.txt", "letter.txt", "p.png",
      "letters/.ssh/id_rsa",
    ] {
      _ = try place.file("u/\(path)", "key\n")
    }
    chmod(place.directory.path("u/secret.txt"), 0o600)
    chmod(place.directory.path("u/Private"), 0o700)
    return place
  }

  private func party(_ paths: String..., in place: DesktopWorld) throws {
    let attachments = try paths.map { path in
      #"{"registeredTypeIdentifiers":["public.plain-text"],"path":\#(try json(path)),"suggestedName":"invitation.txt"}"#
    }
    _ = try place.file(
      "u/party.xei",
      #"{"NSExtensionItemAttachmentsKey":[\#(attachments.joined(separator: ","))]}"#)
  }

  private func item(
    _ arguments: String..., in place: DesktopWorld
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "item"] + arguments, in: place.directory.root,
      environment: place.environment)
  }

  @Test(arguments: privateFiles)
  func itemChoosesNoPrivateFile(_ path: String, _ reason: String) throws {
    let place = try Self.home()
    try party(path, in: place)
    let words = "attachment 1: \"\(path)\": \(reason); use --any-path to allow it\n"
    for target in ["rec", "mail", "own", "save", "copy", "handler"] {
      for dry in [[], ["-n"]] {
        let run = try Execution.run(
          [Docsource.path, "share", "--to", target, "u/party.xei"] + dry,
          in: place.directory.root, environment: place.environment)
        #expect(run.errors == "docsource: u/party.xei: cannot share: \(words)")
        #expect(run.status == 2 && run.text == "")
      }
    }
    let sent = try item("send", "--to", "rec", "u/party.xei", in: place)
    #expect(sent.errors == "docsource: u/party.xei: cannot hand over: \(words)")
    #expect(sent.status == 2 && sent.text == "")
    let made = try item(
      "make", "--text", "a", "--item-for", "mail=u/party.xei", "--embed", "-o", "b.xei", in: place)
    #expect(
      made.errors
        == "docsource: u/party.xei: cannot attach: attachment 1: \"\(path)\": \(reason)\n")
    #expect(made.status == 2)
    let extracted = try item("extract", "u/party.xei", "out", in: place)
    #expect(extracted.errors == "docsource: out/invitation.txt: \(words)")
    #expect(extracted.status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory.path("out")) == [])
    for name in ["rec", "xdg-email", "own"] {
      #expect(access(place.directory.path("record.\(name).words"), F_OK) != 0)
    }
  }

  /// A user who names the file, or allows any path, gets what they want. The item itself may be in a
  /// hidden or private directory.
  @Test func namedFilesAreHandedOver() throws {
    let place = try Self.home()
    let named = try place.share("--to", "rec", "u/.ssh/id_rsa")
    #expect(named.text == "u/.ssh/id_rsa: handed over to Rec\n" && named.errors == "")
    try party(".ssh/id_rsa", "Private/diary.txt", "secret.txt", in: place)
    let paths = [".ssh/id_rsa", "Private/diary.txt", "secret.txt"].map {
      place.directory.path("u/\($0)")
    }
    let any = try place.share("--any-path", "--to", "rec", "u/party.xei")
    #expect(
      any.text == "u/party.xei: handed over to Rec\n"
        + paths.map { "  \($0)\n" }.joined())
    #expect(any.errors == "" && any.status == 0)
    #expect(try place.recorded("rec").input.contains(paths[0]))
    let extracted = try item("extract", "--any-path", "u/party.xei", "out", in: place)
    #expect(extracted.errors == "" && extracted.status == 0)
    try party("id_rsa", in: place)
    for directory in [".ssh", "Private"] {
      _ = try place.file("u/\(directory)/id_rsa", "x\n")
      rename(place.directory.path("u/party.xei"), place.directory.path("u/\(directory)/party.xei"))
      let hidden = try place.share("--to", "rec", "u/\(directory)/party.xei")
      #expect(hidden.errors == "" && hidden.status == 0)
      try party("id_rsa", in: place)
    }
  }

  /// The umask, the permissions of a file and of its directory, and why the file is private.
  private static let permissions: [(String, mode_t, mode_t, String?)] = [
    // Everybody's files are so, and the permissions say nothing.
    ("077", 0o600, 0o700, nil), ("277", 0o400, 0o700, nil), ("027", 0o640, 0o750, nil),
    ("027", 0o600, 0o750, "only its owner may read the file"),
    ("027", 0o640, 0o700, "only its owner may enter \"Private\""),
    ("022", 0o644, 0o711, nil), ("022", 0o604, 0o701, nil),
    ("022", 0o640, 0o755, "only its owner and your own group may read the file"),
    ("002", 0o664, 0o750, "only its owner and your own group may enter \"Private\""),
  ]

  @Test(arguments: permissions)
  func permissionsThatTheUmaskTakesSayNothing(
    _ umask: String, _ file: mode_t, _ directory: mode_t, _ reason: String?
  ) throws {
    let place = try Self.home()
    func share() throws -> Execution {
      try place.run([
        "sh", "-c", "umask \(umask); exec \"$0\" share --to rec u/party.xei", Docsource.path,
      ])
    }
    try party("Private/diary.txt", in: place)
    chmod(place.directory.path("u/Private/diary.txt"), file)
    chmod(place.directory.path("u/Private"), directory)
    let run = try share()
    let words = reason.map {
      "docsource: u/party.xei: cannot share: attachment 1: \"Private/diary.txt\": \($0);"
        + " use --any-path to allow it\n"
    }
    #expect(run.errors == words ?? "" && run.status == (words == nil ? 0 : 2))
    try party(".ssh/id_rsa", in: place)
    #expect(try share().errors.contains(": a component of the path begins with a dot; "))
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files to another group"))
  func anotherGroupMayRead() throws {
    let place = try Self.home()
    try party("secret.txt", in: place)
    for (group, status) in [(getegid(), 2), (getegid() + 1, 0)] {
      chmod(place.directory.path("u/secret.txt"), 0o640)
      chown(place.directory.path("u/secret.txt"), geteuid(), group)
      #expect(try Int(place.share("--to", "rec", "u/party.xei").status) == status)
    }
  }

  /// The mask of an access control list stands for those that it names.
  @Test func accessControlListsCount() throws {
    let place = try Self.home()
    try party("secret.txt", in: place)
    // As acl(5) has it: user::rw-, user:1:r--, group::---, the mask, other::---.
    for (mask, status) in [("04", 0), ("00", 2)] {
      let list =
        "0x0200000001000600ffffffff020004000100000004000000ffffffff1000\(mask)00ffffffff"
        + "20000000ffffffff"
      let set = try Execution.run(
        [
          "setfattr", "-n", "system.posix_acl_access", "-v", list,
          place.directory.path("u/secret.txt"),
        ])
      try #require(set.status == 0, "\(set.errors)")
      #expect(try Int(place.share("--to", "rec", "u/party.xei").status) == status)
    }
  }

  @Test func linksOfAnItemAreNotFollowed() throws {
    let place = try Self.home()
    symlink(".ssh", place.directory.path("u/docs"))
    symlink(".ssh/id_rsa", place.directory.path("u/link.txt"))
    for (path, reason) in [
      (
        "docs/id_rsa", "a directory in the path is a symbolic link, which docsource does not follow"
      ),
      ("link.txt", "the file is a symbolic link, which docsource does not follow"),
    ] {
      try party(path, in: place)
      for words in [[], ["--any-path"]] {
        let run = try Execution.run(
          [Docsource.path, "share", "--to", "rec", "u/party.xei"] + words,
          in: place.directory.root, environment: place.environment)
        #expect(
          run.errors
            == "docsource: u/party.xei: cannot share: attachment 1: \"\(path)\": \(reason)\n")
        #expect(run.status == 2)
      }
    }
  }

  @Test(arguments: ["public.file-url", "public.URL", "public.url"])
  func fileURLInAnItemIsAPath(_ type: String) throws {
    let place = try Self.home()
    let url = "FILE://\(place.directory.path("u/.ssh/id_rsa"))"
    for value in [try json(" " + url), #"{"$data":"\#(Data(url.utf8).base64EncodedString())"}"#] {
      try item(
        #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.text", "\#(type)"], "value": \#(value)}]}"#,
        in: place)
      let words =
        "attachment 1: a file: URL, which names a file anywhere; use --any-path to allow it\n"
      let shared = try place.share("--to", "rec", "in/a.xei")
      #expect(shared.errors == "docsource: in/a.xei: cannot share: \(words)")
      let sent = try item("send", "--to", "rec", "in/a.xei", in: place)
      #expect(sent.errors == "docsource: in/a.xei: cannot hand over: \(words)")
      #expect(shared.status == 2 && sent.status == 2)
      #expect(try item("send", "--any-path", "--to", "rec", "in/a.xei", in: place).status == 0)
    }
  }

  /// What a document contains chooses no other one in its place.
  @Test(arguments: ["json", "xml", "binary"]) func documentIsNoItem(_ form: String) throws {
    let place = try Self.home()
    _ = try place.file("u/taxes.pdf", "x\n")
    let picture = place.directory.path("u/holiday.jpg")
    let json =
      #"{"NSExtensionItemAttachmentsKey":[{"registeredTypeIdentifiers":["com.adobe.pdf"],"path":"taxes.pdf"}]}"#
    let xml = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>NSExtensionItemAttachmentsKey</key><array>
      <dict><key>registeredTypeIdentifiers</key><array><string>com.adobe.pdf</string></array>
      <key>path</key><string>taxes.pdf</string></dict></array></dict></plist>
      """
    _ = try place.file("u/holiday.jpg", form == "xml" ? xml : json)
    if form == "binary" {
      rename(picture, place.directory.path("u/holiday.json"))
      let encoded = try Docsource.run(
        "plist", "encode", place.directory.path("u/holiday.json"), "-o", picture)
      try #require(encoded.status == 0, "\(encoded.errors)")
    }
    let mail = try place.share("-q", "--to", "mail", "u/holiday.jpg")
    #expect(mail.status == 0 && mail.text == "" && mail.errors == "")
    #expect(try place.recorded("xdg-email").words == ["--attach", picture, "mailto:"])
    let sent = try place.share("--to", "rec", "u/holiday.jpg")
    #expect(sent.status == 0 && sent.text == "u/holiday.jpg: handed over to Rec\n")
    let received = try place.recorded("rec").input
    #expect(received.contains(picture) && !received.contains("taxes.pdf"))
    // Where the user says that it is one, it is.
    #expect(try item("show", "u/holiday.jpg", in: place).text.contains("\"taxes.pdf\""))
    // By its name, and by its name alone.
    let item = place.directory.path("u/holiday.XEI")
    rename(picture, item)
    let taxes = place.directory.path("u/taxes.pdf")
    let named = try place.share("--to", "mail", "u/holiday.XEI")
    #expect(named.text == "u/holiday.XEI: handed over to Mail\n  \(taxes)\n")
    let quiet = try place.share("-q", "--to", "mail", "u/holiday.XEI")
    #expect(quiet.text == "" && quiet.status == 0)
    #expect(quiet.errors == "docsource: u/holiday.XEI: handed over: \(taxes)\n")
    #expect(try copy(in: place.recorded("xdg-email").words, of: place) == "taxes.pdf")
  }

  @Test func filesOfAnItemAreListedWithTheirTrueNames() throws {
    let place = try Self.home()
    let names = ["letter.txt", "./p.png"]
    try party(names[0], names[1], in: place)
    let paths = ["letter.txt", "p.png"].map { place.directory.path("u/\($0)") }
    let all = paths.map { "  \($0)\n" }.joined()
    let shared = try place.share("--to", "rec", "u/party.xei")
    #expect(shared.text == "u/party.xei: handed over to Rec\n" + all)
    // Mail receives the main document.
    let mail = try place.share("--to", "mail", "u/party.xei")
    #expect(mail.text == "u/party.xei: handed over to Mail\n  \(paths[0])\n")
    let opened = try place.share("--to", "handler", "u/party.xei", "outside.txt")
    #expect(opened.text == "u/party.xei: handed over to handler: Handler\n" + all)
    let own = try place.share("--to", "own", "u/party.xei")
    #expect(own.text.hasSuffix("u/party.xei: handed over to own\n" + all), "\(own.text)")
    let json = try place.share("--json", "--to", "rec", "u/party.xei")
    let files = #""files":["\#(paths[0])","\#(paths[1])"]"#
    #expect(
      json.text
        == #"{"file":"u/party.xei","target":"rec","kind":"target","name":"Rec","activity":"rec","outcome":"done","completed":true,"#
        + files + #","item":null}"# + "\n")
    let dry = try place.share("-n", "--to", "handler", "u/party.xei")
    #expect(dry.text.hasSuffix(paths.map { "would hand over: \($0)\n" }.joined()))
    let quiet = try place.share("-q", "--to", "rec", "u/party.xei")
    #expect(quiet.text == "")
    #expect(
      quiet.errors == paths.map { "docsource: u/party.xei: handed over: \($0)\n" }.joined())
    let sent = try item("send", "--to", "rec", "u/party.xei", in: place)
    let reports = paths.map { "docsource: u/party.xei: hands over: \($0)\n" }.joined()
    #expect(sent.errors == reports && sent.text == "")
    let object = try item("send", "--json", "--to", "rec", "u/party.xei", in: place)
    #expect(
      object.text
        == #"{"file":"u/party.xei","target":"rec","outcome":"done",\#(files),"item":null}"# + "\n")
    let preview = try item("send", "-n", "--to", "rec", "u/party.xei", in: place)
    #expect(
      preview.errors
        == paths.map { "docsource: u/party.xei: would hand over: \($0)\n" }.joined())
  }

  private static func items(
    _ count: Int, in place: DesktopWorld, own: Bool = false
  ) throws {
    let one = #"{"registeredTypeIdentifiers":["public.plain-text"],"value":"a"}"#
    let all = [String](repeating: one, count: count).joined(separator: ",")
    _ = try place.file(
      "in/a.xei",
      own
        ? #"{"x-extension-item-activities":{"com.apple.UIKit.activity.Mail":{"attachments":[\#(all)]}}}"#
        : #"{"NSExtensionItemAttachmentsKey":[\#(all)]}"#)
  }

  /// Listing 130,000 took 40 seconds.
  @Test func manyAttachmentsAreSharedOnlyIfAskedFor() throws {
    let place = try Self.place()
    for own in [false, true] {
      try Self.items(20_001, in: place, own: own)
      for words in [["--list"], ["--explain"], ["--to", "copy"], ["-n", "--to", "own"]] {
        let run = try place.run([Docsource.path, "share"] + words + ["in/a.xei"])
        #expect(
          run.errors == """
            docsource: in/a.xei: cannot share: 20001 attachments; use --limit=none to allow more than \
            20000

            """)
        #expect(run.status == 2 && run.text == "")
      }
      let words =
        "20001 attachments; use --limit=none to allow more than 20000\n"
      let sent = try item("send", "--list", "in/a.xei", in: place)
      #expect(sent.errors == "docsource: in/a.xei: cannot hand over: \(words)" && sent.status == 2)
    }
    try Self.items(20_001, in: place)
    var all: Execution?
    let time = try Patience.processorTime {
      all = try place.share("--list", "--limit=none", "in/a.xei")
    }
    #expect(all?.status == 0 && all?.errors == "" && all?.text.contains("mail\tMail\n") == true)
    #expect(time < .seconds(30), "\(time)")
  }

  @Test func hundredFilesOfAnItemAreListed() throws {
    let place = try Self.home()
    let names = (1...101).map { "\($0).txt" }
    for name in names { _ = try place.file("u/\(name)", "x\n") }
    func listed(_ lead: String, _ count: Int) -> String {
      names.prefix(count).map { "\(lead)\(place.directory.path("u/\($0)"))\n" }.joined()
    }
    for (count, end) in [(100, ""), (101, "  and 1 more\n")] {
      let attachments = names.prefix(count).map {
        #"{"registeredTypeIdentifiers":["public.plain-text"],"path":"\#($0)"}"#
      }
      _ = try place.file(
        "u/party.xei",
        #"{"NSExtensionItemAttachmentsKey":[\#(attachments.joined(separator: ","))]}"#)
      let shared = try place.share("--to", "rec", "u/party.xei")
      #expect(shared.text == "u/party.xei: handed over to Rec\n" + listed("  ", 100) + end)
      let sent = try item("send", "--to", "rec", "u/party.xei", in: place)
      let lead = "docsource: u/party.xei: "
      #expect(
        sent.errors == listed(lead + "hands over: ", 100) + (end.isEmpty ? "" : lead + end))
      let json = try place.share("--json", "--to", "rec", "u/party.xei")
      #expect(json.text.contains("/u/\(count).txt\""))
    }
  }

  @Test(.enabled(if: getuid() == 0)) func descriptionsThatCannotBeReadAreReported() throws {
    let place = try Self.place()
    _ = try place.file("home/docsource/targets/a.target", "[Share Target]\nExec=own\n")
    chmod(place.directory.root, 0o755)
    _ = try place.file("home/Thunar/sendto/a.desktop", "")
    let directories = ["Thunar/sendto", "docsource/activities", "docsource/targets"].map {
      place.directory.path("home/\($0)")
    }
    for directory in directories { chmod(directory, 0) }
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    let list = try place.run(user + ["share", "--list", "outside.txt"])
    #expect(
      list.errors
        == directories.reversed().map {
          "docsource: \($0): warning: cannot read: permission denied\n"
        }.joined())
    #expect(list.status == 0 && list.text.contains("mail\tMail\n"))
    try Self.items(1, in: place)
    let targets = try place.run(user + ["item", "send", "--list", "in/a.xei"])
    #expect(
      targets.errors == "docsource: \(directories[2]): cannot read: permission denied\n")
    #expect(targets.status == 2)
  }
}
