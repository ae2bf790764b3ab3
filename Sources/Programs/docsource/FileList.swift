import CommandLineInterface
import LinuxSystem
import TextFormats

/// The files that `--files0-from` names, as in wc and du of GNU: what `find -print0` writes.
enum FileList {
  static let option = OptionDeclaration(
    "files0-from", value: "LIST", kind: .file,
    help: "read NUL-terminated names from LIST; - is stdin")

  /// The operands of a verb, those from a list included.
  struct Completed {
    let arguments: Arguments
    /// `.failed` where the list, or a name in it, cannot be taken, which has been said.
    let status: ExitStatus
    /// Whether the list names nothing, so that there is nothing to do.
    let isEmpty: Bool
  }

  /// Puts the names of the list after the operands.
  ///
  /// - Throws: `UsageError` where files are named as well, or `-` is.
  static func complete(
    _ arguments: Arguments, of command: any Command.Type, _ console: Console
  ) throws(UsageError) -> Completed {
    if arguments.operands.contains(Array("-".utf8)), !command.readsStandardInput {
      try refuseDash(command.declaration)
    }
    guard let list = arguments.bytes(option) else {
      return Completed(arguments: arguments, status: .done, isEmpty: false)
    }
    guard arguments.operands.count == command.operandsBeforeFiles else {
      throw UsageError(
        arguments.operands.count < command.operandsBeforeFiles
          ? "no file given to copy from" : "--\(option.long) and files cannot be combined")
    }
    guard let input = InputFile.named([list]).first, let bytes = input.read(console) else {
      return Completed(arguments: arguments, status: .failed, isEmpty: true)
    }
    guard bytes.contains(0) || !bytes.contains(UInt8(ascii: "\n")) else {
      console.fail(
        input.name, "the names are not NUL-terminated; use 'find -print0' to write the list")
      return Completed(arguments: arguments, status: .failed, isEmpty: true)
    }
    var names = bytes.split(separator: 0, omittingEmptySubsequences: false)
    if names.last?.isEmpty == true { names.removeLast() }
    var status = ExitStatus.done
    for (index, name) in names.enumerated() where name.isEmpty {
      console.fail(input.name, "name \(index + 1) is empty")
      status = .failed
    }
    let files = names.filter { !$0.isEmpty }.map(Array.init)
    return Completed(
      arguments: arguments.with(operands: arguments.operands + files), status: status,
      isEmpty: files.isEmpty)
  }

  /// - Throws: `UsageError` for a verb that takes files or directories.
  private static func refuseDash(_ command: CommandDeclaration) throws(UsageError) {
    if command.options.contains(option) {
      throw UsageError(
        "'-' is not standard input here; write ./- for a file of that name, or"
          + " --\(option.long)=- to read a list of files")
    }
    if command.operands.split(whereSeparator: { !$0.isLetter }).contains("DIR") {
      throw UsageError(
        "'-' is not standard input here; write ./- for a directory of that name")
    }
  }
}
