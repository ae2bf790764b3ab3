import Applications
import LinuxSystem

/// The directories that a user keeps documents in, by `user-dirs.dirs` of xdg-user-dirs.
struct UserDirectories {
  /// Relative to the home directory, or absolute.
  let paths: [FilePath]

  static let file = "user-dirs.dirs"

  private static let usual = [
    ("DESKTOP", "Desktop"), ("DOCUMENTS", "Documents"), ("DOWNLOAD", "Downloads"),
    ("MUSIC", "Music"), ("PICTURES", "Pictures"), ("VIDEOS", "Videos"),
  ]
  private static let limit = 1 << 16

  init(_ places: BaseDirectories) {
    let path = places.configHome?.appending(FilePath(Self.file))
    self.init(path.flatMap { InstalledFile(path: $0).content(limit: Self.limit) } ?? [])
  }

  /// Reads lines of the form `XDG_MUSIC_DIR="$HOME/Music"`. One that is the home directory itself
  /// is none, as xdg-user-dirs has it for those that are not wanted.
  init(_ content: [UInt8]) {
    var named: [String: FilePath?] = [:]
    for line in content.split(separator: UInt8(ascii: "\n")) {
      guard let text = String(validating: line, as: UTF8.self), text.hasPrefix("XDG_"),
        let equals = text.range(of: "_DIR=\"")
      else { continue }
      let name = String(text[..<equals.lower].dropFirst(4))
      var value: [UInt8] = []
      var rest = text[equals.upper...].utf8
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
          value.append(escaped)
        } else {
          value.append(byte)
        }
      }
      named[name] = Self.path(value)
    }
    paths = Self.usual.compactMap { name, usual in
      if let path = named[name] { return path }
      return FilePath(usual)
    }
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

extension String {
  /// Where a text is first.
  fileprivate func range(of text: String) -> (lower: Index, upper: Index)? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(text) {
        return (rest.startIndex, rest.index(rest.startIndex, offsetBy: text.count))
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
