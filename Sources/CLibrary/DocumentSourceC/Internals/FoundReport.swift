internal import CDocumentSource
internal import Provenance

/// All marks of a file as C holds them: `docsource_report`.
final class FoundReport {
  let marks: [FoundMark]
  /// Whether all could be read.
  let isComplete: Bool
  /// By subject, the mark whose word counts.
  private let answers: [Claim.Subject: Int]
  private let contradictions: Set<Claim.Subject>

  init(_ report: ProvenanceReport) {
    marks = report.marks.map(FoundMark.init)
    isComplete = report.flaws.isEmpty && marks.allSatisfy(\.isReadable)
    contradictions = Set(report.contradictions.map(\.subject))
    var answers: [Claim.Subject: Int] = [:]
    for subject in Claim.Subject.allCases {
      guard let first = report.first(subject) else { continue }
      answers[subject] = report.marks.firstIndex { Claim.all(of: $0).contains(first) }
    }
    self.answers = answers
  }

  /// One of the marks; `nil` where there are not so many.
  func mark(_ position: Int) -> FoundMark? {
    marks.indices.contains(position) ? marks[position] : nil
  }

  /// The position of the mark whose word about a subject counts.
  func position(_ subject: docsource_subject) -> Int? {
    Claim.Subject(subject).flatMap { answers[$0] }
  }

  func isContradictory(_ subject: docsource_subject) -> Bool {
    Claim.Subject(subject).map(contradictions.contains) ?? false
  }
}
