/// A command line that makes no sense, in words for the person who typed it.
public struct UsageError: Error, Hashable, Sendable {
  /// One line, without the tool's name; text of the command line is escaped in it.
  public let message: String

  public init(_ message: String) { self.message = message }
}
