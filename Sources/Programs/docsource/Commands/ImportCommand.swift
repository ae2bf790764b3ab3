import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Manifest

/// `docsource import`: writes the attributes that a manifest lists.
enum ImportCommand: Command {
  /// The manifest that is read where none is named.
  static let manifestName = ".x-document-source"

  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "where paths lead from, otherwise the working directory")
  private static let keepExisting = OptionDeclaration(
    "keep-existing", help: "leave files alone that have a document source")
  private static let allowOutside = OptionDeclaration(
    "allow-outside", help: "take absolute paths and '..' too, which lead out of DIR")
  private static let insecureURL = OptionDeclaration(
    "insecure-url", help: "accept a URL that is not https in a \"source\"")
  private static let dryRun = OptionDeclaration(
    "dry-run", short: "n", help: "say what would be done and write nothing")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "say nothing of files that are done")

  static let verb = "import"
  static let declaration = CommandDeclaration(
    name: verb, summary: "write the marks that a manifest lists", operands: "[MANIFEST]",
    details: [
      """
      Reads what 'docsource export' or 'getfattr --dump' wrote, from standard input where MANIFEST \
      is -; without it, from \(manifestName) in DIR. Values are written byte for byte. Of a dump, \
      other attributes are passed over.
      """,
      """
      No symbolic link is followed. A file that is missing, a path that leads out of DIR and a \
      line that cannot be read are reported; the rest is done, and the status is 2.
      """,
    ],
    options: [root, keepExisting, allowOutside, insecureURL, dryRun, quiet],
    examples: [
      "git clone https://git.example.com/site && docsource import --root site",
      "getfattr -R -d . | docsource import --dry-run --root ../copy -",
    ],
    manual: manual)

  static func run(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count <= 1 else { throw UsageError("one manifest at a time") }
    let root = arguments.bytes(root).flatMap { FilePath(bytes: $0) } ?? FilePath(".")
    let lookup: TreeLookup
    do throws(TreeFailure) {
      lookup = try TreeLookup(
        below: root, bounds: arguments.has(allowOutside) ? .anywhere : .tree)
    } catch {
      throw UsageError("--root: '\(EscapedText(root.bytes))' cannot be opened: \(error.reason)")
    }
    let isNamed = !arguments.operands.isEmpty
    let named = InputFile.named(arguments.operands).first
    let input =
      isNamed ? named : InputFile(path: lookup.shown(FilePath(manifestName)))
    guard let input, let blocks = input.blocks(isNamed ? .anything : .plainFile, console) else {
      if !isNamed { console.say("import: give a manifest, or - for standard input") }
      return .failed
    }
    let rules = WritingRules(schemes: arguments.has(insecureURL) ? .any : .httpsOnly)
    var restoration = SourceRestoration(
      lookup: lookup, existing: arguments.has(keepExisting) ? .kept : .replaced,
      isDry: arguments.has(dryRun), isQuiet: arguments.has(quiet), console: console)
    restoration.restore(ManifestReader(rules: rules, block: blocks.next), named: input.name)
    return restoration.status
  }
}
