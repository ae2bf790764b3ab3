/// What the manual page of a verb says beyond its help, which is kept to one screen.
public struct ManualText: Sendable {
  /// A name and what it stands for.
  public struct Entry: Sendable {
    public let name: String
    public let meaning: String

    public init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// Paragraphs that follow the details; what is indented by two spaces is shown as it is.
  public let paragraphs: [String]
  /// What the exit statuses mean here, where that is something special; an empty text where the
  /// verb never ends so.
  public let exitStatus: [ExitStatus: String]
  /// The environment variables it heeds.
  public let environment: [Entry]
  /// The files it reads or writes besides those it is given.
  public let files: [Entry]
  /// Pages of others: `getfattr(1)`.
  public let seeAlso: [String]

  public init(
    _ paragraphs: [String] = [], exitStatus: [ExitStatus: String] = [:],
    environment: [Entry] = [], files: [Entry] = [], seeAlso: [String] = []
  ) {
    self.paragraphs = paragraphs
    self.exitStatus = exitStatus
    self.environment = environment
    self.files = files
    self.seeAlso = seeAlso
  }
}
