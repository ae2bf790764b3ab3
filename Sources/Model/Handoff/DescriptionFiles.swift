package import LinuxSystem

/// What is wrong with a description, or why a directory of them cannot be read.
package struct DescriptionFlaw: Error, Sendable {
  package let path: FilePath
  /// In words that follow the path.
  package let reason: String
}

/// The files with an ending in a directory below those for data, the user's own first; of several with
/// one name the first.
struct DescriptionFiles {
  /// In the order of their identifiers.
  private let found: [(identifier: String, path: FilePath)]
  /// Directories that are there and cannot be read.
  private let unread: [DescriptionFlaw]

  /// More bytes than any description has.
  private static let limit = 64 << 10

  init(below directory: String, in places: BaseDirectories, ending: String) {
    var files: [String: FilePath] = [:]
    var unread: [DescriptionFlaw] = []
    for data in places.homeAndSystemData {
      let path = data.appending(FilePath(directory))
      do throws(Errno) {
        for name in try InstalledDirectory(path: path).listed() where name.hasSuffix(ending) {
          let identifier = String(name.dropLast(ending.count))
          if files[identifier] == nil { files[identifier] = path.appending(FilePath(name)) }
        }
      } catch {
        let reason = "cannot read: \(error.description.lowercased())"
        unread.append(DescriptionFlaw(path: path, reason: reason))
      }
    }
    self.unread = unread
    found = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { ($0.key, $0.value) }
  }

  /// The descriptions in the order of their identifiers, after the directories that cannot be read.
  func read<Description>(
    _ make: ([UInt8], _ identifier: String, FilePath) throws -> Description
  ) -> [Result<Description, DescriptionFlaw>] {
    unread.map { .failure($0) }
      + found.map { file in Self.read(file.path) { try make($0, file.identifier, file.path) } }
  }

  static func read<Description>(
    _ path: FilePath, _ make: ([UInt8]) throws -> Description
  ) -> Result<Description, DescriptionFlaw> {
    guard let content = InstalledFile(path: path).content(limit: limit) else {
      let reason = "not a readable file of at most \(limit >> 10) KiB"
      return .failure(DescriptionFlaw(path: path, reason: reason))
    }
    do {
      return .success(try make(content))
    } catch {
      return .failure(DescriptionFlaw(path: path, reason: "\(error)"))
    }
  }
}
