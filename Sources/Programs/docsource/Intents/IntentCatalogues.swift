import BinaryPropertyList
import CommandLineInterface
import FileTree
import Handoff
import LinuxSystem
import PropertyListText
import TextFormats

/// Where catalogues of intents are: in docsource itself, in files that are installed, and in those
/// that the command line names.
enum IntentCatalogues {
  static let option = OptionDeclaration(
    "catalogue", value: "FILE", repeats: true,
    help: "also read a catalogue, or those in a directory; repeatable")

  /// More bytes than any catalogue has.
  private static let limit = 1 << 20
  /// How deep below a directory catalogues are looked for: IntentKit has one directory for each.
  private static let depthLimit = 3

  /// Those of the user, of the system and of the command line, in the order in which they count.
  ///
  /// - Returns: `nil` after reporting why one that was named cannot be read.
  static func installed(_ arguments: Arguments, _ console: Console) -> IntentCatalogue? {
    installed(arguments.values(option), console)
  }

  /// - Parameter named: those of the command line.
  static func installed(_ named: [[UInt8]], _ console: Console) -> IntentCatalogue? {
    var catalogue = IntentCatalogue()
    for named in named {
      guard let paths = files(named, console) else { return nil }
      for path in paths {
        guard let read = read(path, console) else { return nil }
        catalogue.add(read)
      }
    }
    let places = BaseDirectories.current()
    for directory in [places.dataHome].compactMap(\.self) + places.systemData {
      let directory = directory.appending(FilePath("docsource/intents.d"))
      for path in files(below: directory, depth: depthLimit) {
        // A broken one does not stop the others.
        if let read = read(path, console) { catalogue.add(read) }
      }
    }
    return catalogue
  }

  /// The files that an operand names; `nil` after reporting that there is none.
  static func files(_ operand: [UInt8], _ console: Console) -> [FilePath]? {
    guard let path = FilePath(bytes: operand),
      let status = try? FileStatus(path, links: .follow)
    else {
      console.fail(operand[...], "cannot read: no such file or directory")
      return nil
    }
    guard status.kind == .directory else { return [path] }
    return files(below: path, depth: 0)
  }

  private static func files(below directory: FilePath, depth: Int) -> [FilePath] {
    InstalledDirectory(path: directory).names.flatMap { name -> [FilePath] in
      let path = directory.appending(FilePath(name))
      if name.hasSuffix(".plist") || name.hasSuffix(".json") { return [path] }
      let isBelow = depth < depthLimit && InstalledDirectory(path: path).exists
      return isBelow ? files(below: path, depth: depth + 1) : []
    }
  }

  /// `nil` after reporting why the file cannot be read.
  static func read(_ path: FilePath, _ console: Console) -> IntentCatalogue? {
    guard let bytes = InstalledFile(path: path).content(limit: limit) else {
      console.fail(path.bytes, "cannot read: not a readable file of at most \(limit >> 20) MiB")
      return nil
    }
    guard let value = PropertyListForm(of: bytes).value(of: bytes, path.bytes, console) else {
      return nil
    }
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    return IntentCatalogue(value, name: name.split(separator: ".").first.map(String.init) ?? name)
  }
}
