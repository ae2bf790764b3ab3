import ForeignFormats
import FuzzInput
import LinuxSystem
import Provenance
import Xattr

/// Reads an input as the value of a mark of each kind, and as an attribute's name, and makes a
/// report of them all.
@c(LLVMFuzzerTestOneInput)
public func fuzzMark(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let marks = kinds.enumerated().map { index, kind in
    let carrier = MarkCarrier(form: .attribute, name: Array("carrier \(index)".utf8))
    return Mark(kind, in: carrier, trust: index % 2 == 0 ? .claim : .beside, bytes: input)
  }
  for mark in marks {
    guard case .damaged(let failure) = mark.content else { continue }
    claim(0...count ~= failure.offset, "\(mark.kind): \(failure) is outside")
  }
  let report = ProvenanceReport(file: FilePath("file"), marks: marks)
  claim(report.marks.count == marks.count, "a mark is lost")
  for contradiction in report.contradictions {
    claim(contradiction.claims.count > 1, "nothing is contradicted")
  }
  claim(report.host.map { !$0.isEmpty } ?? true, "a host has no name")
  if let name = AttributeName(bytes: (Array("user.".utf8) + input)[...]),
    let form = ForeignAttributeName(name)
  {
    claim(form.name.count <= count, "a name has grown")
    claim(form.style != .plain || form.name == input, "a plain name has changed")
  }
  return 0
}

private let kinds: [MarkKind] = [
  .documentSource, .quarantine, .whereFroms, .downloadedDate, .userTags, .lastUsedDate,
  .applicationKey, .zoneIdentifier, .originURL, .creator,
]
