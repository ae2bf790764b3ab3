internal import ForeignFormats
public import LinuxSystem
public import Xattr

/// Removes marks of origin of files from all carriers except the desktop's record.
public struct MarkRemover: Sendable {
  private let keeps: @Sendable (MarkKind) -> Bool
  private let isDry: Bool
  private let scope: MarkCarrier.Scope

  /// - Parameters:
  ///   - keeps: which marks stay.
  ///   - isDry: whether to find out what would be done, and change nothing.
  public init(
    keeping keeps: @escaping @Sendable (MarkKind) -> Bool, isDry: Bool = false,
    in scope: MarkCarrier.Scope = .everywhere
  ) {
    self.keeps = keeps
    self.isDry = isDry
    self.scope = scope
  }

  /// Removes the marks of one file.
  ///
  /// A file that holds only marks is removed. An AppleDouble file that also holds other data, or
  /// that has attributes of its own, is rewritten without the marks.
  ///
  /// - Throws: `XattrError` where the file's attributes cannot be listed.
  public func remove(from file: FileReference) throws(XattrError) -> MarkRemoval {
    let carriers = try PossibleCarriers(of: file, in: scope)
    let attributes = ExtendedAttributes(of: carriers.file)
    var removal = MarkRemoval()
    carriers.forEach(.all) { carrier in
      switch (carrier, carriers.place) {
      case (.attribute(let name, let foreignName), _):
        if let kind = foreignName.kind, !keeps(kind) { removeAttribute(name, attributes, &removal) }
      case (.file(let path, let kind, _), let place?):
        if !keeps(kind) { removeFile(path, beside: place, &removal) }
      case (.appleDouble(let path, _), let place?): removeMarks(path, beside: place, &removal)
      case (.orphan(let orphan), let place?): removeMarks(of: orphan, at: place, &removal)
      case (.unreachable(let flaw), _): removal.fail(flaw.name, flaw.description)
      case (_, nil): break
      }
      return false
    }
    return removal
  }

  private func removeAttribute(
    _ name: AttributeName, _ attributes: ExtendedAttributes, _ removal: inout MarkRemoval
  ) {
    do throws(XattrError) {
      // Where the kernel does not list the names, more are asked for than the file has.
      if isDry, try attributes.value(of: name) == nil { return }
      if isDry { try AttributeRehearsal(of: attributes.file).removeValue(of: name) }
      let isRemoved = isDry ? true : try attributes.removeValue(of: name)
      if isRemoved { removal.removed.append(Array(name.bytes)) }
    } catch {
      removal.fail(Array(name.bytes), error.reason)
    }
  }

  private func removeFile(
    _ path: [[UInt8]], beside place: FilePlace, _ removal: inout MarkRemoval
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    do throws(Errno) {
      // Closed by now: ntfs-3g removes no stream that is open.
      guard let found = try look(path, beside: place) else { return }
      if let own = found.own { return removal.fail(name, "the file has \(own)") }
      if let obstacle = try remove((found.version, found.trust), path, beside: place) {
        removal.fail(name, obstacle)
      } else {
        removal.removed.append(name)
      }
    } catch {
      removal.fail(name, error.description.lowercased())
    }
  }

  /// - Returns: the version of a file, whether it is trusted, and what would go with it; `nil` where
  ///   there is no file.
  private func look(
    _ path: [[UInt8]], beside place: FilePlace
  ) throws(Errno) -> (version: FileVersion, trust: Trust, own: String?)? {
    guard let file = try place.neighbour(path) else { return nil }
    // A stream of NTFS is the marked file, whose attributes stay.
    let own = place.isSame(file) ? nil : try file.ownContent(keeping: keeps)
    return (file.version, place.trust(file), own)
  }

  /// - Returns: why the file is left, in words; `nil` where it is gone.
  private func remove(
    _ found: (version: FileVersion, trust: Trust), _ path: [[UInt8]], beside place: FilePlace
  ) throws(Errno) -> String? {
    if found.trust == .foreign { return Trust.refusal }
    if isDry {
      try place.rehearseRemoval(of: path)
      return nil
    }
    let folder = path.firstIndex(of: PossibleCarriers.archiveFolder)
    let path = NeighbourPath(components: path, version: found.version, firstFolder: folder)
    return try place.remove(path).obstacle
  }

  /// Removes the marks of a file that is not there.
  private func removeMarks(
    of orphan: OrphanedCarrier, at place: FilePlace, _ removal: inout MarkRemoval
  ) {
    var own = MarkRemoval()
    if let kind = orphan.kind {
      if !keeps(kind) { removeFile(orphan.path, beside: place, &own) }
    } else {
      removeMarks(orphan.path, beside: place, &own)
    }
    // The carrier is told by its name, not by the way from its own directory.
    let way = orphan.path.dropLast().reduce(0) { $0 + $1.count + 1 }
    removal.removed += own.removed.map { Array($0.dropFirst(way)) }
    for failure in own.failures {
      removal.fail(Array(failure.carrier.dropFirst(way)), failure.reason)
    }
  }

  /// Takes the marks out of an AppleDouble file.
  private func removeMarks(
    _ path: [[UInt8]], beside place: FilePlace, _ removal: inout MarkRemoval
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    do {
      guard let file = try place.neighbour(path) else { return }
      guard file.length <= AppleDoubleContent.rewritingLimit else {
        removal.fail(name, "the file is larger than \(AppleDoubleContent.rewritingLimit >> 20) MiB")
        return
      }
      var content = try AppleDoubleContent(try file.bytes(0..<file.length))
      let isMark = { (attribute: AppleDoubleContent.Attribute) in
        MarkKind(name: attribute.name).map { !keeps($0) } ?? false
      }
      let marks = content.attributes.filter(isMark)
      if marks.isEmpty { return }
      content.attributes.removeAll(where: isMark)
      let trust = place.trust(file)
      if try trust == .foreign || content.isEmpty && file.ownContent(keeping: keeps) == nil {
        let obstacle = try remove((file.version, trust), path, beside: place)
        if let obstacle { return removal.fail(name, obstacle) }
      } else if isDry {
        try place.rehearseRemoval(of: path)
      } else {
        try place.write(try content.encoded(), to: path, replacing: file)
      }
      removal.removed += marks.map { name + [UInt8(ascii: ":")] + $0.name }
    } catch let failure as MarkFailure {
      removal.fail(name, failure.description)
    } catch {
      removal.fail(name, "\(error)".lowercased())
    }
  }
}

/// The outcome of removing one file's marks.
public struct MarkRemoval: Sendable {
  /// A carrier that could not be removed.
  public struct Failure: Hashable, Sendable {
    /// As in `MarkCarrier.name`.
    public let carrier: [UInt8]
    /// Why, in words.
    public let reason: String
  }

  /// The carriers that are gone, or would be, as in `MarkCarrier.name`.
  public internal(set) var removed: [[UInt8]] = []
  public internal(set) var failures: [Failure] = []

  mutating func fail(_ carrier: [UInt8], _ reason: String) {
    failures.append(Failure(carrier: carrier, reason: reason))
  }
}
