package import LinuxSystem
package import TextFormats

extension KeyFile {
  /// - Returns: `nil` if the file cannot be read or is larger than 1 MiB.
  package init?(_ file: InstalledFile) {
    guard let content = file.content(limit: Self.limit) else { return nil }
    self.init(content)
  }
}
