import DocumentSource
import Glibc
import Xattr

/// The directory below which `--root` takes the paths of documents.
struct RootDirectory {
  /// The real path's components, without links, `.` or `..`.
  private let components: [ArraySlice<UInt8>]

  /// - Returns: `nil` where there is no such directory.
  init?(_ path: FilePath) {
    guard let real = Self.realPath(path) else { return nil }
    var status = stat()
    let result = unsafe real.withCString { unsafe stat($0, &status) }
    guard result == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    components = Self.components(real)
  }

  /// The path of a file below the root, in the UTF-8 that the attribute needs.
  ///
  /// Where a link is followed, it is the path of what the link points to.
  ///
  /// - Throws: `DocumentSourceError` where the file is not below the root, or its path is not UTF-8.
  func pathBelow(of file: FileReference) throws(DocumentSourceError) -> String {
    let path = file.path
    guard let all = Self.realComponents(of: file) else {
      throw DocumentSourceError(
        writing: path, "its real path cannot be found: \(Errno.current.description.lowercased())")
    }
    guard all.count > components.count, all.starts(with: components, by: { $0.elementsEqual($1) })
    else {
      throw DocumentSourceError(writing: path, "it is not below the directory given by --root")
    }
    let below = all.dropFirst(components.count).joined(
      separator: CollectionOfOne(UInt8(ascii: "/")))
    guard let text = String(validating: below, as: UTF8.self) else {
      throw DocumentSourceError(
        writing: path, "its path is not UTF-8, which the attribute needs; give --path")
    }
    return text
  }

  private static func realComponents(of file: FileReference) -> [ArraySlice<UInt8>]? {
    if case .path(let path, .follow) = file { return realPath(path).map(components) }
    let name = file.path.lastComponent
    guard let directory = realPath(directory(of: file.path)) else { return nil }
    return components(directory) + [name]
  }

  private static func directory(of path: FilePath) -> FilePath {
    let lead = path.bytes[..<path.lastComponent.startIndex]
    return lead.isEmpty ? FilePath(".") : FilePath(bytes: lead) ?? FilePath(".")
  }

  private static func components(_ path: FilePath) -> [ArraySlice<UInt8>] {
    path.bytes.split(separator: UInt8(ascii: "/"))
  }

  /// The corresponding C function is realpath(3).
  private static func realPath(_ path: FilePath) -> FilePath? {
    unsafe path.withCString { path in
      guard let real = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe FilePath(cString: real)
    }
  }
}
