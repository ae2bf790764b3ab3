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

extension DoctorCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        For each path these are told: what kind of file it is, with its mode and owner; the file \
        system, where it is mounted, and with which options; how large the value is that is stored \
        now; how much room there is for one; each obstacle; and what helps against it.
        """,
        """
        The room is tried, since file systems do not tell it: on a file without name in the \
        directory, or beside the file with copies of its other user attributes. Where no such file \
        can be made, what is known of the file system is told instead.
        """,
        """
        The list of programs, which is printed where any path can store the attribute, and not \
        with --json, has only those that are installed here.
        """,
        """
        With --json the members are file, and fileBase64 where the path is not UTF-8; canStore; \
        kind, mode, owner and group; fileSystem, with type, mountPoint, source and options; stored \
        and storedError; carrier, the attribute it is stored in; room in bytes, whether that \
        isMeasured, and how much is left; and obstacles, each with code, reason and help. A code \
        is symbolic-link, kind, file-system, read-only, immutable, append-only, permission, \
        sticky-directory, refusal or no-room. A path that cannot be examined has file, canStore \
        and error.
        """,
      ],
      exitStatus: [
        .done: "The attribute can be stored at all the paths.",
        .noSource: "At some path it cannot be stored.",
        .failed: "Some path cannot be examined. The others are.",
      ],
      environment: [
        ManualText.Entry("PATH", "Where the programs are looked for that keep or lose attributes.")
      ],
      seeAlso: ["chattr(1)", "getfacl(1)", "mount(8)", "xattr(7)"])
  }
}
