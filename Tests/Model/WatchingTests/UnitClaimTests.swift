import Testing

@testable import Watching

/// What names of systemd's units say, by its "Desktop Environment Integration".
@Suite struct UnitClaimTests {
  private static let app = "/user.slice/user-1000.slice/user@1000.service/app.slice/"

  private static func claim(_ path: String) -> UnitClaim? {
    ControlGroups(Array("0::\(path)\n".utf8)).claim
  }

  @Test(arguments: [
    ("app-gnome-org.gnome.TextEditor-4242.scope", "org.gnome.TextEditor"),
    ("app-gnome-org.gnome.TextEditor-4242.scope/deeper/still", "org.gnome.TextEditor"),
    ("app-KDE-org.kde.okular@1a2b.service", "org.kde.okular"),
    ("app-gnome-org.example.a\\x2db-4242.scope", "org.example.a-b"),
    ("app-gnome-org.example.\\xc3\\xa9-4242.scope", "org.example.é"),
    ("app-gnome-foo-bar-4242.scope", "foo-bar"),
    ("app-gnome-org.example.Editor-4242.slice/run-1.scope", "org.example.Editor"),
    ("app-flatpak-org.example.Editor-77.scope", "org.example.Editor"),
  ])
  func launcherAndRandomPartsAreLeftOut(_ unit: String, _ expected: String) {
    guard case .application(let candidates) = Self.claim(Self.app + unit) else {
      Issue.record("no application: \(unit)")
      return
    }
    #expect(candidates.first == expected)
  }

  @Test(arguments: [
    ("app-firefox-1234.scope", ["firefox", "1234", "firefox-1234"]),
    ("app-org.kde.dolphin-1234.scope", ["org.kde.dolphin", "1234", "org.kde.dolphin-1234"]),
    ("app-org.kde.dolphin@autostart.service", ["org.kde.dolphin"]),
    ("app-gnome-firefox.service", ["firefox", "gnome", "gnome-firefox"]),
    ("app-org.gnome.Terminal.slice/vte-spawn-1.scope", ["org.gnome.Terminal"]),
    ("app-x.scope", ["x"]),
    ("app-a-b-c.service", ["b", "b-c", "a-b", "a-b-c"]),
    ("app-a-b-c@d.service", ["b-c", "a-b-c"]),
  ])
  func allReadingsOfANameAreReported(_ unit: String, _ expected: [String]) {
    #expect(Self.claim(Self.app + unit) == .application(expected))
  }

  @Test(arguments: [
    "dbus-:1.2-org.gnome.Nautilus@0.service",
    "app-dbus\\x2d:1.2\\x2dorg.gnome.Nautilus.slice/dbus-:1.2-org.gnome.Nautilus@0.service",
    "app-dbus\\x2d:1.2\\x2dorg.gnome.Nautilus.slice/other.scope",
  ])
  func busNamesAreFound(_ unit: String) {
    #expect(Self.claim(Self.app + unit) == .activated("org.gnome.Nautilus"))
  }

  @Test(arguments: [
    ("snap.gimp.gimp-0a1b2c3d-1111-2222-3333-444455556666.scope", "gimp", "gimp"),
    ("snap.office.write-er-0a1b2c3d-1111-2222-3333-444455556666.scope", "office", "write-er"),
    ("snap.gimp.gimp.0a1b2c3d-1111-2222-3333-444455556666.scope", "gimp", "gimp"),
    ("snap.gimp_two.gimp.0a1b2c3d.scope", "gimp_two", "gimp"),
    ("snap.gimp.no-uuid.scope", "gimp", "no-uuid"),
  ])
  func snapsAreTakenApart(_ unit: String, _ name: String, _ application: String) {
    #expect(Self.claim(Self.app + unit) == .snap(name: name, application: application))
  }

  @Test(arguments: [
    ("snap.cups.cupsd.service", UnitClaim.service), ("snap.gimp.hook.install-1.scope", .service),
    ("emacs.service", .service), ("dbus.service", .service),
  ])
  func otherUnitsAreServices(_ unit: String, _ expected: UnitClaim) {
    #expect(Self.claim(Self.app + unit) == expected)
  }

  @Test func whatIsNoApplicationIsNone() {
    let manager = "/user.slice/user-1000.slice/user@1000.service"
    #expect(Self.claim("/") == nil)
    #expect(Self.claim("") == nil)
    #expect(Self.claim("/user.slice/user-1000.slice/session-2.scope") == nil)
    #expect(Self.claim("/app-gnome-a.b-1.scope/user.slice\(manager)/app.slice") == nil)
    #expect(Self.claim(manager) == .service)
    #expect(Self.claim("\(manager)/init.scope") == nil)
    #expect(
      Self.claim("\(manager)/session.slice/org.gnome.Shell@wayland.service")
        == .session(service: "org.gnome.Shell"))
    #expect(Self.claim("\(manager)/session.slice/a.scope") == .session(service: nil))
    #expect(Self.claim("\(manager)/background.slice/tracker.service") == .session(service: nil))
    #expect(Self.claim("/system.slice/cups.service") == .service)
    for near in [
      "app.slice", "apps-gnome-a.b-1.scope", "app-.scope", "app--a.b-1.scope", "app-a.b-1",
      "app-a.b-1.socket", "app-a\\x2-1.scope", "app-a\\x00-1.scope", "app-a\\q-1.scope", ".scope",
      "app-\\xff-1.scope", "snap..a.scope", "snap.scope", "dbus-1-a.b@1.scope",
    ] {
      #expect(Self.claim(Self.app + near) == nil, "\(near)")
    }
  }

  @Test func hierarchiesOfBothVersionsCount() {
    let unit = Self.app + "app-gnome-a.b-1.scope"
    func claim(_ text: String) -> UnitClaim? { ControlGroups(Array(text.utf8)).claim }
    let expected = UnitClaim.application(["a.b", "a.b-1", "gnome-a.b", "gnome-a.b-1"])
    #expect(claim("9:name=systemd:\(unit)\n8:pids:/\n0::/\n") == expected)
    #expect(claim("9:name=systemd:/\n0::\(unit)") == expected)
    #expect(claim("9:name=systemd:/\n0::\(unit) (deleted)\n") == expected)
    #expect(claim("8:pids:\(unit)\n7:name=other:\(unit)\n") == nil)
    #expect(claim("0:\(unit)\n\n::\n0::\n:\n") == nil)
  }

  @Test func hostileTextIsBoundedAndHarmless() {
    let long = String(repeating: "app-", count: 4000) + ".scope"
    #expect(Self.claim("/" + long) == nil)
    let parts = String(repeating: "a-", count: 2000) + "b"
    #expect(Self.claim("/app-\(parts).scope") != nil)
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("ap-@.:/\\x2d\n0scopelice \u{0}".utf8) + [0xff, 0xc3]
    for _ in 0..<2000 {
      let text = (0..<60).compactMap { _ in alphabet.randomElement(using: &generator) }
      _ = ControlGroups(text).claim
    }
  }
}
