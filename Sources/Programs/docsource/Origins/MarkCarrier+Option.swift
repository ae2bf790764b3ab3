import CommandLineInterface
import Provenance

extension MarkCarrier.Scope {
  /// Where marks are looked for by the options of a verb: with `--one-file-system` nothing that is
  /// mounted beside a file is touched either.
  init(_ arguments: Arguments) {
    self = arguments.has(WalkSelection.oneFileSystem) ? .oneMount : .everywhere
  }
}
