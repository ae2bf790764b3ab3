/// One GET.
public struct FetchRequest: Sendable {
  public var url: String
  public var limits: FetchLimits
  /// With these the answer may be that nothing has changed (304).
  public var validators: FetchValidators?

  public init(_ url: String, limits: FetchLimits, validators: FetchValidators? = nil) {
    self.url = url
    self.limits = limits
    self.validators = validators
  }
}
