package import DocumentSource
package import LinuxSystem

/// The format of a manifest. Both are ASCII, and no line ends in white space, so that git, zip and
/// mail carry them as text; readers accept any line end.
package enum ManifestFormat: String, CaseIterable, Sendable {
  /// One JSON object a line: `file`, and `fileBase64` where that is not UTF-8; `source` for people;
  /// `value`, the attribute's bytes in Base64. Lines are independent: they can be sorted, merged
  /// and left out.
  case json
  /// What `getfattr --dump` writes and `setfattr --restore` reads (attr, tools/setfattr.c).
  case getfattr

  /// Appends the text of an entry.
  package func append(_ entry: ManifestEntry, to text: inout [UInt8]) {
    switch self {
    case .json: JSONLine.append(entry, to: &text)
    case .getfattr: Dump.append(entry, to: &text)
    }
  }
}

/// An entry of a manifest: a file below the tree's root, and the value of its attribute.
package struct ManifestEntry: Hashable, Sendable {
  /// As the manifest has it. The path is untrusted, and may lead anywhere.
  package let path: FilePath
  /// The attribute's bytes, whatever they hold.
  package let value: [UInt8]
  /// The binary form of a value in XML, where it is known.
  let converted: [UInt8]?

  package init(path: FilePath, value: [UInt8], converted: [UInt8]? = nil) {
    self.path = path
    self.value = value
    self.converted = converted
  }
}

/// Why a part of a manifest cannot be read, and on which line it is.
package struct ManifestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package struct Reason: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the lines after it cannot be read either.
    let isFinal: Bool
    let remedy: DocumentSourceError.Remedy?

    private init(
      _ words: String, isFinal: Bool = false, remedy: DocumentSourceError.Remedy? = nil
    ) {
      description = words
      self.isFinal = isFinal
      self.remedy = remedy
    }

    /// Reading the file, or standard input, failed.
    package static func unreadable(_ errno: Errno) -> Reason {
      Reason("cannot read: \(errno.description.lowercased())", isFinal: true)
    }
    /// A line is longer than `ManifestReader.lineLimit`.
    package static let lineTooLong = Reason(
      "the line is longer than \(ManifestReader.lineLimit) bytes")
    /// The first line belongs to neither format.
    package static let unknownFormat = Reason(
      "neither JSON lines, which begin with '{', nor a dump of getfattr, which begins with '# file: '",
      isFinal: true)
    /// In a dump, `# file: ` is missing where a file's attributes would begin.
    package static let noFileName = Reason(
      "'# file: ' and a name are missing; the remaining lines are not read", isFinal: true)
    /// In a dump, the empty line before `# file: ` is missing.
    package static let secondFileName = Reason(
      "the empty line before '# file: ' is missing; the remaining lines are not read", isFinal: true
    )
    /// A file name holds a NUL, which no file's name does.
    package static let badFileName = Reason("the file name contains a NUL character")
    /// In a dump, a value that is no text, hexadecimal or Base64 as setfattr reads them.
    package static let badEncoding = Reason("the value is not encoded as in a dump of getfattr")
    /// A line is no JSON.
    package static func syntax(column: Int, _ words: String) -> Reason {
      Reason("not a JSON object: \(words) (column \(column))")
    }
    /// A member of a line's object is missing or has the wrong type or value.
    package static func member(
      _ name: String, _ words: String, _ remedy: DocumentSourceError.Remedy? = nil
    ) -> Reason {
      Reason("\"\(name)\" \(words)", remedy: remedy)
    }
    /// `source` and `value` contradict each other.
    package static let disagreement = Reason(
      "\"source\" and \"value\" disagree; remove \"value\" to use the source")
  }

  /// Counted from 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// Whether the rest of the manifest cannot be read either.
  package var isFinal: Bool { reason.isFinal }

  /// What would let a value that must not be written through.
  package var remedy: DocumentSourceError.Remedy? { reason.remedy }

  /// Line and reason, in which text of the manifest is not escaped.
  package var description: String { "line \(line): \(reason)" }
}
