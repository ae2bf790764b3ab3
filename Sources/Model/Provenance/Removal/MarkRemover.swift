public import LinuxSystem
public import Xattr

/// Removes marks of origin from files, wherever they stand but for the desktop's record.
public struct MarkRemover: Sendable {
  private let keeps: @Sendable (MarkKind) -> Bool
  private let isDry: Bool

  /// - Parameters:
  ///   - keeps: which marks stay.
  ///   - isDry: whether to find out what would be done, and change nothing.
  public init(keeping keeps: @escaping @Sendable (MarkKind) -> Bool, isDry: Bool = false) {
    self.keeps = keeps
    self.isDry = isDry
  }

  /// Removes the marks of one file.
  ///
  /// A file that holds marks only is removed whole; an AppleDouble file that holds other things too
  /// is written anew without them.
  ///
  /// - Throws: `XattrError` where the file's attributes cannot be listed.
  public func remove(from file: FileReference) throws(XattrError) -> MarkRemoval {
    var removal = MarkRemoval()
    try removeAttributes(of: file, &removal)
    guard let place = FilePlace(file) else { return removal }
    let paths = CarrierPaths(place)
    for (path, kind) in paths.streams + paths.netatalk where !keeps(kind) {
      removeFile(path, beside: place, &removal)
    }
    for path in [paths.appleDouble] + paths.archives {
      removeMarks(path, beside: place, &removal)
    }
    return removal
  }

  private func removeAttributes(
    of file: FileReference, _ removal: inout MarkRemoval
  ) throws(XattrError) {
    let attributes = ExtendedAttributes(of: file)
    for name in try attributes.sortedNames() {
      guard let kind = AttributeForm(name)?.kind, !keeps(kind) else { continue }
      do throws(XattrError) {
        let isRemoved = isDry ? true : try attributes.removeValue(of: name)
        if isRemoved { removal.removed.append(Array(name.bytes)) }
      } catch {
        removal.fail(Array(name.bytes), error.reason)
      }
    }
  }

  private func removeFile(
    _ path: [[UInt8]], beside place: FilePlace, _ removal: inout MarkRemoval
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    do throws(Errno) {
      // Closed by now: ntfs-3g removes no stream that is open.
      guard let version = try place.neighbour(path)?.version else { return }
      try remove(version, path, beside: place)
      removal.removed.append(name)
    } catch {
      removal.fail(name, error.description.lowercased())
    }
  }

  private func remove(
    _ version: FileVersion, _ path: [[UInt8]], beside place: FilePlace
  ) throws(Errno) {
    if isDry { return }
    let folder = path.firstIndex(of: CarrierFile.archiveFolder)
    let path = NeighbourPath(components: path, firstFolder: folder, version: version)
    guard try place.remove(path) else { throw .staleHandle }
  }

  /// Takes the marks out of an AppleDouble file.
  private func removeMarks(
    _ path: [[UInt8]], beside place: FilePlace, _ removal: inout MarkRemoval
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    do {
      guard let file = try place.neighbour(path) else { return }
      guard file.length <= AppleDoubleContent.rewritingLimit else {
        removal.fail(name, "it is larger than \(AppleDoubleContent.rewritingLimit >> 20) MiB")
        return
      }
      var content = try AppleDoubleContent(try file.bytes(0..<file.length))
      let isMark = { (attribute: AppleDoubleContent.Attribute) in
        MarkKind(name: attribute.name).map { !keeps($0) } ?? false
      }
      let marks = content.attributes.filter(isMark)
      guard !marks.isEmpty else { return }
      content.attributes.removeAll(where: isMark)
      if content.isEmpty {
        try remove(file.version, path, beside: place)
      } else if !isDry {
        try place.write(try content.encoded(), to: path, replacing: file.version)
      }
      removal.removed += marks.map { name + [UInt8(ascii: ":")] + $0.name }
    } catch let failure as MarkFailure {
      removal.fail(name, failure.description)
    } catch {
      removal.fail(name, "\(error)".lowercased())
    }
  }
}
