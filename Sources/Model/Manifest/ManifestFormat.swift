/// How a manifest is written. Both forms are ASCII, and no line ends in white space, so that git, zip
/// and mail carry them as text; readers accept any line end.
public enum ManifestFormat: String, CaseIterable, Sendable {
  /// One JSON object a line: `file`, and `fileBase64` where that is not UTF-8; `source` for people;
  /// `value`, the attribute's bytes in Base64. A line stands for itself: lines can be sorted, merged
  /// and left out.
  case json
  /// What `getfattr --dump` writes and `setfattr --restore` reads (attr, tools/setfattr.c).
  case getfattr

  /// Adds an entry's text.
  public func append(_ entry: ManifestEntry, to text: inout [UInt8]) {
    switch self {
    case .json: JSONLine.append(entry, to: &text)
    case .getfattr: Dump.append(entry, to: &text)
    }
  }
}
