import DocumentSource
import FileTree
import Xattr

/// The directory below which `--root` takes the paths of documents.
struct RootDirectory {
  private let components: [ArraySlice<UInt8>]

  /// - Returns: `nil` where there is no such directory.
  init?(_ path: FilePath) {
    guard TreeEntry.Kind(of: path, links: .follow) == .directory,
      let components = NamedPath.realComponents(path)
    else { return nil }
    self.components = components
  }

  /// The path of a file below the root, in the UTF-8 that the attribute needs.
  ///
  /// Where a link is followed, it is the path of what the link points to.
  ///
  /// - Throws: `DocumentSourceError` where the file is not below the root, or its path is not UTF-8.
  func pathBelow(of operand: Operands.Operand) throws(DocumentSourceError) -> String {
    guard let named = operand.named.realComponents else {
      throw DocumentSourceError(
        writing: operand.path, "no such file, or its path is not searchable")
    }
    guard let names = names(below: named + operand.componentsBelow), !names.isEmpty else {
      throw DocumentSourceError(
        writing: operand.path, "it is not below the directory given by --root")
    }
    let below = names.joined(separator: CollectionOfOne(UInt8(ascii: "/")))
    guard let text = String(validating: below, as: UTF8.self) else {
      throw DocumentSourceError(
        writing: operand.path, "its path is not UTF-8, which the attribute needs; give --path")
    }
    return text
  }

  /// The names that lead from the root to a file with these components, none to the root itself;
  /// `nil` where it is not below.
  func names(below all: [ArraySlice<UInt8>]) -> ArraySlice<ArraySlice<UInt8>>? {
    guard all.starts(with: components, by: { $0.elementsEqual($1) }) else { return nil }
    return all.dropFirst(components.count)
  }
}
