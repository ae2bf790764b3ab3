/// What a package manager has recorded of a file that a package has.
public struct PackageRecord: Hashable, Sendable {
  /// A program that installs packages, or the system that it belongs to.
  public enum Manager: String, CaseIterable, Hashable, Sendable {
    case dpkg, rpm, pacman, pip, flatpak, snap

    /// Whether it installs for all users only, so that no file of this user's is of its packages.
    package var isOfSystem: Bool {
      switch self {
      case .dpkg, .rpm, .pacman: true
      case .pip, .flatpak, .snap: false
      }
    }
  }

  public let manager: Manager
  public let package: String
  public let version: String?
  public let architecture: String?
  /// The path of the database, or of its file that has the record.
  public let database: [UInt8]
  /// Where the file is: absolute, without links. Of flatpak and snap, with a slash after it,
  /// all that is below.
  public let file: [UInt8]
  /// The absolute path as the package has it, which may lead over links of the system, or be that from
  /// which another package has diverted the file.
  public let path: [UInt8]
  /// What the package says of the content.
  public let checksum: Checksum?
  /// When the package was installed or last upgraded, in seconds since 1970-01-01T00:00:00Z; `nil` if that
  /// is not known. dpkg, pip and flatpak do not record that: it is when they wrote `database`.
  public let installed: Double?

  /// The checksum of a file's content.
  public struct Checksum: Hashable, Sendable {
    public enum Algorithm: String, CaseIterable, Hashable, Sendable {
      case md5, sha256

      /// How many bytes a digest has.
      package var length: Int { self == .md5 ? 16 : 32 }
    }

    public let algorithm: Algorithm
    public let digest: [UInt8]

    /// `nil` unless the digest has the length of the algorithm's.
    package init?(_ algorithm: Algorithm, _ digest: [UInt8]) {
      guard digest.count == algorithm.length else { return nil }
      self.algorithm = algorithm
      self.digest = digest
    }

    /// `nil` for what are not the digits of such a digest.
    package init?(_ algorithm: Algorithm, hexadecimal digits: some Collection<UInt8>) {
      var digest: [UInt8] = []
      var high: UInt8?
      for digit in digits {
        guard let value = MarkText.hexadecimalDigit(digit) else { return nil }
        if let half = high {
          digest.append(half << 4 | value)
          high = nil
        } else {
          high = value
        }
      }
      guard high == nil else { return nil }
      self.init(algorithm, digest)
    }
  }

  /// Whether the content of a file is what its package says.
  public enum Verification: String, Hashable, Sendable {
    case same, changed
    /// The package has no checksum of the file, or the content cannot be read.
    case unknown
  }

  public init(
    manager: Manager, package: String, version: String? = nil, architecture: String? = nil,
    database: [UInt8], file: [UInt8], path: [UInt8], checksum: Checksum? = nil,
    installed: Double? = nil
  ) {
    self.manager = manager
    self.package = package
    self.version = version
    self.architecture = architecture
    self.database = database
    self.file = file
    self.path = path
    self.checksum = checksum
    self.installed = installed
  }

  /// Whether all that is below a directory is meant.
  package var isOfTree: Bool {
    (manager == .flatpak || manager == .snap) && file.last == UInt8(ascii: "/")
  }

  /// Whether another record is of the same package, and by the same database.
  package func isOfSamePackage(as other: PackageRecord) -> Bool {
    manager == other.manager && package == other.package && version == other.version
      && architecture == other.architecture && database == other.database
  }

  /// That of a file in the tree.
  fileprivate func ofFile(_ file: [UInt8]) -> PackageRecord {
    PackageRecord(
      manager: manager, package: package, version: version, architecture: architecture,
      database: database, file: file, path: path + file.dropFirst(self.file.count),
      installed: installed)
  }

  /// The package with its version: `coreutils 9.1-1`.
  public var title: String { version.map { "\(package) \($0)" } ?? package }
}

/// A file whose package is looked for.
public struct PackagedFile: Hashable, Sendable {
  /// Absolute, without links.
  public let path: [UInt8]
  /// Many packages may have one directory.
  public let isDirectory: Bool
  /// Whether it belongs to this user, who is not root.
  public let isOfUser: Bool

