import CommandLineInterface
import FileTree
import ForeignFormats
import LinuxSystem
import Provenance
import Xattr

/// Which files were downloaded, by their marks and perhaps by the records of browsers, and which a
/// program has written, by their content.
struct OriginFilter: Sendable {
  static let from = OptionDeclaration(
    "from", value: "HOST", repeats: true,
    help: "select files downloaded from HOST or its subdomains")
  static let downloaded = OptionDeclaration(
    "downloaded", help: "select files that were downloaded")
  static let records = OptionDeclaration(
    "records", help: "with these, search the downloads of browsers, too")

  static let writtenBy = OptionDeclaration(
    "written-by", value: "GLOB", repeats: true,
    help: "select files whose content names a program that matches")

  static let options = [from, downloaded, records, writtenBy]

  /// None where any download is wanted.
  private let hosts: [Glob]
  private let isDownloadWanted: Bool
  /// None where any program, or none, will do.
  private let programs: [Glob]
  private let downloads: RecordSearch?
  private let content: ContentSearch?
  private let marks: ProvenanceReader
  private let contents: ProvenanceReader

  /// - Returns: `nil` if the options ask for neither.
  /// - Throws: `UsageError` for a malformed pattern.
  init?(_ arguments: Arguments) throws(UsageError) {
    isDownloadWanted = arguments.has(Self.from) || arguments.has(Self.downloaded)
    if arguments.has(Self.records), !isDownloadWanted {
      throw UsageError("--records requires --from or --downloaded")
    }
    guard isDownloadWanted || arguments.has(Self.writtenBy) else { return nil }
    func globs(_ option: OptionDeclaration) throws(UsageError) -> [Glob] {
      try arguments.values(option).map { (pattern) throws(UsageError) in
        try Glob(typed: pattern, .ignored, label: "--\(option.long): ")
      }
    }
    hosts = try globs(Self.from)
    programs = try globs(Self.writtenBy)
    downloads = arguments.has(Self.records) ? RecordSearch(ofOneFile: false) : nil
    content = programs.isEmpty ? nil : ContentSearch(isRequired: true)
    marks = ProvenanceReader(
      download: downloads?.download, files: .max)
    contents = ProvenanceReader(content: content?.origin)
  }

  /// Whether a file is wanted. The content is read last, since that takes longest.
  func accepts(_ file: FileReference) throws(XattrError) -> Bool {
    if isDownloadWanted, !isWantedDownload(try marks.report(on: file, .ownMarks)) { return false }
    guard !programs.isEmpty else { return true }
    return try contents.embeddedOrigin(of: file)?.programs.contains(where: isWanted) ?? false
  }

  private func isWantedDownload(_ report: ProvenanceReport) -> Bool {
    guard report.isDownload, !report.isLikely else { return false }
    return hosts.isEmpty || report.downloadHosts.contains(where: isWanted)
  }

  /// Reports which records could not be read.
  func finish(_ console: Console) -> ExitStatus {
    (downloads?.finish(console) ?? .done).combined(with: content?.finish(console) ?? .done)
  }

  /// Whether a pattern matches the name, the name with the version, or all words of a program.
  private func isWanted(_ program: EmbeddedOrigin.Program) -> Bool {
    [program.name, program.title, program.words].contains { words in
      programs.contains { $0.matches(words) }
    }
  }

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
