public import BinaryPropertyList
internal import LinuxSystem

/// Files of AppStream's metainfo, XML that has not been read yet.
///
/// A program of its own reads it; a property list carries the files there.
public struct MetainfoFiles: Hashable, Sendable {
  /// A longer file is left out; in bytes, more than any there is.
  public static let limit = 1 << 20
  /// Once there is so much, the rest is left out; in bytes.
  public static let totalLimit = 16 << 20
  /// As what a file counts at least, so that their number is limited, too.
  private static let leastCount = 1 << 10

  public let contents: [[UInt8]]

  public init(_ contents: [[UInt8]]) { self.contents = contents }

  /// Those that are installed, but for those of some identifiers; of an identifier the first in the
  /// order of the directories counts.
  ///
  /// - Parameter isKnown: whether a file need not be read, by what its name says.
  package init(_ places: BaseDirectories, except isKnown: (String) -> Bool) {
    var contents: [[UInt8]] = []
    var seen: Set<String> = []
    var rest = Self.totalLimit
    let directories = places.dataDirectories.flatMap { directory in
      ["metainfo", "appdata"].map { directory.appending(FilePath($0)) }
    }
    for directory in directories {
      for file in InstalledDirectory(path: directory).names {
        guard let identifier = Self.identifier(ofFile: file), !isKnown(identifier),
          seen.insert(identifier).inserted,
          let content = InstalledFile(path: directory.appending(FilePath(file)))
            .content(limit: Self.limit)
        else { continue }
        rest -= max(content.count, Self.leastCount)
        guard rest >= 0 else {
          self.contents = contents
          return
        }
        contents.append(content)
      }
    }
    self.contents = contents
  }

  private static func identifier(ofFile name: String) -> String? {
    guard let end = [".metainfo.xml", ".appdata.xml"].first(where: name.hasSuffix) else {
      return nil
    }
    let stem = name.dropLast(end.count)
    let older = ".desktop"
    return String(stem.hasSuffix(older) ? stem.dropLast(older.count) : stem)
  }
}

extension MetainfoFiles {
  /// The files as a binary property list.
  public func binary() throws(EncodingFailure) -> [UInt8] {
    try PropertyList.array(contents.map { .data($0) }).binary()
  }

  /// Reads what ``binary()`` makes.
  ///
  /// - Returns: `nil` for anything else.
  public init?(binary: [UInt8]) throws(DecodingFailure) {
    guard case .array(let list) = try PropertyList(binary: binary) else { return nil }
    var contents: [[UInt8]] = []
    for element in list {
      guard case .data(let content) = element else { return nil }
      contents.append(content)
    }
    self.init(contents)
  }
}
