import BrowserHistory
import DatabaseSnapshot
import Glibc
import LinuxSystem
import TextFormats

/// The databases of the user's browsers.
struct BrowserProfiles {
  /// The most profiles that are read: each takes at most seven descriptors, and a share of the time.
  private static let limit = 64
  private static let failureLimit = 16

  /// A browser whose profiles are in one directory.
  private struct Browser {
    let name: String
    let kind: BrowserHistory
    /// Where the profiles are below the directory of configuration or, in Firefox's kin, below home.
    let directory: String
    /// The same below home, for the browser from elsewhere.
    let others: [String]

    init(chromium name: String, _ directory: String, flatpak: String, others: [String] = []) {
      self.name = name
      kind = .chromium
      self.directory = directory
      self.others = [".var/app/\(flatpak)/config/\(directory)"] + others
    }

    init(firefox name: String, _ directory: String, flatpak: String, others: [String] = []) {
      self.name = name
      kind = .firefox
      self.directory = directory
      self.others = [".var/app/\(flatpak)/\(directory)"] + others
    }
  }

  private static let browsers = [
    Browser(
      chromium: "Chromium", "chromium", flatpak: "org.chromium.Chromium",
      others: [
        "snap/chromium/common/chromium",
        ".var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium",
      ]),
    Browser(chromium: "Google Chrome", "google-chrome", flatpak: "com.google.Chrome"),
    Browser(chromium: "Google Chrome", "google-chrome-beta", flatpak: "com.google.ChromeBeta"),
    Browser(chromium: "Google Chrome", "google-chrome-unstable", flatpak: "com.google.ChromeDev"),
    Browser(chromium: "Brave", "BraveSoftware/Brave-Browser", flatpak: "com.brave.Browser"),
    Browser(chromium: "Microsoft Edge", "microsoft-edge", flatpak: "com.microsoft.Edge"),
    Browser(chromium: "Vivaldi", "vivaldi", flatpak: "com.vivaldi.Vivaldi"),
    Browser(chromium: "Opera", "opera", flatpak: "com.opera.Opera"),
    Browser(
      firefox: "Firefox", ".mozilla/firefox", flatpak: "org.mozilla.firefox",
      others: [
        // Since Firefox 147.
        ".config/mozilla/firefox", ".var/app/org.mozilla.firefox/config/mozilla/firefox",
        "snap/firefox/common/.mozilla/firefox",
      ]),
    Browser(
      firefox: "LibreWolf", ".librewolf", flatpak: "io.gitlab.librewolf-community",
      others: [".config/librewolf/librewolf"]),
  ]

  /// The databases that there are, opened; those of other users are left out.
  private(set) var found: [(kind: BrowserHistory, files: DatabaseFiles, logs: [DownloadLog])] = []
  /// Those that cannot be opened, and why.
  private(set) var failures: [(path: FilePath, reason: String)] = []

  var descriptors: [CInt] {
    found.flatMap { $0.files.descriptors + $0.logs.map(\.file) }
  }

  init(_ directories: BaseDirectories) {
    guard let home = directories.home else { return }
    for browser in Self.browsers {
      let base = browser.kind == .chromium ? directories.configHome : home
      let own = base.map { [$0.appending(FilePath(browser.directory))] } ?? []
      for place in own + browser.others.map({ home.appending(FilePath($0)) }) {
        switch browser.kind {
        case .chromium: addChromium(browser, place)
        case .firefox: addFirefox(browser, place)
        }
      }
    }
  }

  /// Profiles are directories of known names; Opera's only one is the directory itself.
  private mutating func addChromium(_ browser: Browser, _ place: FilePath) {
    let profiles = InstalledDirectory(path: place).names.filter {
      $0 == "Default" || $0.hasPrefix("Profile ")
    }
    for profile in [place] + profiles.map({ place.appending(FilePath($0)) }) {
      add(browser, profile, "History")
    }
  }

  /// Profiles stand in a list, by paths that need not be below it.
  private mutating func addFirefox(_ browser: Browser, _ place: FilePath) {
    let list = InstalledFile(path: place.appending(FilePath("profiles.ini")))
    guard let content = list.content(limit: KeyFile.limit) else { return }
    let file = KeyFile(content)
    for number in 0..<Self.limit {
      let group = "Profile\(number)"
      guard let path = file.value("Path", in: group) else { continue }
      let isRelative = file.value("IsRelative", in: group) != "0"
      guard let given = FilePath(bytes: Array(path.utf8)) else { continue }
      let profile = isRelative ? place.appending(given) : given
      add(browser, profile, "places.sqlite")
    }
  }

  private mutating func add(_ browser: Browser, _ profile: FilePath, _ name: String) {
    let path = profile.appending(FilePath(name))
    guard !found.contains(where: { path.bytes.elementsEqual($0.files.path) }),
      failures.count < Self.failureLimit
    else { return }
    do throws(UserFileFailure) {
      guard let files = try UserFile.database(path, of: browser.name) else { return }
      guard found.count < Self.limit else {
        for descriptor in files.descriptors { close(descriptor) }
        failures.append((path, "more than \(Self.limit) profiles"))
        return
      }
      let logs = browser.kind == .chromium ? try Self.downloadLogs(of: profile) : []
      found.append((browser.kind, files, logs))
    } catch {
      failures.append((path, error.reason))
    }
  }

  /// The last tables and logs of LevelDB in a profile: it begins a log when one is full, moves that into
  /// a table, and some tables into the next one.
  private static func downloadLogs(
    of profile: FilePath
  ) throws(UserFileFailure) -> [DownloadLog] {
    let directory = profile.appending(FilePath("shared_proto_db"))
    let names = InstalledDirectory(path: directory).names
    var logs: [DownloadLog] = []
    for (kind, suffix) in [(DownloadLog.Kind.table, ".ldb"), (.log, ".log")] {
      // Names are numbers, of at least six digits.
      let numbered = names.filter { name in
        name.hasSuffix(suffix) && name.utf8.dropLast(4).allSatisfy { 0x30...0x39 ~= $0 }
      }
      let last = numbered.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.suffix(2)
      for path in last.map({ directory.appending(FilePath($0)) }) {
        let file = try UserFile.open(path)
        guard file >= 0 else { continue }
        logs.append(DownloadLog(path: Array(path.bytes), file: file, kind: kind))
      }
    }
    return logs
  }
}
