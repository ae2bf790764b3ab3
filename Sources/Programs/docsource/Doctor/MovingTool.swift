/// What a tool does with user attributes when it copies or moves a file. MovingToolTests run them.
struct MovingTool {
  enum Effect {
    case keeps, loses
  }

  let program: String
  /// How it is called.
  let call: String
  let effect: Effect

  static let all = [
    MovingTool(program: "cp", call: "cp -a", effect: .keeps),
    MovingTool(program: "mv", call: "mv", effect: .keeps),
    MovingTool(program: "rsync", call: "rsync -X", effect: .keeps),
    MovingTool(program: "tar", call: "tar --xattrs (to pack and to unpack)", effect: .keeps),
    MovingTool(program: "gio", call: "gio copy", effect: .keeps),
    MovingTool(program: "cp", call: "cp", effect: .loses),
    MovingTool(program: "install", call: "install", effect: .loses),
    MovingTool(program: "rsync", call: "rsync -a", effect: .loses),
    MovingTool(program: "tar", call: "tar", effect: .loses),
    MovingTool(program: "zip", call: "zip", effect: .loses),
    MovingTool(program: "gzip", call: "gzip", effect: .loses),
    MovingTool(program: "git", call: "git", effect: .loses),
    MovingTool(program: "scp", call: "scp", effect: .loses),
    MovingTool(program: "sed", call: "sed -i", effect: .loses),
  ]

  /// The calls of those that are installed.
  static func calls(_ effect: Effect) -> [String] {
    all.filter { $0.effect == effect && InstalledProgram($0.program) != nil }.map(\.call)
  }
}
