internal import Glibc
internal import LinuxSystem

/// The marks of a file that stand in other files.
struct MarksBeside {
  private(set) var marks: [Mark] = []
  private(set) var flaws: [CarrierFlaw] = []
  private let place: FilePlace
  /// How many bytes of values AppleDouble files have given.
  private var size = 0

  init(_ place: FilePlace) { self.place = place }

  /// Reads them.
  mutating func read() {
    let paths = CarrierPaths(place)
    let place = place
    for (path, kind) in paths.streams {
      read(path, kind) { place.isSame($0) ? .stream : .sibling }
    }
    readAppleDouble(paths.appleDouble, .appleDouble)
    for path in paths.archives where readAppleDouble(path, .macArchive) { break }
    for (path, kind) in paths.netatalk { read(path, kind) { _ in .netatalk } }
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
      guard let (file, parsed) = try place.appleDouble(path) else { return false }
      for attribute in parsed.attributes {
        guard let kind = MarkKind(name: attribute.name) else { continue }
        let start = attribute.range.lowerBound
        let count = min(attribute.range.count, ProvenanceReader.valueLimit + 1)
        size += count
        // Values may overlap, so that a small file holds any amount.
        guard size <= ForeignAttributes.limit else { throw MarkFailure(.tooMuch, at: start) }
        let bytes = count == 0 ? [] : try file.bytes(start..<start + count)
        let carrier = MarkCarrier(form: form, name: name + [UInt8(ascii: ":")] + attribute.name)
        marks.append(Mark(kind, in: carrier, trust: place.trust(file), upToLimit: bytes))
      }
      return true
    } catch {
      let flaw = CarrierFlaw(name: name, error)
      flaws.append(flaw)
      return flaw.isThere
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
