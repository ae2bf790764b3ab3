import CommandLineInterface
import DocumentSource
import LinuxSystem
import Provenance
import TextFormats
import Xattr

/// How `trace` prints a report.
enum TraceFormat {
  /// The short answer, and a line or two for each mark.
  case block
  /// The short answer.
  case line
  case json

  func write(_ report: ProvenanceReport, _ console: Console) {
    switch self {
    case .block: Self.block(report, console)
    case .line: Self.line(report, console)
    case .json: console.output.writeLine(TraceJSON.object(report))
    }
  }

  private static func line(_ report: ProvenanceReport, _ console: Console) {
    let words = EscapedText(OriginText.summary(report)).description
    console.output.writeLine("\(EscapedText(report.file.bytes)): \(words)")
  }

  private static func block(_ report: ProvenanceReport, _ console: Console) {
    line(report, console)
    for mark in report.marks {
      row(OriginText.label(mark.kind), OriginText.value(mark), console)
      let trust = mark.trust == .claim ? "" : " (\(mark.trust))"
      console.output.writeLine("    \(EscapedText(mark.carrier.name))\(trust)")
    }
    for contradiction in report.contradictions {
      console.output.writeLine("  Contradiction: \(OriginText.label(contradiction.subject))")
      for claim in contradiction.claims {
        let value = EscapedText(OriginText.value(claim))
        console.output.writeLine("    \(value) (\(EscapedText(claim.carrier.name)))")
      }
    }
    for flaw in report.flaws {
      let name = EscapedText(flaw.name)
      console.output.writeLine("  Not read: \(name): \(EscapedText(flaw.description))")
    }
  }

  private static func row(_ label: String, _ value: String, _ console: Console) {
    let gap = String(repeating: " ", count: max(1, 13 - label.count))
    console.output.writeLine("  \(EscapedText(label))\(gap)\(EscapedText(value))")
  }
}
