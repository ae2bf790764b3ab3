import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource share` with the desktop itself: the portal for mail, clipboards, and GLib's lists.
@Suite struct SharePortalTests {
  private func portal(
    _ place: DesktopWorld, _ variables: [String: String], _ words: String...
  ) throws -> (text: String, errors: String, status: Int32) {
    var environment = place.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    environment.merge(variables) { $1 }
    let stub = Fixture.root.appending(path: "Tests/Scripts/portal-stub").path
    let run = try Execution.run(
      [
        "dbus-run-session", "--", "/usr/bin/python3", stub, "/usr/share/dbus-1/interfaces",
        place.directory.path("calls"), Docsource.path, "share", "--to", "mail",
      ] + words, in: place.directory.root, environment: environment)
    // The daemon has words of its own.
    let errors = run.errors.split(separator: "\n").filter { $0.hasPrefix("docsource: ") }
    return (run.text, errors.map { $0 + "\n" }.joined(), run.status)
  }

  private func calls(_ place: DesktopWorld) throws -> [String] {
    let text = try place.directory.text("calls")
    try FileManager.default.removeItem(atPath: place.directory.path("calls"))
    // The token is random.
    return text.split(separator: "\n").map {
      String($0.replacing(/docsource[0-9]+/, with: "docsource"))
    }
  }

  private static let handle =
    #""handle": "/org/freedesktop/portal/desktop/request/SENDER/docsource", "interface": "org.freedesktop.portal.Email", "method": "ComposeEmail""#

  @Test func mailIsHandedToThePortal() throws {
    let place = try DesktopWorld()
    let (a, b) = (try place.file("a b.txt", "content é\n"), try place.file("b.txt", "two\n"))
    let sent = try portal(
      place, [:], "--portal", "--recipient", "a@b.org", "--recipient", "c@d.org", "--cc", "e@f.org",
      "--bcc", "g@h.org", "--subject", "S", "--text", "-T\nü", "a b.txt", "b.txt")
    #expect(sent.errors == "" && sent.status == 0)
    #expect(sent.text == "a b.txt: handed over to Mail\n")
    #expect(
      try calls(place) == [
        #"{"files": ["\#(a)", "content \u00e9\n", "\#(b)", "two\n"], \#(Self.handle), "options": {"addresses": ["a@b.org", "c@d.org"], "attachment_fds": [0, 1], "bcc": ["g@h.org"], "body": "-T\n\u00fc", "cc": ["e@f.org"], "subject": "S"}, "parent": "", "signature": "(sa{sv})", "words": []}"#
      ])
    _ = try portal(place, ["SNAP_NAME": "x", "SNAP_REVISION": "1"], "--text", "x")
    #expect(
      try calls(place) == [
        #"{"files": [], \#(Self.handle), "options": {"body": "x"}, "parent": "", "signature": "(sa{sv})", "words": []}"#
      ])
  }

  /// GTK's portal writes paths and addresses into a URL as they are.
  @Test func portalGetsNoNameOrAddressWithFields() throws {
    let place = try DesktopWorld()
    let name = "a&bcc=evil@example.org&x=.txt"
    _ = try place.file(name, "one\n")
    let copies = place.directory.path("run/docsource/mail/")
    let sent = try portal(place, [:], "--portal", name)
    #expect(sent.errors == "" && sent.status == 0)
    #expect(sent.text == "\(name): handed over to Mail\n")
    let call = try calls(place)[0].replacing(/docsource\/mail\/[^\/]{6}\//, with: "docsource/mail/")
    #expect(
      call
        == #"{"files": ["\#(copies)a_bcc=evil@example.org_x=.txt", "one\n"], \#(Self.handle), "options": {"attachment_fds": [0]}, "parent": "", "signature": "(sa{sv})", "words": []}"#
    )
    let address = "ann&bcc=evil@example.org"
    let refused = try portal(place, [:], "--portal", "--cc", address, "--text", "x")
    #expect(
      refused.errors
        == "docsource: text: cannot hand over to Mail: the portal would misread the address '\(address)'\n"
    )
    #expect(refused.status == 2)
  }

  @Test func olderPortalTakesOneRecipient() throws {
    let place = try DesktopWorld()
    let old = ["PORTAL_VERSION": "2", "PORTAL_HANDLE": "own"]
    let one = try portal(place, old, "--portal", "--recipient", "a@b.org", "--text", "x")
    #expect(one.status == 0 && one.errors == "")
    #expect(try calls(place)[0].contains(#""options": {"address": "a@b.org", "body": "x"}"#))
    let two = try portal(
      place, old, "--portal", "--recipient", "a@b.org", "--cc", "c@d.org", "--text", "x")
    #expect(two.status == 2)
    #expect(
      two.errors
        == "docsource: text: cannot hand over to Mail: the portal takes one recipient, and no cc or bcc\n"
    )
  }

  @Test(arguments: [
    ("0", 0, ""), ("1", 1, "cancelled"),
    ("2", 2, "cannot hand over to Mail: the portal has ended the request"),
  ])
  func answersAreDistinguished(_ answer: String, _ status: Int32, _ message: String) throws {
    let place = try DesktopWorld()
    _ = try place.file("a", "x")
    let sent = try portal(place, ["PORTAL_ANSWER": answer], "--portal", "a")
    #expect(sent.status == status)
    #expect(sent.errors == (message.isEmpty ? "" : "docsource: a: \(message)\n"))
    let json = try portal(place, ["PORTAL_ANSWER": answer], "--portal", "--json", "a")
    let outcome = ["done", "cancelled", "failed"][Int(status)]
    #expect(
      json.text.contains(#""outcome":"\#(outcome)","completed":\#(status == 0)"#), "\(json.text)")
  }

  @Test func refusalAndAbsenceAreReported() throws {
    let place = try DesktopWorld()
    let refused = try portal(place, ["PORTAL_REFUSE": "1"], "--portal", "--text", "x")
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "docsource: text: cannot hand over to Mail: GDBus.Error:org.freedesktop.portal.Error.NotAllowed: not today\n"
    )
    let absent = try place.share("--to", "mail", "--portal", "--text", "x")
    #expect(
      absent.status == 2 && absent.errors.hasPrefix("docsource: text: cannot hand over to Mail: "))
    let dry = try place.share("--to", "mail", "--portal", "-n", "--subject", "a\"b", "--text", "x")
    #expect(
      dry.text == """
        would call the portal's ComposeEmail with:
          subject: "a\\"b"
          body: "x"

        """)
    let json = try place.share("--to", "mail", "--portal", "-n", "--json", "--text", "x")
    #expect(json.text.contains(#""mail":[{"body":"x"}]"#))
  }

  /// What GLib says of a list of bookmarks.
  private static let reader = """
    import ctypes, json, sys
    glib = ctypes.CDLL("libglib-2.0.so.0")
    def function(name, result, *kinds):
        made = getattr(glib, "g_bookmark_file_" + name)
        made.restype, made.argtypes = result, kinds
        return made
    pointer, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    texts = ctypes.POINTER(text)
    file = function("new", pointer)()
    if not function("load_from_file", ctypes.c_int, pointer, text, pointer)(
            file, sys.argv[1].encode(), None):
        sys.exit("GLib cannot read it")
    def one(name, uri):
        found = function("get_" + name, text, pointer, text, pointer)(file, uri, None)
        return found and found.decode()
    def several(name, uri):
        count = size()
        found = function("get_" + name, texts, pointer, text, ctypes.POINTER(size), pointer)(
            file, uri, count, None)
        return [found[index].decode() for index in range(count.value)]
    count = size()
    uris = function("get_uris", texts, pointer, ctypes.POINTER(size))(file, count)
    for uri in uris[:count.value]:
        exec_line, uses = text(), ctypes.c_uint()
        glib.g_bookmark_file_get_app_info(
            pointer(file), uri, b"docsource", ctypes.byref(exec_line), ctypes.byref(uses), None, None)
        is_private = function("get_is_private", ctypes.c_int, pointer, text, pointer)(
            file, uri, None)
        print(json.dumps([
            uri.decode(), one("title", uri), one("description", uri), one("mime_type", uri),
            several("groups", uri), bool(is_private), several("applications", uri),
            [uses.value, exec_line.value.decode()]]))
    """

  @Test func readingListIsReadByGLibAndKeepsWhatGLibWrote() throws {
    let place = try DesktopWorld()
    let path = place.directory.path("home/docsource/reading-list.xbel")
    let added = try place.share(
      "--to", "reading-list", "--subject", "Title <&> é", "--text", "preview",
      "https://me:pw@example.com/a?b=1&c=%20d")
    #expect(
      added.text == "https://me:pw@example.com/a?b=1&c=%20d: handed over to Add to Reading List\n")
    #expect(
      added.errors
        == "docsource: https://me:pw@example.com/a?b=1&c=%20d: the user name and password in the URL are left out\n"
    )
    func read() throws -> [String] {
      let run = try Execution.run(["/usr/bin/python3", "-c", Self.reader, path])
      #expect(run.errors == "")
      return run.text.split(separator: "\n").map(String.init)
    }
    let url = "https://example.com/a?b=1&c=%20d"
    #expect(
      try read() == [
        #"["\#(url)", "Title <&> \u00e9", "preview", "text/html", ["reading-list"], true, ["docsource"], [1, "docsource open \#(url)"]]"#
      ])
    // The same again brings it up to date.
    _ = try place.share("--to", "reading-list", "--subject", "New", url)
    let again = try read()
    #expect(again.count == 1 && again[0].contains(#""New", "preview""#))
    #expect(try place.directory.text("home/docsource/reading-list.xbel").contains("count=\"2\""))
    // Others' bookmarks stay.
    let reference = Fixture.root.appending(path: "Fixtures/Sharing/reading-list.xbel")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(at: reference, to: URL(filePath: path))
    _ = try place.share("--to", "reading-list", "https://e.org/1", "https://e.org/2")
    let all = try read()
    #expect(all.count == 4 && all[1].hasPrefix(#"["file:///srv/sp%20ace.txt""#))
    var status = stat()
    #expect(stat(path, &status) == 0)
    // What cannot be read is not written over.
    _ = try place.file("home/docsource/reading-list.xbel", "<xbel")
    let damaged = try place.share("--to", "reading-list", url)
    #expect(damaged.status == 2)
    #expect(
      damaged.errors.hasPrefix(
        "docsource: \(url): cannot hand over to Add to Reading List: \(path): cannot be read: "))
    #expect(try place.directory.text("home/docsource/reading-list.xbel") == "<xbel")
  }

  @Test func newReadingListIsForTheUserAlone() throws {
    let place = try DesktopWorld()
    let dry = try place.share("--to", "reading-list", "-n", "https://e.org/")
    let path = place.directory.path("home/docsource/reading-list.xbel")
    #expect(dry.text.hasPrefix("would write \(path):\n\"<?xml version=") && dry.status == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
    _ = try place.share("--to", "reading-list", "https://e.org/")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func twoAtOnceKeepBoth() throws {
    let place = try DesktopWorld()
    let script =
      "for i in 1 2 3 4 5 6 7 8; do '\(Docsource.path)' share -q --to reading-list https://e.org/$i & done; wait"
    let run = try Execution.run(
      ["sh", "-c", script], in: place.directory.root, environment: place.environment)
    #expect(run.errors == "" && run.status == 0)
    let list = try place.directory.text("home/docsource/reading-list.xbel")
    #expect(list.components(separatedBy: "<bookmark href=").count == 9)
  }

  private static let hasX = ["xvfb-run", "xclip", "xauth"].allSatisfy {
    FileManager.default.fileExists(atPath: "/usr/bin/\($0)")
  }
  private static let hasWayland = ["sway", "wl-copy"].allSatisfy {
    FileManager.default.fileExists(atPath: "/usr/bin/\($0)")
  }

  @Test(.enabled(if: hasX)) func clipboardOfXHasTheBytes() throws {
    let place = try DesktopWorld()
    let path = try place.file("a b.txt", "x")
    let script = """
      unset WAYLAND_DISPLAY
      '\(Docsource.path)' share -q --to copy "a b.txt" || exit
      # xclip answers when it has gone to the background.
      for i in $(seq 200); do
        xclip -selection clipboard -o -t text/uri-list > files 2>/dev/null && break
        sleep 0.05
      done
      printf 'ü\\n-\\n' > text; printf 'ü\\n-' > wanted
      '\(Docsource.path)' share -q --to copy --text "$(cat text)" || exit
      for i in $(seq 200); do
        xclip -selection clipboard -o > back 2>/dev/null
        cmp -s back wanted && break
        sleep 0.05
      done
      """
    let run = try Execution.run(
      ["xvfb-run", "-a", "sh", "-c", script], in: place.directory.root,
      environment: place.environment)
    #expect(run.errors == "" && run.status == 0)
    #expect(
      try place.directory.text("files")
        == "file://\((path as NSString).deletingLastPathComponent)/a%20b.txt\r\n")
    #expect(try place.directory.text("back") == "ü\n-")
  }

  @Test(.enabled(if: hasWayland)) func clipboardOfWaylandHasTheBytes() throws {
    let place = try DesktopWorld()
    let path = try place.file("a b.txt", "x")
    // Sway runs for no root, who must then find its socket.
    let script = """
      export XDG_RUNTIME_DIR=$(mktemp -d)
      run="env"
      if [ "$(id -u)" = 0 ]; then
        chown 65534:65534 "$XDG_RUNTIME_DIR"
        run="setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp"
      fi
      $run sway -c /dev/null >sway.log 2>&1 &
      for i in $(seq 200); do
        [ -S "$XDG_RUNTIME_DIR/wayland-1" ] && break
        sleep 0.1
      done
      export WAYLAND_DISPLAY=wayland-1
      '\(Docsource.path)' share -q --to copy "a b.txt" && wl-paste -n --type text/uri-list > files
      '\(Docsource.path)' share -q --to copy --text "ü" && wl-paste -n > back
      kill %1
      wait 2>/dev/null
      rm -r "$XDG_RUNTIME_DIR"
      """
    let run = try Execution.run(
      ["bash", "-c", script], in: place.directory.root,
      environment: place.environment.merging([
        "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      ]) { $1 })
    #expect(run.errors == "")
    #expect(
      try place.directory.text("files")
        == "file://\((path as NSString).deletingLastPathComponent)/a%20b.txt\r\n")
    #expect(try place.directory.text("back") == "ü")
  }
}
