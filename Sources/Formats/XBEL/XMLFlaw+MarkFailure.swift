package import GuardedXML
package import Provenance

extension XMLFlaw.Reason {
  /// The reason as that of a mark of origin.
  package var markFailureReason: MarkFailure.Reason {
    switch self {
    case .entities: .entities
    case .declarations: .declarations
    case .longTag: .longTag
    case .attributes: .attributes
    case .namespaces: .namespaces
    case .names: .names
    case .depth, .malformed, .unwanted: .xml
    }
  }
}
