internal import DocumentSource
package import FileTree
public import ForeignFormats
internal import Glibc
public import LinuxSystem
internal import PropertyListText
internal import Witness
public import Xattr

/// Reads all marks of origin of files.
public struct ProvenanceReader: Sendable {
  private let recent: RecentFiles?
  private let download: DownloadFinder?
  private let desktop: DesktopFinder?
  private let content: ContentFinder?
  private let packages: PackageFinder?
  private let repository: RepositoryFinder?
  private let prepare: (@Sendable (PackagedFile) -> Void)?
  private let memory: DirectoryMemory?

  /// Gives the record of a file's download, and how it was found.
  public typealias DownloadFinder =
    @Sendable (DownloadedFile) -> DownloadRecords.Found?

  /// Gives what the desktop has recorded of a file.
  public typealias DesktopFinder = @Sendable (DownloadedFile) -> [DesktopRecord]

  /// Gives what the content of a file says of programs and devices; `nil` if that is nothing.
  public typealias ContentFinder = @Sendable (HeldFile) -> EmbeddedOrigin?

  /// Gives what package managers have recorded of a file, and whether its content is the package's if
  /// that is wanted.
  public typealias PackageFinder =
    @Sendable (PackagedFile, HeldFile) -> [(PackageRecord, PackageRecord.Verification?)]

  /// Gives what the repository records in whose work tree a file is: by the path of the file, absolute and
  /// without links, and whether it is a directory.
  public typealias RepositoryFinder = @Sendable ([UInt8], Bool) -> RepositoryRecord?

  /// The most bytes of a mark that are read: no attribute of Linux is longer.
  static let valueLimit = 65536

  /// - Parameters:
  ///   - recent: the desktop's list of recently used files, if its record is wanted.
  ///   - download: gives what a browser has recorded of a file, if that is wanted.
  ///   - desktop: gives what the desktop has recorded of a file, if that is wanted.
  ///   - content: gives what the content says of programs and devices, if that is wanted.
  ///   - packages: gives what package managers have recorded of a file, if that is wanted.
  ///   - repository: gives what a repository records of a file, if that is wanted.
  ///   - prepare: called with a file before any of these is.
  ///   - files: how many files are asked about, at most, if these may be several. Then a directory's
  ///     names are read once and count until it changes, by its times; and it is found out once for each
  ///     directory whether one above has the folder of an archive.
  public init(
    recent: RecentFiles? = nil, download: DownloadFinder? = nil, desktop: DesktopFinder? = nil,
    content: ContentFinder? = nil, packages: PackageFinder? = nil,
    repository: RepositoryFinder? = nil,
    prepare: (@Sendable (PackagedFile) -> Void)? = nil,
    files: Int? = nil
  ) {
    self.recent = recent
    self.download = download
    self.desktop = desktop
    self.content = content
    self.packages = packages
    self.repository = repository
    self.prepare = prepare
    memory = files.map { DirectoryMemory(files: $0) }
  }

  /// Reads the marks of a file: its attributes, files beside it, and the desktop's record.
  ///
  /// Damaged marks and carriers that cannot be read stand in the report.
  ///
  /// - Throws: `XattrError` where nothing of the file can be read.
  public func report(on file: FileReference) throws(XattrError) -> ProvenanceReport {
    try report(on: file, .heldMarks)
  }

  /// Whether a file may have marks besides a document source in the native attribute: a question that takes
  /// a fraction of the time of a report.
  ///
  /// - Returns: `true` also where nobody can tell.
  public static func mayHaveMore(_ file: FileReference) -> Bool {
    PossibleCarriers.mayHaveMore(file)
  }

  /// Whether a file has no marks, by what is known of its directory and by its attributes: an answer for many
  /// files that takes less than a report.
  ///
  /// - Parameter isBare: whether it is known already that the file has no attribute but those of the
  ///   system.
  /// - Returns: `false` also where that is not known.
  package func isKnownUnmarked(_ file: FileReference, isBare: Bool = false) -> Bool {
    guard let memory, case .path(let path, _) = file, memory.isAlone(path) else { return false }
    return isBare
      || ExtendedAttributes(of: file).hasName(where: AttributeName.mayBeUsers) == false
  }

  /// Says how many files are asked about, where that is known only now.
  package func expect(_ files: Int) { memory?.expect(files) }

  /// Which marks are read of a file that is a carrier.
  package enum Reach {
    /// Those that the carrier holds of its document, too.
    case heldMarks
    /// Only those of the carrier itself.
    case ownMarks
  }

