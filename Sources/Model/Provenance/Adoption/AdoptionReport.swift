internal import DocumentSource

/// What became of everything that holds attributes of one file in the form of another system.
public struct AdoptionReport: Sendable {
  public let steps: [AdoptionStep]
  /// Places that cannot be read; they stay as they are.
  public let flaws: [CarrierFlaw]

  /// Whether anything was done, or would be.
  public var isChange: Bool { steps.contains(where: \.isChange) }

  /// Whether the file has a document source now that was in another form, or would have.
  public var hasSource: Bool { steps.contains { $0.written.contains(Carrier.nativeName) } }

  /// Whether an attribute has two values of which none was chosen.
  public var isContradicted: Bool { steps.contains { !$0.contradicted.isEmpty } }

  /// Whether something could not be read or written.
  public var hasFailed: Bool {
    steps.contains { !$0.failures.isEmpty }
      || flaws.contains { if case .unreadable = $0.cause { true } else { false } }
  }
}
