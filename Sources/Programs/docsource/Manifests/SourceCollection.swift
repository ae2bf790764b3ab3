import CommandLineInterface
import DocumentSource
import FileTree
import LinuxSystem
import Manifest
import TextFormats
import Xattr

/// The attributes of trees, gathered for a manifest.
struct SourceCollection {
  /// As tar's `--exclude-vcs` has them.
  private static let versionControl = [
    ".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS",
  ].map { Array($0.utf8) }

  private let root: RootDirectory?
  private let options: WalkOptions
  private let console: Console
  private var entries: [ManifestEntry] = []

  /// The gravest of what happened.
  private(set) var status = ExitStatus.done

  var isEmpty: Bool { entries.isEmpty }

  /// - Parameter root: where the paths lead from.
  init(below root: FilePath, mounts: WalkOptions.Mounts, console: Console) {
    self.root = RootDirectory(root)
    options = WalkOptions(mounts: mounts)
    self.console = console
  }

  /// By the bytes of the paths, so that a manifest changes only where the tree does.
  var sorted: [ManifestEntry] {
    let sorted = entries.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    // Operands may overlap.
    return sorted.indices.filter { $0 == 0 || sorted[$0].path != sorted[$0 - 1].path }
      .map { sorted[$0] }
  }

  /// Adds a file, or a directory and all below it.
  mutating func add(_ operand: FilePath) {
    guard let real = NamedPath(operand, links: .follow).realComponents else {
      return fail(operand, "no such file, or its path is not searchable")
    }
    guard let names = root?.names(below: real) else {
      return fail(operand, "it is not below the directory that paths lead from; give --root")
    }
    let slash = CollectionOfOne(UInt8(ascii: "/"))
    let lead = Array(names.joined(separator: slash))
    add(.path(operand), at: lead.isEmpty ? [UInt8(ascii: ".")] : lead, isFound: false)
    guard TreeEntry.Kind(of: operand, links: .follow) == .directory else { return }
    let base = lead.isEmpty ? [] : lead + slash
    let skipped = operand.appending(FilePath("x")).bytes.count - 1
    // Where the walk is in a directory that is left out.
    var leftOut: [UInt8] = []
    do throws(TreeFailure) {
      try TreeWalk.walk(below: operand, links: .follow, options: options) { entry in
        let path = entry.path
        if !leftOut.isEmpty, path.bytes.starts(with: leftOut) { return }
        switch entry.kind {
        case .other: return
        case .directory where Self.versionControl.contains { path.lastComponent.elementsEqual($0) }:
          leftOut = Array(path.bytes + slash)
        case .file, .directory:
          add(entry.file, at: base + path.bytes.dropFirst(skipped), isFound: true)
        }
      } failed: { failure in
        let path = failure.path.bytes + slash
        if !leftOut.isEmpty, path.starts(with: leftOut) { return }
        fail(failure.path, "cannot read the directory: \(failure.reason)")
      }
    } catch {
      fail(error.path, "cannot read the directory: \(error.reason)")
    }
  }

  private mutating func add(_ file: FileReference, at path: [UInt8], isFound: Bool) {
    do throws(DocumentSourceError) {
      guard let stored = try DocumentSourceAttribute(of: file).stored(),
        // Samba leaves an empty stream where a write did not fit.
        stored.carrier == .native || !stored.isEmpty, let path = FilePath(bytes: path)
      else { return }
      entries.append(ManifestEntry(path: path, value: stored.nativeBytes))
    } catch {
      if case .attribute(let refusal) = error.cause {
        // A file system that stores no attributes has none to list.
        if refusal.errno == .notSupported { return }
        // Files come and go while a tree is walked.
        if isFound, refusal.errno == .noSuchFile { return }
      }
      fail(error.path, error.message)
    }
  }

  private mutating func fail(_ path: FilePath, _ message: String) {
    console.report(path.bytes, EscapedText(message).description)
    status = .failed
  }
}