  package func report(
    on file: FileReference, _ reach: Reach
  ) throws(XattrError) -> ProvenanceReport {
    let held = try file.held(by: memory?.descriptorNames)
    let carriers = try PossibleCarriers(of: .held(held), with: memory)
    let place = carriers.place
    var reading = MarkReading(
      attributes: ExtendedAttributes(of: carriers.file), place: place, reach: reach)
    reading.run(carriers)
    if carriers.isWitnessed, let mark = Self.witnessMark(held) { reading.marks.append(mark) }
    if let recent, let path = place?.path, let found = recent[path], let use = found.lastUse {
      let carrier = MarkCarrier(form: .desktop, name: Array("recently-used.xbel".utf8))
      reading.marks.append(
        Mark(
          .recentUse, in: carrier, trust: .record, bytes: found.bytes, content: .value(.use(use))))
    }
    if isAskedByPath, let path = place?.path {
      if let prepare, let wanted = Self.packaged(held, path) { prepare(wanted) }
      if let mark = downloadMark(held, path) { reading.marks.append(mark) }
      reading.marks += desktopMarks(held, path) + packageMarks(held, path)
      if let mark = repositoryMark(held, path) { reading.marks.append(mark) }
    }
    if let mark = embeddedMark(held) { reading.marks.append(mark) }
    return ProvenanceReport(
      file: file.path, marks: converted(reading.marks), flaws: reading.flaws,
      modified: held.status.modified, document: reading.document)
  }

  /// The report on a regular file on a walk that is no carrier by its path, without the time of its last change:
  /// of many files, this takes two thirds of the time.
  ///
  /// - Parameter latest: the marks of the file before.
  /// - Returns: `nil` if not all marks are known to be attributes of one file: then `report(on:)` has them.
  package func report(
    on entry: borrowing TreeEntry, _ latest: inout LatestMarks
  ) -> ProvenanceReport? {
    let directory = entry.place.directory
    guard ExtendedAttributes.areReadByEntry, !isAskedByPath, content == nil,
      let known = memory?.bare(
        directory, { (version: $0.version, path: recent == nil ? nil : $0.path) })
    else { return nil }
    if let recent {
      guard let path = known.path, recent[path.appending(entry.name)] == nil else { return nil }
    }
    let isWhole = unsafe ExtendedAttributes.withNames(of: entry.place) {
      unsafe latest.update($0, keeping: { _ in false })
    }
    guard isWhole == true, !latest.isWitnessed else { return nil }
    var marks: [Mark] = []
    marks.reserveCapacity(latest.attributes.count)
    for attribute in latest.attributes {
      var bytes: [UInt8] = []
      let isThere = ExtendedAttributes.read(attribute.name, of: entry.place) {
        bytes = unsafe $0.withUnsafeBytes { unsafe Array($0) }
      }
      guard let isThere else { return nil }
      if isThere {
        marks.append(Mark(attribute.kind, in: attribute.carrier, trust: .claim, bytes: bytes))
      }
    }
    // Another file of the name would change the directory.
    guard memory?.bare(directory, { $0.version }) == known.version else { return nil }
    return ProvenanceReport(file: entry.path, marks: converted(marks))
  }

  /// What a browser has recorded of a file; `nil` also if the file cannot be reached.
  package func download(
    of file: FileReference
  ) -> DownloadRecords.Found? {
    guard download != nil, let held = try? file.held(by: memory?.descriptorNames),
      let place = try? FilePlace(of: held, with: memory),
      let path = place.path
    else { return nil }
    return recorded(held, path)
  }

  /// Whether what a program has recorded of a file is looked for by the file's path.
  private var isAskedByPath: Bool {
    prepare != nil || download != nil || desktop != nil || packages != nil || repository != nil
  }

  private func recorded(
    _ file: HeldFile, _ path: FilePath
  ) -> DownloadRecords.Found? {
    let status = file.status
    guard let download, let wanted = Self.downloadable(file, path), let found = download(wanted)
    else { return nil }
    // Another user's file of the same size and time is no download of this user's.
    guard found.match != .content || status.st_uid == geteuid() && !Self.isInPlace(found.record)
    else {
      return nil
    }
    return found
  }

  /// A file as the records of the user's programs are searched for it; `nil` for anything but a regular file.
  private static func downloadable(_ file: HeldFile, _ path: FilePath) -> DownloadedFile? {
    let status = file.status
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return DownloadedFile(
      path: Array(path.bytes), size: Int64(status.st_size), modified: status.modified)
  }

  /// Whether a download is still where the browser has put it: then it is no other file. That is not
  /// asked of servers and FUSE, which may never answer.
  private static func isInPlace(_ record: DownloadRecord) -> Bool {
    guard let path = FilePath(bytes: record.path), path.bytes.first == UInt8(ascii: "/"),
      case .local(let place) = LocalPaths(Mount.all()).place(of: path),
      let found = FilePath(bytes: place)
    else { return false }
    var status = stat()
    guard unsafe found.withCString({ unsafe lstat($0, &status) }) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFREG && record.size == Int64(status.st_size)
  }

