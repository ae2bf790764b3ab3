package import ForeignFormats
package import LinuxSystem

extension MetainfoFiles {
  /// As what a file counts at least, so that their number is limited, too.
  private static let leastCount = 1 << 10

  /// The installed files, but for those of some identifiers; of the files of one identifier, that in
  /// the first of the directories counts.
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
          self.init(contents)
          return
        }
        contents.append(content)
      }
    }
    self.init(contents)
  }

  private static func identifier(ofFile name: String) -> String? {
    [".metainfo.xml", ".appdata.xml"].first(where: name.hasSuffix).map { end in
      let stem = name.dropLast(end.count)
      let older = ".desktop"
      return String(stem.hasSuffix(older) ? stem.dropLast(older.count) : stem)
    }
  }
}
