package import LinuxSystem

/// Files that only hold marks of others, by their names.
package enum CarrierFile {
  /// What macOS puts AppleDouble files into in a zip.
  static let archiveFolder = Array("__MACOSX".utf8)
  /// Where Netatalk keeps what a Mac has given it.
  static let netatalkFolder = Array(".AppleDouble".utf8)
  /// What an AppleDouble file has before the name of its document.
  static let doublePrefix = Array("._".utf8)
  /// What stands between a file's name and that of its stream. Copied to where a colon cannot be,
  /// it becomes U+F03A.
  static let streamSeparators = [":", "\u{f03a}"]

  /// Whether a file is one by its name, or by that of a directory it is in.
  package static func isOne(_ path: FilePath) -> Bool {
    let components = path.bytes.split(separator: UInt8(ascii: "/"))
    let folders = [archiveFolder[...], netatalkFolder[...]]
    if components.contains(where: { folders.contains($0) }) { return true }
    guard let name = components.last else { return false }
    if name.starts(with: doublePrefix) { return true }
    return streamSeparators.contains { separator in
      let suffix = (separator + MarkKind.zoneIdentifier.name).utf8
      return name.count > suffix.count && name.suffix(suffix.count).elementsEqual(suffix)
    }
  }
}
