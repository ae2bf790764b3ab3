import CommandLineInterface
import DocumentSource
import LinuxSystem

/// `docsource copy`: gives files the attribute of another.
enum CopyCommand: Command {
  private static let allAttributes = OptionDeclaration(
    "all-attributes", short: "a", help: "copy every attribute that /etc/xattr.conf lets through")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be done and write nothing")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "say nothing of files that are done")

  static let verb = "copy"
  static let declaration = CommandDeclaration(
    name: verb, summary: "give files the mark of another file", operands: "FROM TO...",
    details: [
      """
      The attribute is copied byte for byte, keys that are not ours included; content, times and \
      mode stay. Where a target carries Samba's form too, that is kept in step.
      """,
      """
      Where FROM has no document source the targets stay as they are, and the status is 1. With \
      --all-attributes every attribute is tried, and those that hold permissions are left out.
      """,
    ],
    options: [allAttributes, Operands.noDereference, dryRun, quiet],
    examples: [
      "docsource copy draft.txt final.txt",
      "docsource copy --all-attributes photo.jpg edited/*.jpg",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let paths = arguments.operands.compactMap { FilePath(bytes: $0) }
    guard paths.count > 1, let from = paths.first else {
      throw UsageError(paths.isEmpty ? "no file given" : "no file given to copy to")
    }
    let links = arguments.has(Operands.noDereference) ? Links.noFollow : .follow
    let copying = SourceCopying(
      links: links, isDry: arguments.has(dryRun), isQuiet: arguments.has(quiet), console: console)
    return arguments.has(allAttributes)
      ? copying.copyAll(from: from, to: paths.dropFirst())
      : copying.copySource(from: from, to: paths.dropFirst())
  }
}

extension CopyCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Without --all-attributes, FROM must have a document source that can be read. Where it is \
        only in the stream that Samba keeps, the attribute is made of that. A target with the same \
        value is not written.
        """,
        """
        --all-attributes asks no document source of FROM. The rules of /etc/xattr.conf, by \
        libattr, say which attributes are left out; attributes of the target that FROM lacks stay. \
        Where some cannot be copied, the others are, and the first that failed is named. \
        Attributes that begin with trusted. or security. may be written by root alone.
        """,
        """
        Symbolic links are followed, FROM and targets, unless --no-dereference is given. A target \
        that fails does not stop the others.
        """,
      ],
      exitStatus: [
        .noSource: "FROM has no document source; nothing is done.",
        .failed: "FROM cannot be read, or some target cannot be written. The rest is done.",
      ],
      files: [
        ManualText.Entry("/etc/xattr.conf", "Which attributes --all-attributes leaves out.")
      ],
      seeAlso: ["cp(1)", "setfattr(1)", "xattr(7)"])
  }
}
