internal import AppIcon

extension RememberedFailure.Kind {
  /// How a fetch's failure is remembered; `nil` where it is not: our own policy may change, and costs
  /// nothing to ask again.
  init?(_ failure: FetchFailure.Kind) {
    switch failure {
    case .refused, .unusable: return nil
    case .status(404), .status(410): self = .gone
    case .bodyTooLarge, .headerTooLarge, .malformed, .encoded: self = .undecodable
    case .unknownHost, .noConnection, .insecure, .timedOut, .tooSlow, .truncated,
      .tooManyRedirects, .status:
      self = .unreachable
    }
  }
}
