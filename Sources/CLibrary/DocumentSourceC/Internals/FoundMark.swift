internal import CDocumentSource
internal import Provenance

/// One mark of a report as C holds it.
final class FoundMark {
  let name: CText
  let form: CText
  let carrier: CText
  let bytes: CText
  /// Whether the system lets it be read.
  let isReadable: Bool
  /// Why it says nothing.
  let failure: CText
  /// Of the byte that is wrong; -1 where it is not damaged.
  let offset: Int64
  let trust: docsource_trust
  private let texts: [Claim.Subject: HeldText]

  init(_ mark: Mark) {
    name = CText(mark.kind.name)
    form = CText(mark.carrier.form.rawValue)
    carrier = CText(bytes: mark.carrier.name[...])
    bytes = CText(bytes: mark.bytes.isEmpty ? nil : mark.bytes[...])
    trust =
      switch mark.trust {
      case .claim: DOCSOURCE_TRUST_CLAIM
      case .beside: DOCSOURCE_TRUST_BESIDE
      case .foreign: DOCSOURCE_TRUST_FOREIGN
      case .record: DOCSOURCE_TRUST_RECORD
      }
    switch mark.content {
    case .value:
      (isReadable, offset) = (true, -1)
      failure = CText()
    case .empty:
      (isReadable, offset) = (true, -1)
      failure = CText("empty")
    case .damaged(let flaw):
      (isReadable, offset) = (true, Int64(flaw.offset))
      failure = CText("damaged: \(flaw.reason)")
    case .unreadable(let reason):
      (isReadable, offset) = (false, -1)
      failure = CText("cannot be read: \(reason)")
    }
    let said = Claim.all(of: mark).compactMap { claim in
      claim.text.map { (claim.subject, HeldText($0)) }
    }
    // A mark says one thing of a subject; should it say more, the first counts.
    texts = Dictionary(said) { first, _ in first }
  }

  func text(_ subject: Claim.Subject) -> HeldText? { texts[subject] }
}
