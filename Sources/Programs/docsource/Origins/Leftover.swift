import CommandLineInterface
import LinuxSystem

/// A carrier that was being removed or replaced when a run was killed: it has a name by which nobody
/// looks for it, and may hold marks that nobody has read.
enum Leftover {
  /// Reports an entry of a walk that is one.
  static func isReported(_ operand: Operands.Operand, _ console: Console) -> Bool {
    guard operand.isFound, TemporaryName.isKept(operand.path.lastComponent) else { return false }
    console.fail(
      operand.path.bytes,
      "left behind by an interrupted run; it may contain marks of another file; inspect it, then"
        + " delete it")
    return true
  }
}
