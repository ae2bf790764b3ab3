import CommandLineInterface
import FileTree
import LinuxSystem
import Provenance

extension TreeEntry {
  /// Whether the file only holds marks of others, by its path; of most paths by a quick look.
  var isCarrier: Bool {
    hasPair(MarkCarrier.isTelling) && MarkCarrier.isCarrier(path)
  }

  /// Whether it is a regular file whose marks may all be attributes, to be reached by its name. What an
  /// interrupted run has left is hidden.
  var mayBeTakenByName: Bool { kind == .file && !isHidden && !isCarrier }
}

/// Which carriers met on a walk are left to the files whose marks they hold, their documents.
struct CarrierChoice: Sendable {
  /// The real paths of what is walked.
  private let roots: [[ArraySlice<UInt8>]]

  init(_ operands: Operands) {
    roots =
      operands.isRecursive
      ? operands.paths.compactMap { NamedPath($0, links: operands.links).realComponents } : []
  }

  /// Whether the walk comes to the document of a carrier; what is named is never left to another.
  ///
  /// A document that options leave out keeps its marks.
  func isLeft(_ operand: Operands.Operand) -> Bool {
    guard operand.isFound, MarkCarrier.isCarrier(operand.path) else { return false }
    switch MarkCarrier.document(of: operand.file) {
    case .none, .unreachable: return false
    case .unknown: return true
    case .present(let path): return isBelow(path) && !GitStore.contains(path)
    }
  }

  private func isBelow(_ path: FilePath) -> Bool {
    let components = path.bytes.split(separator: UInt8(ascii: "/"))
    return roots.contains { components.starts(with: $0) }
  }
}

extension MarkCarrier.Scope {
  /// Where marks are looked for by the options of a verb: with `--one-file-system` nothing that is
  /// mounted beside a file is touched either.
  init(_ arguments: Arguments) {
    self = arguments.has(WalkSelection.oneFileSystem) ? .oneMount : .everywhere
  }
}

/// A carrier that was being removed or replaced when a run was killed: it has a name by which nobody
/// looks for it, and may hold marks that nobody has read.
enum Leftover {
  /// Reports an entry of a walk that is one.
  static func isReported(_ operand: Operands.Operand, _ console: Console) -> Bool {
    guard operand.isFound, TemporaryName.isKept(operand.path.lastComponent) else { return false }
    console.fail(
      operand.path.bytes,
      "left over from an interrupted run; it may contain marks of another file; inspect it, then"
        + " delete it")
    return true
  }
}
