public import ForeignFormats

/// Where a mark is stored.
public struct MarkCarrier: Hashable, Sendable, CustomStringConvertible {
  /// The kind of carrier.
  public enum Form: String, Hashable, Sendable {
    /// An attribute by its own name.
    case attribute
    /// A stream that Samba keeps as an attribute.
    case sambaStream
    /// An attribute of a Mac's file system, by the kernel.
    case hfsplus
    /// An attribute in an AppleDouble file `._name`.
    case appleDouble
    /// One in an AppleDouble file below `__MACOSX`, as a zip of macOS has them.
    case macArchive
    /// A file below `.AppleDouble`, as Netatalk keeps attributes.
    case netatalk
    /// A file in the directory `.streams` of a share, where Samba's streams_depot keeps streams.
    case sambaDepot
    /// A stream of the file, as ntfs-3g shows it.
    case stream
    /// A file beside with the stream's name, as copying from NTFS leaves it.
    case sibling
    /// The archive that the file was extracted from.
    case archive
    /// The desktop's list of recently used files, or another of its databases.
    case desktop
    /// A browser's database of downloads.
    case browser
    /// The content of the file: the name is that of a tag, as exiftool has it.
    case content
    /// The database of a package manager, or its file that has the record.
    case package
    /// A repository of git.
    case repository
  }

  public let form: Form
  /// The full name of the attribute, or the path of the file that holds the mark, relative to the
  /// directory of the marked file; that of a database is absolute. If that file holds several
  /// marks, `:` and the name of the mark follow.
  public let name: [UInt8]

  public init(form: Form, name: [UInt8]) {
    self.form = form
    self.name = name
  }

  init(form: Form, path: [[UInt8]]) {
    self.init(
      form: form, name: path.count == 1 ? path[0] : Array(path.joined(separator: "/".utf8)))
  }

  /// Where marks of a file are looked for.
  public enum Scope: Sendable {
    case everywhere
    /// Only in the mount of the file's directory.
    case oneMount
  }

  /// The name as text; bytes that are not UTF-8 become U+FFFD.
  public var description: String { String(decoding: name, as: UTF8.self) }

  /// A carrier that cannot be read.
  public struct Flaw: Hashable, Sendable, CustomStringConvertible {
    /// Why it cannot be read.
    public enum Cause: Hashable, Sendable {
      /// The content is not what the name says.
      case malformed(MarkFailure)
      /// The system refused, in words.
      case unreadable(String)
    }

    /// As in `MarkCarrier.name`.
    public let name: [UInt8]
    public let cause: Cause

    /// Whether there is a file, though not what its name says.
    var isThere: Bool { if case .malformed = cause { true } else { false } }

    /// Why, in words that follow the name.
    public var description: String {
      switch cause {
      case .malformed(let failure): failure.description
      case .unreadable(let reason): "cannot read: \(reason)"
      }
    }
  }
}

extension MarkCarrier.Flaw {
  /// - Parameter error: thrown by reading a file beside the marked one.
  init(_ carrier: MarkCarrier, _ error: any Error) {
    let failure = (error as? MarkFailure).map { Cause.malformed($0) }
    self.init(name: carrier.name, cause: failure ?? .unreadable("\(error)".lowercased()))
  }
}
