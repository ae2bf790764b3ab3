/// How archives of macOS name the AppleDouble file of a file.
enum MacArchivePath {
  /// Where zips have them.
  static let folder = Array("__MACOSX/".utf8)

  /// The path of the file that an AppleDouble file belongs to: `a/b` of `__MACOSX/a/._b` and of
  /// `a/._b`.
  ///
  /// - Returns: `nil` for what is none by its name.
  static func target(of path: ArraySlice<UInt8>) -> [UInt8]? {
    let below = path.starts(with: folder) ? path.dropFirst(folder.count) : path
    let slash = UInt8(ascii: "/")
    let start = below.lastIndex(of: slash).map { $0 + 1 } ?? below.startIndex
    let name = below[start...]
    guard name.starts(with: "._".utf8), name.count > 2 else { return nil }
    return Array(below[..<start]) + name.dropFirst(2)
  }
}
