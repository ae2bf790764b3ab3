import ShareItem
import ShareTarget

/// Whether a share target takes an item: by the kinds that it accepts, and by its rule.
struct TargetChoice {
  enum Verdict {
    case taken
    case refused(String)
    /// The rule cannot be evaluated.
    case unknown(String)
  }

  private let target: ShareTarget

  init(_ target: ShareTarget) { self.target = target }

  func verdict(on item: ShareItem) -> Verdict {
    guard case .item(let own)? = item.handover(to: target.activity) else {
      return item.attachments.isEmpty ? .refused("the item has no attachment") : .taken
    }
    guard target.accepts(own.attachments, conforms: { $0 == $1 }) else {
      let kinds = target.kinds.map(\.rawValue).joined(separator: ", ")
      return .refused("the target accepts only \(kinds)")
    }
    return .taken
  }
}
