/// Which application carries a command out, as IntentKit decides it.
public struct IntentChoice: Hashable, Sendable {
  /// An application that can carry the command out.
  public struct Candidate: Hashable, Sendable {
    public let identity: String
    /// The one of the system's maker.
    public let isFirstParty: Bool
    /// Of the program itself.
    public let isInApp: Bool

    public init(_ identity: String, isFirstParty: Bool = false, isInApp: Bool = false) {
      self.identity = identity
      self.isFirstParty = isFirstParty
      self.isInApp = isInApp
    }
  }

  public enum Outcome: Hashable, Sendable {
    case perform(String)
    /// The URL for the browser is opened.
    case fallback
    /// The user chooses; `remembers` says whether the choice may become the default.
    case choose([String], remembers: Bool)
    /// Nobody can do it.
    case nothing
  }

  public var usesFallback = true
  public var alwaysAsks = false
  public var usesSystemDefault = false
  public var showsFirstParty = false
  public var hidesInApp = false
  public var forbidsDefault = false

  public init() {}

  /// - Parameters:
  ///   - stored: the user's default; one that is gone is passed over, and stays.
  ///   - system: the default of the class.
  public func outcome(
    _ available: [Candidate], stored: String?, system: String?, hasFallback: Bool
  ) -> Outcome {
    let available = available.filter {
      !($0.isFirstParty && !showsFirstParty) && !($0.isInApp && hidesInApp)
    }
    if available.isEmpty { return usesFallback && hasFallback ? .fallback : .nothing }
    let standard = stored ?? (usesSystemDefault ? system : nil)
    if !alwaysAsks {
      if available.count == 1 { return .perform(available[0].identity) }
      if let standard, available.contains(where: { $0.identity == standard }) {
        return .perform(standard)
      }
    }
    return .choose(
      available.map(\.identity), remembers: standard == nil && !forbidsDefault)
  }
}
