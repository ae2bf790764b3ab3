/// Why what a process writes comes from no application.
public enum NoApplication: Hashable, Sendable {
  /// The program is none, whoever runs it.
  case plain(PlainProgram)
  /// A terminal emulator, or what was started in one by hand.
  case terminal
  /// A file manager: what it writes is a copy.
  case fileManager
  /// A service, or a part of the session.
  case service
  /// Nothing tells of one.
  case nothingKnown

  /// In words that follow "no application: ".
  public var words: String {
    switch self {
    case .plain(.shell): "a shell"
    case .plain(.copier): "a program that copies"
    case .plain(.tool): "a tool"
    case .plain(.compiler): "a compiler or the like"
    case .plain(.versionControl): "version control"
    case .plain(.service), .service: "a service"
    case .terminal: "started in a terminal"
    case .fileManager: "a file manager"
    case .nothingKnown: "nothing tells of one"
    }
  }

  /// In one word, for programs.
  public var code: String {
    switch self {
    case .plain(.versionControl): "version-control"
    case .plain(let kind): kind.rawValue
    case .terminal: "terminal"
    case .fileManager: "file-manager"
    case .service: "service"
    case .nothingKnown: "nothing-known"
    }
  }
}
