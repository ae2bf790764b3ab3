import Foundation
import Glibc
import TestSupport
import Testing

/// Values of strangers, in items and attributes, do not become arguments, commands, or URLs of schemes
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

  private static func place() throws -> ShareCommandTests.Place {
    let place = try ShareCommandTests.Place()
    for name in ["xdg-email", "lp", "wl-copy", "own", "bluetooth-sendto"] {
      try place.recorder(name)
    }
    try place.world.program("handler")
    try place.world.entry(
      "handler",
      "Name=Handler\nExec=handler %u\nMimeType="
        + ["mailto", "sms", "tel", "geo", "https", "http", "javascript", "file", "x-scheme"]
        .map { "x-scheme-handler/\($0);" }.joined())
    try place.world.updateDatabases()
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
  private func tryAll(_ file: String, of place: ShareCommandTests.Place, _ value: String) throws {
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

  /// An item of a stranger, as a property list in JSON.
  private func item(_ members: String, in place: ShareCommandTests.Place) throws {
    let json = try place.file("item.json", members)
    let made = try Docsource.run("plist", "encode", json, "-o", place.directory.path("in/a.xei"))
    #expect(made.status == 0, "\(made.errors)")
  }

  private func json(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
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
    ] {
      try item(
        #"{"NSExtensionItemAttachmentsKey": [{"registeredTypeIdentifiers": ["public.data"], "value": {"$data": "eA=="}, "suggestedName": \#(try json(name))}]}"#,
        in: place)
      let run = try place.share("--to", "save", "--into", "saved", "in/a.xei")
      #expect(run.errors == "" && run.status == 0)
      #expect(
        FileManager.default.fileExists(atPath: place.directory.path("saved/\(saved)")), "\(name)")
    }
  }
}