  public init(path: [UInt8], isDirectory: Bool = false, isOfUser: Bool = false) {
    self.path = path
    self.isDirectory = isDirectory
    self.isOfUser = isOfUser
  }

  /// Directories in which package managers install files for one user.
  private static let userDirectories = ["bin", "site-packages", "dist-packages", "flatpak"]

  /// Whether a package may have the file, by its path: those of the system have nothing of a user's, nor in
  /// a home directory, and asking takes longer than all else that is read of a file.
  ///
  /// - Parameter home: the user's, without links.
  package func mayHavePackage(home: [UInt8]?) -> Bool {
    let isInHome = home.map { $0.count > 1 && PackageQuestion.isBelow(path, $0) } ?? false
    guard isOfUser || isInHome else { return true }
    return path.split(separator: UInt8(ascii: "/")).contains { name in
      Self.userDirectories.contains { name.elementsEqual($0.utf8) }
    }
  }
}

/// A question for the packages of files.
package struct PackageQuestion: Hashable, Sendable {
  package enum Extent: Hashable, Sendable {
    case files([PackagedFile])
    /// What is in a directory, not what is below that.
    case entries([UInt8])
    /// Directories, and all that is below.
    case trees([[UInt8]])
  }

  package let extent: Extent
  package let wantsChecksums: Bool

  package init(_ extent: Extent, wantsChecksums: Bool = false) {
    self.extent = extent
    self.wantsChecksums = wantsChecksums
  }

  /// Whether a path, without links, is asked for.
  package func wants(_ path: some Collection<UInt8>) -> Bool {
    switch extent {
    case .files(let files): files.contains { $0.path.elementsEqual(path) }
    case .entries(let directory):
      Self.isBelow(path, directory)
        && !path.dropFirst(directory == [0x2f] ? 1 : directory.count + 1).contains(0x2f)
    case .trees(let directories):
      directories.contains { $0.elementsEqual(path) || Self.isBelow(path, $0) }
    }
  }

  /// Whether a directory is asked for, something below it, or one above it.
  package func overlaps(_ directory: [UInt8]) -> Bool {
    let wanted =
      switch extent {
      case .files(let files): files.map(\.path)
      case .entries(let directory): [directory]
      case .trees(let directories): directories
      }
    return wanted.contains {
      $0 == directory || Self.isBelow($0, directory) || Self.isBelow(directory, $0)
    }
  }

  fileprivate static func isBelow(_ path: some Collection<UInt8>, _ directory: [UInt8]) -> Bool {
    guard path.count > directory.count, path.starts(with: directory) else { return false }
    return directory == [0x2f] || path.dropFirst(directory.count).first == 0x2f
  }
}

/// The records of packages, to be asked for those of a file.
package struct PackageRecords: Sendable {
  private var byFile: [[UInt8]: [PackageRecord]] = [:]
  private var ofTrees: [PackageRecord] = []

  package init(_ records: [PackageRecord] = []) { add(records) }

  package mutating func add(_ records: [PackageRecord]) {
    for record in records {
      if record.isOfTree {
        if !ofTrees.contains(record) { ofTrees.append(record) }
      } else if byFile[record.file]?.contains(record) != true {
        byFile[record.file, default: []].append(record)
      }
    }
  }

  /// The packages that have a file, those of the system first. A directory that several packages have is
  /// none of a package, nor is a file of this user's one of a package for all users.
  package func records(of file: PackagedFile) -> [PackageRecord] {
    let found = (byFile[file.path] ?? []).filter { !file.isOfUser || !$0.manager.isOfSystem }
    if let tree = ofTrees.first(where: { file.path.starts(with: $0.file) }) {
      return [tree.ofFile(file.path)]
    }
    if file.isDirectory, found.count > 1 { return [] }
    // Debian's packages of Python modules have what pip would have written, too.
    let system = found.filter { $0.manager != .pip }
    return system.isEmpty ? found : system
  }
}
