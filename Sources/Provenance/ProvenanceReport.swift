public import Xattr

/// Everything that says where one file came from.
///
/// Nothing is resolved in silence: `first` takes for a short answer what stands in the best place,
/// and `contradictions` says what else is claimed.
public struct ProvenanceReport: Sendable {
  public let file: FilePath
  /// All marks, by what they say, and of the same those first that stand in the best place.
  public let marks: [Mark]
  /// Places that cannot be read.
  public let flaws: [CarrierFlaw]
  /// All that the marks say, in their order.
  public let claims: [Claim]

  /// - Parameter marks: in any order; of those of a kind the earlier count more.
  public init(file: FilePath, marks: [Mark], flaws: [CarrierFlaw] = []) {
    self.file = file
    let ranked = marks.enumerated().sorted { left, right in
      let (one, two) = (Self.rank(left.element), Self.rank(right.element))
      return one == two ? left.offset < right.offset : one.lexicographicallyPrecedes(two)
    }
    self.marks = ranked.map(\.element)
    self.flaws = flaws
    claims = self.marks.flatMap(Claim.all)
  }

  private static func rank(_ mark: Mark) -> [Int] {
    let kind =
      switch mark.kind {
      case .documentSource: 0
      case .creator: 1
      case .quarantine: 2
      case .whereFroms: 3
      case .downloadedDate: 4
      case .originURL: 5
      case .referrerURL: 6
      case .zoneIdentifier: 7
      case .note: 8
      case .mediaType: 9
      case .userTags: 10
      case .lastUsedDate: 11
      case .applicationKey: 12
      case .recentUse: 13
      }
    return [kind, mark.trust == .foreign ? 1 : 0]
  }

  /// The first claim about something; those of other users' files do not count.
  public func first(_ subject: Claim.Subject) -> Claim? {
    claims.first { $0.subject == subject && $0.trust != .foreign }
  }

  /// The text of the first claim about something.
  public func text(_ subject: Claim.Subject) -> String? {
    if case .text(let text)? = first(subject)?.value { text } else { nil }
  }

  /// The time of the first claim about something, in seconds since 1970-01-01T00:00:00Z.
  public func moment(_ subject: Claim.Subject) -> Double? {
    if case .moment(let seconds)? = first(subject)?.value { seconds } else { nil }
  }

  /// The host that the file was downloaded from.
  public var host: String? { text(.url).flatMap(LinkText.host) }

  /// What marks claim that cannot all be true.
  public var contradictions: [Contradiction] {
    Claim.Subject.allCases.compactMap { subject in
      var different: [Claim] = []
      for claim in claims where claim.subject == subject {
        if !different.contains(where: claim.agrees) { different.append(claim) }
      }
      return different.count > 1 ? Contradiction(subject: subject, claims: different) : nil
    }
  }
}
