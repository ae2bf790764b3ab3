import FileTree
import LinuxSystem
import Provenance

extension TreeEntry {
  /// Whether the file only holds marks of others, by its path; of most paths by a quick look.
  var isCarrier: Bool {
    hasPair { former, byte in
      switch byte {
      case UInt8(ascii: "_"): former == UInt8(ascii: ".") || former == UInt8(ascii: "_")
      case UInt8(ascii: "A"): former == UInt8(ascii: ".")
      // A colon, and the first byte of what stands for one.
      case UInt8(ascii: ":"), 0xef: true
      default: false
      }
    } && MarkCarrier.isCarrier(path)
  }
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
