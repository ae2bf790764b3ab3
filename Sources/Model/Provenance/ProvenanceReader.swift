public import LinuxSystem
public import Xattr

/// Reads all marks of origin of files.
public struct ProvenanceReader: Sendable {
  private let recent: RecentFiles?

  /// A mark is not read further than this: no attribute of Linux is longer, and nobody writes more.
  static let valueLimit = 65536

  /// - Parameter recent: what the user's desktop has recorded, if that is wanted.
  public init(recent: RecentFiles? = nil) { self.recent = recent }

  /// Reads the marks of a file: its attributes, files beside it, and the desktop's record.
  ///
  /// What a mark's bytes say wrong, and what cannot be read, stands in the report.
  ///
  /// - Throws: `XattrError` where nothing of the file can be read.
  public func report(on file: FileReference) throws(XattrError) -> ProvenanceReport {
    var attributes = AttributeMarks()
    try attributes.read(file)
    var marks = attributes.marks
    guard let place = FilePlace(file) else {
      return ProvenanceReport(file: file.path, marks: marks)
    }
    var beside = MarksBeside(place)
    beside.read()
    marks += beside.marks
    if let found = recent?[place.path], let use = found.lastUse {
      let carrier = MarkCarrier(form: .desktop, name: Array("recently-used.xbel".utf8))
      marks.append(
        Mark(
          .recentUse, in: carrier, trust: .record, bytes: found.bytes, content: .value(.use(use))))
    }
    return ProvenanceReport(
      file: file.path, marks: marks, flaws: beside.flaws, modified: place.modified)
  }
}
