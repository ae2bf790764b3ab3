/// What a repository of git records of a file in its work tree.
public struct RepositoryRecord: Hashable, Sendable {
  /// A commit that has changed a file.
  public struct Commit: Hashable, Sendable {
    /// In hexadecimal digits.
    public let identifier: String
    /// When its author made the change, in seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64
    /// The author's name.
    public let author: String
    /// The first line of the message.
    public let subject: String

    public init(identifier: String, seconds: Int64, author: String, subject: String) {
      self.identifier = identifier
      self.seconds = seconds
      self.author = author
      self.subject = subject
    }
  }

  /// Whether a file is tracked, and how it differs from the last commit.
  public enum State: String, CaseIterable, Hashable, Sendable {
    case unchanged
    /// In the index with other content than in the commit.
    case staged
    /// Other content than in the index.
    case changed
    /// Not in the index.
    case untracked
    /// Not in the index, as .gitignore wants it.
    case ignored

    /// Whether git keeps the file.
    package var isTracked: Bool { self != .untracked && self != .ignored }
  }

  public let repository: Repository
  /// Relative to the work tree; ends in a slash where all that is below a directory is meant.
  public let path: [UInt8]
  /// The last one that has changed the path; `nil` of what is not tracked or not committed.
  public let commit: Commit?
  /// `nil` of a directory, in which files may differ, unless nothing of it is tracked.
  public let state: State?

  /// A repository with a work tree.
  public struct Repository: Hashable, Sendable {
    /// The work tree: an absolute path without links.
    public let root: [UInt8]
    /// The address that the current branch is fetched from, without credentials.
    public let remote: String?

    public init(root: [UInt8], remote: String? = nil) {
      self.root = root
      self.remote = remote
    }

    /// The last component of the address without `.git`, or of the work tree.
    public var name: String {
      let address = remote?.utf8.split { $0 == 0x2f || $0 == 0x3a }.last.map { Array($0) } ?? []
      let name = address.suffix(4).elementsEqual(".git".utf8) ? Array(address.dropLast(4)) : address
      if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
      return String(decoding: root.split(separator: 0x2f).last ?? [0x2f], as: UTF8.self)
    }
  }

  public init(_ repository: Repository, path: [UInt8], commit: Commit? = nil, state: State? = nil) {
    self.repository = repository
    self.path = path
    self.commit = commit
    self.state = state
  }
}

extension RepositoryRecord.Repository {
  /// Takes from an address what lets its reader in: the user and the password, the query and the fragment. Of
  /// ssh the user stays, who is the same for all.
  package static func withoutCredentials(_ address: [UInt8]) -> String {
    func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let scheme = address.prefix { $0 != UInt8(ascii: ":") }
    let rest = address.dropFirst(scheme.count)
    // `user@host:path`, or a path.
    guard rest.starts(with: "://".utf8) else { return text(address) }
    let place = rest.dropFirst(3)
    let authority = place.prefix { !"/?#".utf8.contains($0) }
    let path = place.dropFirst(authority.count).prefix { !"?#".utf8.contains($0) }
    var host = authority[...]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      host = authority[(at + 1)...]
      let user = authority[..<at].prefix { $0 != UInt8(ascii: ":") }
      if text(scheme).lowercased().hasSuffix("ssh"), !user.isEmpty {
        host = (user + [UInt8(ascii: "@")] + host)[...]
      }
    }
    return text(scheme + Array("://".utf8) + host + path)
  }
}

/// A question for what a repository records of files.
package struct RepositoryQuestion: Hashable, Sendable {
  package enum Extent: Hashable, Sendable {
    /// Paths relative to the work tree; that itself is empty.
    case files([[UInt8]])
    /// What is tracked in a directory, not what is below that.
    case entries([UInt8])
    /// Directories, and all that is below.
    case trees([[UInt8]])
  }

  /// The work tree: an absolute path without links.
  package let root: [UInt8]
  package let extent: Extent

  package init(_ root: [UInt8], _ extent: Extent) {
    self.root = root
    self.extent = extent
  }
}
