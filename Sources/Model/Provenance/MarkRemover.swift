package import FileTree
internal import ForeignFormats
internal import Glibc
public import LinuxSystem
public import Xattr

/// Removes marks of origin of files from all carriers except the desktop's record.
public struct MarkRemover: Sendable {
  private let keeps: @Sendable (MarkKind) -> Bool
  private let isDry: Bool
  private let scope: MarkCarrier.Scope
  private let memory: DirectoryMemory?

  /// - Parameters:
  ///   - keeps: which marks stay.
  ///   - isDry: whether to find out what would be done, and change nothing.
  ///   - files: as for ``ProvenanceReader``.
  public init(
    keeping keeps: @escaping @Sendable (MarkKind) -> Bool, isDry: Bool = false,
    in scope: MarkCarrier.Scope = .everywhere, files: Int? = nil
  ) {
    self.keeps = keeps
    self.isDry = isDry
    self.scope = scope
    memory = files.map { DirectoryMemory(files: $0) }
  }

  /// Removes the marks of one file: those that it has, those that other files hold of it with the
  /// marks that such a file has itself, and those that it holds of another.
  ///
  /// A file that holds only marks is removed. An AppleDouble file that also holds other data, or
  /// that has attributes of its own, is rewritten without the marks.
  ///
  /// - Throws: `XattrError` where the file's attributes cannot be listed.
  public func remove(from file: FileReference) throws(XattrError) -> MarkRemoval {
    try remove(.all, from: file)
  }

  /// What was done with a file on a walk.
  package enum Gathering {
    case unmarked
    case added
    /// The file is the first of a batch; the one before has to end.
    case begun(Batch)
  }

  /// Adds a regular file on a walk that is no carrier by its path to a batch of files whose marks are removed
  /// by calls with their names: for many files, this takes half the time.
  ///
  /// - Parameters:
  ///   - batch: the last one, if it has not ended.
  ///   - latest: the marks of the file before.
  /// - Returns: `nil` if not all marks are known to be attributes: then `remove(from:)` removes them.
  package func gather(
    _ entry: borrowing TreeEntry, into batch: Batch?, _ latest: inout LatestMarks
  ) -> Gathering? {
    guard !isDry, let directory = memory?.bareDirectory(entry.place.directory) else { return nil }
    let isWhole = unsafe ExtendedAttributes.withNames(of: entry.place) {
      unsafe latest.update($0, keeping: keeps)
    }
    guard isWhole == true else { return nil }
    let marks = latest.attributes
    if marks.isEmpty { return .unmarked }
    if let batch, batch.add(entry, in: directory, with: marks) { return .added }
    return Batch(entry, in: directory, with: marks).map { .begun($0) }
  }

