import Applications
import BinaryPropertyList
import CommandLineInterface
import LinuxSystem
import Provenance
import TextFormats

/// The user's recently-used.xbel, read by `docsource-xml`.
enum RecentList {
  /// No desktop lets it grow so far.
  private static let limit = 64 << 20

  /// What reading it gave.
  enum Outcome {
    case read(RecentFiles)
    case missing
    /// It cannot be read, which has been said.
    case failed
  }

  static func read(_ console: Console) -> Outcome {
    guard let home = BaseDirectories.current().dataHome else { return .missing }
    let file = InstalledFile(path: home.appending(FilePath("recently-used.xbel")))
    guard file.exists else { return .missing }
    guard let bytes = file.content(limit: limit) else {
      return failed(file, "it is larger than \(limit >> 20) MiB, or no longer there", console)
    }
    do {
      let arguments = [Array("recently-used".utf8), Array(file.path.bytes)]
      let ending = try CompanionProgram("docsource-xml").start(arguments, input: bytes).wait()
      // Where it failed, the program has said what is wrong.
      guard ending.status == .done else { return .failed }
      guard let files = try RecentFiles(binary: ending.output) else {
        return failed(file, "docsource-xml is of another version", console)
      }
      return .read(files)
    } catch {
      return failed(file, "\(error)", console)
    }
  }

  private static func failed(
    _ file: InstalledFile, _ reason: String, _ console: Console
  ) -> Outcome {
    console.report(file.path.bytes, "cannot read: \(EscapedText(reason))")
    return .failed
  }
}
