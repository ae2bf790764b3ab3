/// What of the kernel's means keeps a ``DecodingSandbox`` closed beside the limits.
public struct SandboxNets: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// System calls that open, connect or start anything fail.
  public static let seccomp = SandboxNets(rawValue: 1)
  /// No path can be reached.
  public static let landlock = SandboxNets(rawValue: 2)
}
