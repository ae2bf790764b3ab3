/// What was found for a request.
public struct IconResolution: Sendable {
  public internal(set) var answer: IconAnswer = .none
  /// What the network would have to be asked for an icon, or a better one; `nil` where it would not
  /// help, or has been tried too recently.
  public internal(set) var wouldFetch: ResolvedURL?
  /// What the answer rests on though the server should be asked whether it has changed.
  public internal(set) var stale: [ResolvedURL] = []
  /// Of a remote icon: the shorter side of the picture it is made from, in pixels.
  public internal(set) var side: Int?
  /// In the order of their consideration. Those after the first that won are there only where an
  /// explanation was asked for.
  public internal(set) var considerations: [Consideration] = []
}