  /// Files of one directory with the same marks, which are removed one after the other of all of them.
  ///
  /// ext4 lets files with the same attributes share a block. Were a file to lose all of its marks before the
  /// next one, each would have a block allocated and freed for each step on the way, which takes two to ten
  /// times as long.
  ///
  /// `@unchecked`: the thread that has made it ends it, or another one after that has ended.
  package final class Batch: @unchecked Sendable {
    private static let limit = 128

    private let descriptor: CInt
    private let directory: FileIdentity
    private let directoryPath: [UInt8]
    private let marks: [LatestMarks.Attribute]
    /// Each with a NUL.
    private var names: [UInt8] = []
    /// Where each name ends, after the NUL.
    private var ends: [Int] = []

    /// - Returns: `nil` if no descriptor is left.
    fileprivate init?(
      _ entry: borrowing TreeEntry, in directory: FileIdentity,
      with marks: [LatestMarks.Attribute]
    ) {
      descriptor = fcntl(entry.place.directory, F_DUPFD_CLOEXEC, 0)
      self.directory = directory
      directoryPath = entry.directoryBytes
      self.marks = marks
      guard descriptor >= 0 else { return nil }
      add(entry.place)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package var count: Int { ends.count }

    /// - Returns: whether the file belongs to the others.
    fileprivate func add(
      _ entry: borrowing TreeEntry, in directory: FileIdentity,
      with marks: [LatestMarks.Attribute]
    ) -> Bool {
      guard count < Self.limit, directory == self.directory, marks == self.marks,
        entry.isIn(directoryPath)
      else { return false }
      add(entry.place)
      return true
    }

    private func add(_ place: borrowing EntryReference) {
      unsafe place.withName { unsafe names.append(contentsOf: $0) }
      names.append(0)
      ends.append(names.count)
    }

    /// Removes the marks.
    ///
    /// - Returns: the files of which a mark could not be removed; `remove(from:)` does the rest, and says
    ///   what is wrong.
    package func remove() -> [FileReference] {
      var failed: Set<Int> = []
      for mark in marks {
        for index in ends.indices {
          let isRemoved = unsafe names.withUnsafeBufferPointer { names in
            let name = unsafe UnsafeBufferPointer(rebasing: names[range(of: index)])
            let place = unsafe EntryReference(directory: descriptor, terminatedName: name)
            return ExtendedAttributes.remove(mark.name, of: place)
          }
          if !isRemoved { failed.insert(index) }
        }
      }
      return failed.sorted().compactMap { index in
        let name = names[range(of: index)]
        guard let name = FilePath(bytes: name), let directory = FilePath(bytes: directoryPath[...])
        else { return nil }
        return .entry(directory: descriptor, name: name, path: directory.appending(name))
      }
    }

    /// Where a name stands, without its NUL.
    private func range(of index: Int) -> Range<Int> {
      (index == 0 ? 0 : ends[index - 1])..<(ends[index] - 1)
    }
  }

  /// Which marks of a file are removed.
  private enum Part {
    case all
    /// Those in files beside it.
    case neighbours
    case attributes
  }

  private func remove(_ part: Part, from file: FileReference) throws(XattrError) -> MarkRemoval {
    let carriers = try PossibleCarriers(of: file, in: scope, with: memory)
    let attributes = ExtendedAttributes(of: carriers.file)
    var removal = MarkRemoval()
    carriers.forEach(.all) { carrier in
      switch (carrier, carriers.place) {
      case (.attribute(let name, let foreignName), _):
        if part != .neighbours, let kind = foreignName.kind, !keeps(kind) {
          removeAttribute(name, attributes, &removal)
        }
      case (.file(let path, let kind, _), let place?):
        if part != .attributes { removeMarks(path, kind, beside: place, &removal) }
      case (.appleDouble(let path, _), let place?):
        if part != .attributes { removeMarks(path, nil, beside: place, &removal) }
      case (.held(let carrier), let place?):
        if part == .all { removeMarks(heldBy: carrier, at: place, &removal) }
      case (.unreachable(let flaw), _):
        // What is beside a carrier is beside the marked file, for which it has been reported.
        if part != .neighbours { removal.fail(flaw.name, flaw.description) }
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
      if isDry { try AttributePreflight(of: attributes.file).removeValue(of: name) }
      let isRemoved = isDry ? true : try attributes.removeValue(of: name)
      if isRemoved { removal.removed.append(Array(name.bytes)) }
    } catch {
      removal.fail(Array(name.bytes), error.reason)
    }
  }

  /// Removes the marks that a carrier holds of the file beside it, and those that it has itself.
  ///
  /// Carriers of the carrier go first: without it they would belong to nothing.
  ///
  /// - Parameter kind: the one mark that the carrier holds; `nil` for an AppleDouble file.
  private func removeMarks(
    _ path: [[UInt8]], _ kind: MarkKind?, beside place: FilePlace, _ removal: inout MarkRemoval
  ) {
    let neighbours = { (removal: inout MarkRemoval) in
      removeOwnMarks(.neighbours, of: path, beside: place, &removal)
    }
    let ending =
      if let kind {
        removeFile(path, kind, beside: place, &removal, first: neighbours)
      } else {
        rewrite(path, beside: place, &removal, first: neighbours)
      }
    // Those of a file that is gone went with it.
    if ending == .left { removeOwnMarks(.attributes, of: path, beside: place, &removal) }
  }

  /// Removes marks of origin that a carrier has itself.
  private func removeOwnMarks(
    _ part: Part, of path: [[UInt8]], beside place: FilePlace, _ removal: inout MarkRemoval
  ) {
    let name = Array(path.joined(separator: "/".utf8))
    // From the marked file, a file beside the carrier is reached by the carrier's directory.
    let way =
      part == .attributes ? name + [UInt8(ascii: ":")] : name.dropLast(path.last?.count ?? 0)
    let result = try? place.withNeighbour(path) { file in
      Result { () throws(XattrError) in try remove(part, from: file) }
    }
    switch result {
    case .success(let own):
      removal.removed += own.removed.map { way + $0 }
      for failure in own.failures { removal.fail(way + failure.carrier, failure.reason) }
    case .failure(let error):
      if part == .attributes, error.errno != .noSuchFile { removal.fail(name, error.reason) }
    case nil: break
    }
  }

  /// What becomes of a carrier.
  private enum Ending {
    /// There is none.
    case absent
    case gone, left
  }

  /// Removes a file that holds one mark.
  ///
  /// - Parameter first: what is to be done before where there is such a file.
  private func removeFile(
    _ path: [[UInt8]], _ kind: MarkKind, beside place: FilePlace, _ removal: inout MarkRemoval,
    first: (inout MarkRemoval) -> Void = { _ in }
  ) -> Ending {
    let name = Array(path.joined(separator: "/".utf8))
    do throws(Errno) {
      // Closed by now: ntfs-3g removes no stream that is open.
      guard let found = try look(path, beside: place) else { return .absent }
      if !found.isStream { first(&removal) }
      let ending = found.isStream ? Ending.absent : .left
      if keeps(kind) { return ending }
      if let own = found.own {
        removal.fail(name, "the file has \(own)")
        return ending
      }
      if let obstacle = try remove((found.version, found.trust), path, beside: place) {
        removal.fail(name, obstacle)
        return ending
      }
      removal.removed.append(name)
      return .gone
    } catch {
      removal.fail(name, error.description.lowercased())
      return .absent
    }
  }

  /// A carrier as it was when it was looked at.
  private struct Found {
    let version: FileVersion
    let trust: Trust
    /// Whether it is a stream of NTFS: the marked file itself, whose attributes stay.
    let isStream: Bool
    /// What would go with it, in words.
    let own: String?
  }

  /// - Returns: `nil` if there is no file.
  private func look(_ path: [[UInt8]], beside place: FilePlace) throws(Errno) -> Found? {
    guard let file = try place.neighbour(path) else { return nil }
    let isStream = place.isSame(file) && path != [place.name]
    let own = isStream ? nil : try file.ownContent(keeping: keeps)
    return Found(version: file.version, trust: place.trust(file), isStream: isStream, own: own)
  }

  /// - Returns: why the file is left, in words; `nil` if it is gone.
  private func remove(
    _ found: (version: FileVersion, trust: Trust), _ path: [[UInt8]], beside place: FilePlace
  ) throws(Errno) -> String? {
    if found.trust == .foreign { return Trust.refusal }
    if isDry {
      try place.preflightRemoval(of: path)
      return nil
    }
    let folder = path.firstIndex(of: PossibleCarriers.archiveFolder)
    let path = NeighbourPath(components: path, version: found.version, firstFolder: folder)
    return try place.remove(path).obstacle
  }

  /// Removes the marks that a file holds of another; its own are those of any file.
  private func removeMarks(
    heldBy carrier: CarrierFile, at place: FilePlace, _ removal: inout MarkRemoval
  ) {
    var held = MarkRemoval()
    if let kind = carrier.kind {
      if !keeps(kind) { _ = removeFile(carrier.path, kind, beside: place, &held) }
    } else {
      _ = rewrite(carrier.path, beside: place, &held)
    }
    // The carrier is reported by its name, not by the way from its own directory.
    let way = carrier.path.dropLast().reduce(0) { $0 + $1.count + 1 }
    removal.removed += held.removed.map { Array($0.dropFirst(way)) }
    for failure in held.failures {
      removal.fail(Array(failure.carrier.dropFirst(way)), failure.reason)
    }
  }

  /// Takes the marks out of an AppleDouble file.
  ///
  /// - Parameter first: as for `removeFile`.
  private func rewrite(
    _ path: [[UInt8]], beside place: FilePlace, _ removal: inout MarkRemoval,
    first: (inout MarkRemoval) -> Void = { _ in }
  ) -> Ending {
    let name = Array(path.joined(separator: "/".utf8))
    do {
      // One without a byte holds nothing, and is no AppleDouble file.
      guard let file = try place.neighbour(path), file.length > 0 else { return .absent }
      guard file.length <= AppleDoubleContent.rewritingLimit else {
        first(&removal)
        removal.fail(name, "the file is larger than \(AppleDoubleContent.rewritingLimit >> 20) MiB")
        return .left
      }
      var content = try AppleDoubleContent(try file.bytes(0..<file.length))
      first(&removal)
      let isMark = { (attribute: AppleDoubleContent.Attribute) in
        MarkKind(name: attribute.name).map { !keeps($0) } ?? false
      }
      let marks = content.attributes.filter(isMark)
      if marks.isEmpty { return .left }
      content.attributes.removeAll(where: isMark)
      let trust = place.trust(file)
      var ending = Ending.left
      if try trust == .foreign || content.isEmpty && file.ownContent(keeping: keeps) == nil {
        let obstacle = try remove((file.version, trust), path, beside: place)
        if let obstacle {
          removal.fail(name, obstacle)
          return .left
        }
        ending = .gone
      } else if isDry {
        try place.preflightRemoval(of: path)
      } else {
        try place.write(try content.encoded(), to: path, replacing: file)
      }
      removal.removed += marks.map { name + [UInt8(ascii: ":")] + $0.name }
      return ending
    } catch let failure as MarkFailure {
      if failure.isOfStream(path) { return .absent }
      removal.fail(name, failure.description)
      // Another file that is called so is none of the marked file's.
      return failure.offset == 0 ? .absent : .left
    } catch {
      removal.fail(name, "\(error)".lowercased())
      return .left
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
