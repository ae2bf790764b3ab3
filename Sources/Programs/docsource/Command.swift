import CommandLineInterface

/// A verb: what it declares and what it does.
protocol Command: SendableMetatype {
  /// The verb, apart from its declaration so that finding one verb does not build them all.
  static var verb: String { get }
  static var declaration: CommandDeclaration { get }

  /// The verbs it gathers: `plist` is none itself but the first word of `plist show`.
  static var members: [any Command.Type] { get }

  /// Does the work. What fails on a file is reported and counted in the status; only a command
  /// line that makes no sense is thrown.
  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus
}

extension Command {
  static var members: [any Command.Type] { [] }
}
