/// That an application has had to do with a file: opened or written it.
public struct RecentUse: Hashable, Sendable {
  /// The name under which the application has registered.
  public let application: String
  /// The command that it is started by; a placeholder such as `%u` stands for the file.
  public let command: String?
  /// When it last did, in seconds since 1970-01-01T00:00:00Z.
  public let seconds: Double?
  /// How often it has.
  public let count: Int?

  public init(
    application: String, command: String? = nil, seconds: Double? = nil, count: Int? = nil
  ) {
    self.application = application
    self.command = command
    self.seconds = seconds
    self.count = count
  }
}
