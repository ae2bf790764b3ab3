import CommandLineInterface
import FileTree
import ForeignFormats
import LinuxSystem
import Provenance
import Xattr

/// Which files were downloaded, by their marks and perhaps by the records of browsers.
struct OriginFilter: Sendable {
  static let from = OptionDeclaration(
    "from", value: "HOST", repeats: true,
    help: "select files downloaded from HOST or its subdomains")
  static let downloaded = OptionDeclaration(
    "downloaded", help: "select files that were downloaded")
  static let records = OptionDeclaration(
    "records", help: "with these, search the downloads of browsers, too")

  static let options = [from, downloaded, records]

  /// None where any download is wanted.
  private let hosts: [Glob]
  private let downloads: DownloadSearch?
  private let reader: ProvenanceReader

  /// - Returns: `nil` if the options do not ask for downloads.
  /// - Throws: `UsageError` for a malformed pattern.
  init?(_ arguments: Arguments) throws(UsageError) {
    guard arguments.has(Self.from) || arguments.has(Self.downloaded) else {
      if arguments.has(Self.records) {
        throw UsageError("--records requires --from or --downloaded")
      }
      return nil
    }
    hosts = try arguments.values(Self.from).map { (pattern) throws(UsageError) in
      try Glob(typed: pattern, .ignored, label: "--from: ")
    }
    downloads = arguments.has(Self.records) ? DownloadSearch(ofOneFile: false) : nil
    reader = ProvenanceReader(download: downloads?.record, converting: XMLValue.binary)
  }

  /// Whether a file is wanted.
  func accepts(_ file: FileReference) throws(XattrError) -> Bool {
    let report = try reader.report(on: file, .ownMarks)
    guard report.isDownload, !report.isLikely else { return false }
    return hosts.isEmpty || report.downloadHosts.contains(where: isWanted)
  }

  /// Reports which records could not be read.
  func finish(_ console: Console) -> ExitStatus { downloads?.finish(console) ?? .done }

  /// Whether a pattern matches the host, or what follows one of its dots.
  private func isWanted(_ host: String) -> Bool {
    var rest = host[...]
    while true {
      if hosts.contains(where: { $0.matches(String(rest)) }) { return true }
      guard let dot = rest.firstIndex(of: ".") else { return false }
      rest = rest[rest.index(after: dot)...]
    }
  }
}