  private func downloadMark(_ file: HeldFile, _ path: FilePath) -> Mark? {
    guard let (record, match) = recorded(file, path) else { return nil }
    return Mark(
      .downloadRecord, in: MarkCarrier(form: .browser, name: record.database), trust: .record,
      bytes: Array((record.url ?? "").utf8), content: .value(.download(record, match)))
  }

  private func desktopMarks(_ file: HeldFile, _ path: FilePath) -> [Mark] {
    guard let desktop, let wanted = Self.downloadable(file, path) else { return [] }
    return desktop(wanted).map { record in
      let (kind, text, value): (MarkKind, String?, MarkValue) =
        switch record.content {
        case .use(let use): (.activity, use.application, .use(use))
        case .grant(let application, let permissions):
          (.portalGrant, application, .grant(application: application, permissions: permissions))
        case .indexed(let program, let device, _):
          (
            .searchIndex, program ?? device,
            .embedded(EmbeddedOrigin(tag: "", program: program, device: device))
          )
        }
      return Mark(
        kind, in: MarkCarrier(form: .desktop, name: record.database), trust: .record,
        bytes: Array((text ?? "").utf8), content: .value(value))
    }
  }

  /// A file as the databases of packages are searched for it; `nil` for devices and their like.
  private static func packaged(_ file: HeldFile, _ path: FilePath) -> PackagedFile? {
    let type = file.status.st_mode & S_IFMT
    guard [S_IFREG, S_IFDIR, S_IFLNK].contains(type) else { return nil }
    let user = geteuid()
    return PackagedFile(
      path: Array(path.bytes), isDirectory: type == S_IFDIR,
      isOfUser: user != 0 && file.status.st_uid == user)
  }

  private func packageMarks(_ file: HeldFile, _ path: FilePath) -> [Mark] {
    guard let packages, let wanted = Self.packaged(file, path) else { return [] }
    return packages(wanted, file).map { record, verification in
      Mark(
        .packageRecord, in: MarkCarrier(form: .package, name: record.database), trust: .record,
        bytes: Array(record.title.utf8), content: .value(.package(record, verification)))
    }
  }

  private func repositoryMark(_ file: HeldFile, _ path: FilePath) -> Mark? {
    let type = file.status.st_mode & S_IFMT
    guard let repository, [S_IFREG, S_IFDIR, S_IFLNK].contains(type),
      let record = repository(Array(path.bytes), type == S_IFDIR)
    else { return nil }
    return Mark(
      .repositoryRecord, in: MarkCarrier(form: .repository, name: record.repository.root),
      trust: .record, bytes: Array((record.commit?.identifier ?? "").utf8),
      content: .value(.repository(record)))
  }

  /// What the content of a file says of programs and devices; `nil` if that is nothing.
  ///
  /// - Throws: `XattrError` if the file cannot be reached.
  package func embeddedOrigin(of file: FileReference) throws(XattrError) -> EmbeddedOrigin? {
    embeddedOrigin(try file.held())
  }

  private func embeddedOrigin(_ file: HeldFile) -> EmbeddedOrigin? {
    guard file.status.st_mode & S_IFMT == S_IFREG, file.status.st_size > 0 else { return nil }
    return content?(file)
  }

  /// What was seen of the file while it was written; `nil` also for a record that cannot be read, which
  /// `show --verify` reports.
  private static func witnessMark(_ file: HeldFile) -> Mark? {
    let (record, voidness): (WitnessRecord, Witness.Voidness?)
    switch try? Witness(of: file) {
    case .valid(let valid)?: (record, voidness) = (valid, nil)
    case .void(let void, let reason)?: (record, voidness) = (void, reason)
    case .none?, .damaged?, nil: return nil
    }
    return Mark(
      .witness, in: MarkCarrier(form: .attribute, name: Array(WitnessRecord.attribute.utf8)),
      trust: .witnessed, bytes: record.bytes ?? [], content: .value(.witness(record, voidness)))
  }

  private func embeddedMark(_ file: HeldFile) -> Mark? {
    guard let origin = embeddedOrigin(file) else { return nil }
    return Mark(
      .embeddedOrigin, in: MarkCarrier(form: .content, name: Array(origin.tag.utf8)),
      trust: .embedded, bytes: Array((origin.program?.words ?? origin.device ?? "").utf8),
      content: .value(.embedded(origin)))
  }

  private func converted(_ marks: [Mark]) -> [Mark] {
    let isDamaged = marks.contains { if case .damaged = $0.content { true } else { false } }
    return isDamaged ? marks.map(converted) : marks
  }

