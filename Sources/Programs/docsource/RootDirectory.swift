import DocumentSource
import FileTree
import LinuxSystem
import Synchronization

/// The directory below which `--root` takes the paths of documents.
final class RootDirectory: Sendable {
  private let components: [ArraySlice<UInt8>]
  /// What the user named that was asked for last, and its path below the root.
  private let last = Mutex<(named: NamedPath, path: [UInt8]?)?>(nil)

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
    let below = try bytesBelow(of: operand)
    guard let text = String(validating: below, as: UTF8.self) else {
      throw DocumentSourceError(
        writing: operand.path, "its path is not UTF-8, which the attribute needs; give --path")
    }
    return text
  }

  private func bytesBelow(of operand: Operands.Operand) throws(DocumentSourceError) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    if let named = path(of: operand.named) {
      let rest = operand.path.bytes.dropFirst(operand.named.path.bytes.count).drop { $0 == slash }
      if rest.isEmpty, !named.isEmpty { return named }
      if !rest.isEmpty { return named.isEmpty ? Array(rest) : named + [slash] + rest }
    }
    guard let named = operand.named.realComponents else {
      throw DocumentSourceError(
        writing: operand.path, "no such file, or its path is not searchable")
    }
    guard let names = names(below: named + operand.componentsBelow), !names.isEmpty else {
      throw DocumentSourceError(
        writing: operand.path, "it is not below the directory given by --root")
    }
    return Array(names.joined(separator: CollectionOfOne(slash)))
  }

  /// The path below the root of what the user named, empty for the root itself; `nil` where it is
  /// not below the root.
  ///
  /// It is worked out once for all files of a walk.
  private func path(of named: NamedPath) -> [UInt8]? {
    last.withLock { last in
      if let last, last.named === named { return last.path }
      let names = named.realComponents.flatMap { self.names(below: $0) }
      let path = names.map { Array($0.joined(separator: CollectionOfOne(UInt8(ascii: "/")))) }
      last = (named, path)
      return path
    }
  }

  /// The names that lead from the root to a file with these components, none to the root itself;
  /// `nil` where it is not below.
  func names(below all: [ArraySlice<UInt8>]) -> ArraySlice<ArraySlice<UInt8>>? {
    guard all.starts(with: components, by: { $0.elementsEqual($1) }) else { return nil }
    return all.dropFirst(components.count)
  }
}
