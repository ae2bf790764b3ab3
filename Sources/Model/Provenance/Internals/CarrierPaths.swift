internal import LinuxSystem
internal import Xattr

/// Where marks of a file may stand in other files: names that lead there from its directory.
struct CarrierPaths {
  private let place: FilePlace

  /// A zip is seldom deeper, and each level costs a system call.
  private static let levelLimit = 32

  init(_ place: FilePlace) { self.place = place }

  /// Streams of NTFS, and files of their names.
  var streams: [(path: [[UInt8]], kind: MarkKind)] {
    MarkKind.names.flatMap { name -> [(path: [[UInt8]], kind: MarkKind)] in
      guard let kind = MarkKind(name: name.utf8), kind.isApple || kind == .zoneIdentifier else {
        return []
      }
      let separators = CarrierFile.streamSeparators.prefix(kind == .zoneIdentifier ? 2 : 1)
      return separators.map { ([place.name + Array(($0 + name).utf8)], kind) }
    }
  }

  private var doubleName: [UInt8] { CarrierFile.doublePrefix + place.name }

  /// The AppleDouble file beside the file.
  var appleDouble: [[UInt8]] { [doubleName] }

  /// `__MACOSX` beside what the archive held at its top, which is the file or a directory above.
  var archives: [[[UInt8]]] {
    let parents = place.path.bytes.split(separator: UInt8(ascii: "/")).dropLast()
    return (0...min(parents.count, Self.levelLimit)).map { level in
      let up = [[UInt8]](repeating: Array("..".utf8), count: level)
      let down = parents.suffix(level).map { Array($0) }
      return up + [CarrierFile.archiveFolder] + down + [doubleName]
    }
  }

  /// `.AppleDouble/name::EA::attribute`, of a directory `name/.AppleDouble/.Parent::EA::attribute`.
  var netatalk: [(path: [[UInt8]], kind: MarkKind)] {
    let folder = CarrierFile.netatalkFolder
    let lead =
      place.isDirectory ? [place.name, folder, Array(".Parent".utf8)] : [folder, place.name]
    return MarkKind.names.compactMap { name in
      guard let kind = MarkKind(name: name.utf8), kind.isApple else { return nil }
      let file = (lead.last ?? []) + Array("::EA::\(name)".utf8)
      return (lead.dropLast() + [file], kind)
    }
  }
}
