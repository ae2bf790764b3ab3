internal import Glibc
internal import Xattr

/// The marks of a file that stand in other files.
struct MarksBeside {
  private(set) var marks: [Mark] = []
  private(set) var flaws: [CarrierFlaw] = []
  private let place: FilePlace

  /// A zip is seldom deeper, and each level costs a system call.
  private static let levelLimit = 32

  init(_ place: FilePlace) { self.place = place }

  /// Reads them.
  mutating func read() {
    readStreams()
    let name = Array("._".utf8) + place.name
    readAppleDouble([name], .appleDouble)
    readArchive(name)
    readNetatalk()
  }

  /// Streams of NTFS, and files of their names.
  private mutating func readStreams() {
    let place = place
    for name in MarkKind.names {
      guard let kind = MarkKind(name: name.utf8), kind.isApple || kind == .zoneIdentifier else {
        continue
      }
      // Copied to where a colon cannot be, it becomes U+F03A.
      for colon in kind == .zoneIdentifier ? [":", "\u{f03a}"] : [":"] {
        read([place.name + Array((colon + name).utf8)], kind) { neighbour in
          place.isSame(neighbour) ? .stream : .sibling
        }
      }
    }
  }

  /// `__MACOSX` beside what the archive held at its top, which is the file or a directory above.
  private mutating func readArchive(_ name: [UInt8]) {
    let parents = place.path.bytes.split(separator: UInt8(ascii: "/")).dropLast()
    for level in 0...min(parents.count, Self.levelLimit) {
      let up = [[UInt8]](repeating: Array("..".utf8), count: level)
      let down = parents.suffix(level).map { Array($0) }
      if readAppleDouble(up + [Array("__MACOSX".utf8)] + down + [name], .macArchive) { return }
    }
  }

  /// `.AppleDouble/name::EA::attribute`, of a directory `name/.AppleDouble/.Parent::EA::attribute`.
  private mutating func readNetatalk() {
    let folder = Array(".AppleDouble".utf8)
    let lead =
      place.isDirectory
      ? [place.name, folder, Array(".Parent".utf8)] : [folder, place.name]
    for name in MarkKind.names {
      guard let kind = MarkKind(name: name.utf8), kind.isApple else { continue }
      let file = (lead.last ?? []) + Array("::EA::\(name)".utf8)
      read(lead.dropLast() + [file], kind) { _ in .netatalk }
    }
  }

  /// Reads a file that holds one mark.
  private mutating func read(
    _ path: [[UInt8]], _ kind: MarkKind, _ form: (NeighbourFile) -> MarkCarrier.Form
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    do throws(Errno) {
      guard let file = try place.neighbour(path) else { return }
      let form = form(file)
      let trust = form == .stream ? .claim : place.trust(file)
      let carrier = MarkCarrier(form: form, name: name)
      let bytes = try file.bytes(0..<min(file.length, ProvenanceReader.valueLimit + 1))
      marks.append(Mark(kind, in: carrier, trust: trust, upToLimit: bytes))
    } catch {
      flaws.append(CarrierFlaw(name: name, cause: .unreadable(error.description.lowercased())))
    }
  }

  /// Reads an AppleDouble file's marks; whether there is such a file.
  @discardableResult
  private mutating func readAppleDouble(_ path: [[UInt8]], _ form: MarkCarrier.Form) -> Bool {
    let name = Array(path.joined(separator: "/".utf8))
    do {
      guard let file = try place.neighbour(path) else { return false }
      let head = try file.bytes(0..<min(file.length, AppleDouble.headLimit))
      let parsed = try AppleDouble(head: head, length: file.length)
      for attribute in parsed.attributes {
        guard let kind = MarkKind(name: attribute.name) else { continue }
        let start = attribute.range.lowerBound
        let end = min(attribute.range.upperBound, start + ProvenanceReader.valueLimit + 1)
        let bytes = attribute.range.isEmpty ? [] : try file.bytes(start..<end)
        let carrier = MarkCarrier(form: form, name: name + [UInt8(ascii: ":")] + attribute.name)
        marks.append(Mark(kind, in: carrier, trust: place.trust(file), upToLimit: bytes))
      }
      return true
    } catch let failure as MarkFailure {
      flaws.append(CarrierFlaw(name: name, cause: .malformed(failure)))
      return true
    } catch {
      flaws.append(CarrierFlaw(name: name, cause: .unreadable("\(error)".lowercased())))
      return false
    }
  }
}

extension Mark {
  /// Reads bytes of a file, which may be more than any mark has.
  fileprivate init(
    _ kind: MarkKind, in carrier: MarkCarrier, trust: Trust, upToLimit bytes: [UInt8]
  ) {
    let limit = ProvenanceReader.valueLimit
    if bytes.count <= limit {
      self.init(kind, in: carrier, trust: trust, bytes: bytes)
    } else {
      self.init(
        kind, in: carrier, trust: trust, bytes: Array(bytes.prefix(limit)),
        content: .damaged(MarkFailure(.tooLong, at: limit)))
    }
  }
}
