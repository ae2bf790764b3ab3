/// Why an archive cannot be read, or not to its end.
public struct ArchiveFailure: Error, Hashable, Sendable {
  /// In words.
  public let description: String
}

extension ArchiveFailure: CustomStringConvertible {}
