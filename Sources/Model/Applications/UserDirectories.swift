package import LinuxSystem

/// The directories that a user keeps documents in, from `user-dirs.dirs` of xdg-user-dirs.
package struct UserDirectories {
  /// Those that are named; relative to the home directory, or absolute.
  private let named: [String: FilePath?]

  /// All of them, by their usual names where the file does not name them.
  package var paths: [FilePath] {
    Self.usual.compactMap { name, usual in named[name] ?? FilePath(usual) }
  }

  /// The absolute path of one, `PICTURES`; `nil` if there is none.
  ///
  /// One that is not named, as where nobody has logged in on a desktop, is the directory of the usual
  /// name if that is there. `xdg-user-dir` would tell the home directory, and
  /// `g_get_user_special_dir` nothing.
  package func path(_ name: String, in places: BaseDirectories) -> FilePath? {
    if let path = named[name] {
      guard let path else { return nil }
      return path.bytes.first == UInt8(ascii: "/") ? path : places.home?.appending(path)
    }
    guard let usual = Self.usual.first(where: { $0.0 == name }),
      let path = places.home?.appending(FilePath(usual.1)),
      (try? FileStatus(path, links: .follow))?.kind == .directory
    else { return nil }
    return path
  }

  package static let file = "user-dirs.dirs"

  private static let usual = [
    ("DESKTOP", "Desktop"), ("DOCUMENTS", "Documents"), ("DOWNLOAD", "Downloads"),
    ("MUSIC", "Music"), ("PICTURES", "Pictures"), ("VIDEOS", "Videos"),
  ]
  private static let limit = 1 << 16

  package init(_ places: BaseDirectories) {
    let path = places.configHome?.appending(FilePath(Self.file))
    self.init(path.flatMap { InstalledFile(path: $0).content(limit: Self.limit) } ?? [])
  }

  /// Reads lines of the form `XDG_MUSIC_DIR="$HOME/Music"`. The home directory itself stands for no
  /// directory, as xdg-user-dirs has it for directories that are not wanted.
  package init(_ content: [UInt8]) {
    var named: [String: FilePath?] = [:]
    for line in content.split(separator: UInt8(ascii: "\n")) {
      guard let text = String(validating: line, as: UTF8.self), text.hasPrefix("XDG_"),
        let equals = text.firstIndex(of: "="), text[..<equals].hasSuffix("_DIR"),
        text[equals...].hasPrefix("=\"")
      else { continue }
      let name = String(text[..<equals].dropFirst(4).dropLast(4))
      var value: [UInt8] = []
      var rest = text[equals...].utf8.dropFirst(2)
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
          value.append(escaped)
        } else {
          value.append(byte)
        }
      }
      named[name] = Self.path(value)
    }
    self.named = named
  }

  private static func path(_ value: [UInt8]) -> FilePath? {
    let home = Array("$HOME".utf8)
    let slash = UInt8(ascii: "/")
    if value.starts(with: home) {
      let below = value.dropFirst(home.count)
      guard below.first == slash else { return nil }
      let name = below.drop { $0 == slash }
      return name.isEmpty ? nil : FilePath(bytes: name)
    }
    return value.first == slash ? FilePath(bytes: value) : nil
  }
}
