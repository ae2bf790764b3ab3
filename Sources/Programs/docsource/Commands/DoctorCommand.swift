import CommandLineInterface
import LinuxSystem

/// `docsource doctor`: whether a file can carry the attribute, and why not.
enum DoctorCommand: Command {
  private static let json = OptionDeclaration(
    "json", help: "print one JSON object a line for each path")

  static let verb = "doctor"
  static let declaration = CommandDeclaration(
    name: verb, summary: "tell whether files can carry the attribute, and why not",
    operands: "[PATH...]",
    details: [
      """
      Tells of each path, by default the working directory, what the file system there stores, how \
      large a value may be, what stands in the way, and what helps; then which programs keep the \
      attribute. The size is tried on a file without name; nothing of yours is changed.
      """,
      "Exit status: 0 the attribute can be stored; 1 it cannot; 2 a path cannot be examined.",
    ],
    options: [json, Operands.noDereference],
    examples: ["docsource doctor", "docsource doctor --json notes.txt /mnt/usb"],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let links: Links = arguments.has(Operands.noDereference) ? .noFollow : .follow
    let format = ExaminationFormat(isJSON: arguments.has(json), console: console)
    let operands = arguments.operands.compactMap { FilePath(bytes: $0) }
    var status = ExitStatus.done
    var canStoreAny = false
    for path in operands.isEmpty ? [FilePath(".")] : operands {
      do throws(Errno) {
        let examination = try Examination(path, links: links)
        format.write(examination)
        if examination.obstacles.isEmpty { canStoreAny = true }
        status = status.combined(with: examination.obstacles.isEmpty ? .done : .noSource)
      } catch {
        format.write(error, of: path)
        status = .failed
      }
    }
    if canStoreAny && !format.isJSON { format.writeTools() }
    return status
  }
}
