internal import Applications
internal import Glibc
package import LinuxSystem

/// An application's icon in the user's own part of the theme hicolor, where file managers look for
/// it: `$XDG_DATA_HOME/icons/hicolor/48x48/apps/IDENTIFIER.png`.
package struct ThemedIcon: Sendable {
  /// Why an icon cannot be put there.
  package struct Refusal: Error, Hashable, Sendable {
    /// In words that stand alone.
    package let reason: String
  }

  /// Those of hicolor's index that desktops ask for, in pixels a side.
  package static let sizes = [16, 22, 24, 32, 48, 64, 128, 256]

  private let identifier: String
  private let theme: FilePath

  /// - Parameter identifier: the application's, which is untrusted. It has to be one like
  ///   `org.example.editor`, so that none of the desktop's own icons is called the same, and of no
  ///   application that is installed, so that none is passed off as another.
  package init(_ identifier: String, _ places: BaseDirectories) throws(Refusal) {
    guard let name = FileName(identifier), Self.isReverseDomainName(identifier) else {
      throw Refusal(reason: "the identifier is not in reverse-DNS form like org.example.editor")
    }
    guard let home = places.dataHome else {
      throw Refusal(reason: BaseDirectories.Home.data.absence)
    }
    if DesktopEntries(places).match(name) != nil {
      throw Refusal(reason: "the application is installed and has its own icon")
    }
    var others = places
    others.dataHome = nil
    let size = IconSize(points: 48)
    if let size, let icon = IconThemes(others).match(name, size: size) {
      throw Refusal(reason: "the application already has an icon: \(icon.path)")
    }
    self.identifier = identifier
    theme = home.appending(FilePath("icons/hicolor"))
  }

  /// Letters, digits, `-` and `_` in two parts or more.
  private static func isReverseDomainName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(HostName.isLabelByte) }
  }

  /// Installs a PNG in one step.
  ///
  /// - Parameter size: in pixels a side, one of `sizes`.
  /// - Returns: the path of the icon.
  package func install(png: [UInt8], size: Int) throws(Refusal) -> FilePath {
    try install(png, as: "\(size)x\(size)/apps/\(identifier).png")
  }

  /// Installs an SVG in one step.
  package func install(svg: [UInt8]) throws(Refusal) -> FilePath {
    try install(svg, as: "scalable/apps/\(identifier).svg")
  }

  private func install(_ bytes: [UInt8], as name: String) throws(Refusal) -> FilePath {
    let file = ReplacedFile(path: theme.appending(FilePath(name)))
    do throws(Errno) {
      try file.makeDirectories()
      try file.replace(with: bytes)
    } catch {
      throw Refusal(reason: "\(file.path): cannot write: \(error.description.lowercased())")
    }
    return file.path
  }

  /// Lets running desktops notice: the Icon Theme Specification has them look at the theme's time of
  /// modification, and disregard a cache that is older.
  ///
  /// The corresponding C function is utimensat(2).
  package func announce() {
    _ = unsafe theme.withCString { unsafe utimensat(AT_FDCWD, $0, nil, 0) }
  }
}