  /// The mark with what it says, where that stands in an XML property list.
  private func converted(_ mark: Mark) -> Mark {
    guard case .damaged = mark.content, mark.kind.isApple, AttributeValue.isXML(mark.bytes),
      let binary = XMLPropertyListReader.binary(Array(MarkText.withoutNUL(mark.bytes))),
      let value = try? MarkValue(binary, of: mark.kind)
    else { return mark }
    return Mark(
      mark.kind, in: mark.carrier, trust: mark.trust, bytes: mark.bytes, content: .value(value))
  }
}

/// The marks of one file, while they are read.
private struct MarkReading {
  var marks: [Mark] = []
  var flaws: [MarkCarrier.Flaw] = []
  let attributes: ExtendedAttributes
  let place: FilePlace?
  let reach: ProvenanceReader.Reach
  /// As in `ProvenanceReport`.
  var document: ProvenanceReport.Document?
  /// How many bytes of values AppleDouble files have given.
  var size = 0

  /// As many marks as most files have that have any.
  private static let usualCount = 4

  mutating func run(_ carriers: PossibleCarriers) {
    // A report shows the marks that Netatalk keeps after others of their kind.
    var last: [PossibleCarriers.Place] = []
    if !carriers.isBare { marks.reserveCapacity(Self.usualCount) }
    carriers.forEach(.byPrecedence) { carrier in
      if case .file(_, _, .netatalk) = carrier {
        last.append(carrier)
        return false
      }
      return read(carrier)
    }
    for carrier in last { _ = read(carrier) }
  }

  /// - Returns: whether the carrier exists.
  private mutating func read(_ carrier: PossibleCarriers.Place) -> Bool {
    switch (carrier, place) {
    case (.attribute(let name, let foreignName), _): return readAttribute(name, foreignName)
    case (.file(let path, let kind, let form), let place?):
      return readFile(path, kind, form, place)
    case (.appleDouble(let path, let form), let place?): return readAppleDouble(path, form, place)
    case (.held(let carrier), let place?):
      return reach == .heldMarks && readHeld(by: carrier, at: place)
    case (.unreachable(let flaw), _):
      flaws.append(flaw)
      return false
    case (_, nil): return false
    }
  }

  private mutating func readHeld(by carrier: CarrierFile, at place: FilePlace) -> Bool {
    document = ProvenanceReport.Document(
      path: Array(carrier.documentPath.joined(separator: "/".utf8)),
      isMissing: carrier.document == .missing)
    // By its name alone, which is as it is shown.
    return if let kind = carrier.kind {
      readFile([place.name], kind, carrier.form, place)
    } else {
      readAppleDouble([place.name], carrier.form, place)
    }
  }

  private mutating func readAttribute(
    _ name: AttributeName, _ foreignName: ForeignAttributeName
  ) -> Bool {
    guard let kind = foreignName.kind else { return false }
    let carrier = MarkCarrier(form: foreignName.style.form, name: Array(name.bytes))
    do throws(XattrError) {
      guard let bytes = try attributes.value(of: name) else { return false }
      marks.append(Mark(kind, in: carrier, trust: .claim, bytes: bytes))
    } catch {
      marks.append(Mark(kind, in: carrier, trust: .claim, content: .unreadable(error.reason)))
    }
    return true
  }

  /// Reads a file that holds one mark.
  private mutating func readFile(
    _ path: [[UInt8]], _ kind: MarkKind, _ form: MarkCarrier.Form, _ place: FilePlace
  ) -> Bool {
    do throws(Errno) {
      guard let file = try place.neighbour(path) else { return false }
      // Where ntfs-3g shows streams as files, each is the marked file itself.
      let isStream = form == .sibling && place.isSame(file) && document == nil
      let carrier = MarkCarrier(form: isStream ? .stream : form, path: path)
      let bytes = try file.bytes(0..<min(file.length, ProvenanceReader.valueLimit + 1))
      let trust = isStream ? .claim : place.trust(file)
      marks.append(Mark(kind, in: carrier, trust: trust, upToLimit: bytes))
      return true
    } catch {
      flaws.append(MarkCarrier.Flaw(MarkCarrier(form: form, path: path), error))
      return false
    }
  }

  private mutating func readAppleDouble(
    _ path: [[UInt8]], _ form: MarkCarrier.Form, _ place: FilePlace
  ) -> Bool {
    let whole = MarkCarrier(form: form, path: path)
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
        let carrier = MarkCarrier(
          form: form, name: whole.name + [UInt8(ascii: ":")] + attribute.name)
        marks.append(Mark(kind, in: carrier, trust: place.trust(file), upToLimit: bytes))
      }
      return true
    } catch let failure as MarkFailure where failure.isOfStream(path) {
      return false
    } catch {
      let flaw = MarkCarrier.Flaw(whole, error)
      flaws.append(flaw)
      return flaw.isThere
    }
  }
}

extension Mark {
  /// Reads bytes of a file; more than `valueLimit` of them are no mark.
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
