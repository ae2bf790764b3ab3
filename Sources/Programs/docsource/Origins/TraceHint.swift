import LinuxSystem
import Provenance

/// Points to `trace` where a file has no document source, but other marks of origin.
enum TraceHint {
  /// Words that follow those about the missing document source; empty where the file has no other
  /// mark that can be read.
  static func words(for file: FileReference) -> String {
    guard let report = try? ProvenanceReader().report(on: file),
      report.marks.contains(where: { $0.value != nil })
    else { return "" }
    return "; 'docsource trace' shows its other marks"
  }
}
