import Xattr

/// Files that only hold marks of others.
enum CarrierFile {
  /// Whether it is one by its name, or by that of a directory it is in.
  static func isOne(_ path: FilePath) -> Bool {
    let components = path.bytes.split(separator: UInt8(ascii: "/"))
    let folders = ["__MACOSX", ".AppleDouble"].map { Array($0.utf8)[...] }
    if components.contains(where: { folders.contains($0) }) { return true }
    guard let name = components.last else { return false }
    if name.starts(with: "._".utf8) { return true }
    return [":Zone.Identifier", "\u{f03a}Zone.Identifier"].contains { suffix in
      name.count > suffix.utf8.count && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
  }
}
