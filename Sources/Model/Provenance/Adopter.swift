internal import DocumentSource
public import ForeignFormats
public import LinuxSystem
public import Xattr

/// Converts marks left by macOS, Windows and Samba into Linux attributes.
///
/// A carrier is removed only after all its content has been written to attributes of the file, read
/// back and flushed to the disk. If the process ends at any point, no attribute is lost, and another
/// run completes the work.
public struct Adopter: Sendable {
  /// Which value counts if a carrier and the file have different values, with the names of
  /// dot_clean(1) of macOS.
  public enum Preference: String, CaseIterable, Sendable {
    /// The carrier's if it was written after the file's content, otherwise the file's. Of several
    /// carriers that say different things none counts.
    case mostRecent = "mostrecent"
    /// The carrier's. Of several carriers that say different things none counts.
    case carrier = "dotbar"
    /// The file's. Where it has none, that of the first carrier becomes the file's.
    case native
  }

  let preference: Preference?
  let keepsCarriers: Bool
  let isDry: Bool
  private let scope: MarkCarrier.Scope
  private let memory: DirectoryMemory?

  /// - Parameters:
  ///   - preference: without one, carriers that contradict the file are kept.
  ///   - keepsCarriers: whether carriers stay where they are.
  ///   - isDry: whether to find out what would be done, and change nothing.
  ///   - files: as for ``ProvenanceReader``.
  public init(
    preference: Preference? = nil, keepsCarriers: Bool = false, isDry: Bool = false,
    in scope: MarkCarrier.Scope = .everywhere, files: Int? = nil
  ) {
    self.preference = preference
    self.keepsCarriers = keepsCarriers
    self.isDry = isDry
    self.scope = scope
    memory = files.map { DirectoryMemory(files: $0) }
  }

  /// Adopts all carriers on a file and beside it.
  ///
  /// - Throws: `XattrError` where nothing of the file can be read.
  public func adopt(_ file: FileReference) throws(XattrError) -> AdoptionReport {
    let file = try hold(file)
    let carriers = try AdoptableCarriers(of: file, in: scope, with: memory)
    return adopt(carriers, on: file)
  }

  private func adopt(_ carriers: AdoptableCarriers, on file: HeldFile) -> AdoptionReport {
    // What is no document gets nothing from the files beside it either.
    let found = carriers.orphan == nil ? carriers.found : []
    var report = merge(
      found, to: file, carriers.place, wasBare: carriers.wasBare, carriers.flaws)
    if let (carrier, document) = carriers.orphan {
      report.steps.append(.left(carrier, document))
    }
    return report
  }

  /// Holds a file open as one of many, whose attributes are reached faster.
  ///
  /// - Throws: `XattrError` if the file cannot be reached.
  package func hold(_ file: FileReference) throws(XattrError) -> HeldFile {
    try file.held(by: memory?.descriptorNames)
  }

  /// Adopts a file's carriers up to the point where the disk has to have the file's attributes: that can be
  /// waited for once for many files.
  ///
  /// - Throws: `XattrError` where nothing of the file can be read.
  package func begin(_ file: FileReference) throws(XattrError) -> BegunAdoption {
    let file = try hold(file)
    let carriers = try AdoptableCarriers(of: file, in: scope, with: memory)
    // What is adopted of one carrier decides about the next.
    guard !isDry, !keepsCarriers, carriers.orphan == nil, carriers.found.count == 1,
      let carrier = carriers.found.first, case .file = carrier.removal
    else { return .done(adopt(carriers, on: file)) }
    var merge = AttributeMerge(
      into: file, carriers.place, wasBare: carriers.wasBare, by: self)
    merge.weigh(carriers.found)
    var step = merge.step(carrier, isLeft: true)
    guard merge.mayRemove(carrier, step), carriers.place?.keepDirectory() ?? false else {
      merge.complete(carrier, &step)
      return .done(AdoptionReport(steps: [step], flaws: carriers.flaws, values: merge.taken))
    }
    return .pending(
      PendingAdoption(file: file, carrier: carrier, merge: merge, step: step, flaws: carriers.flaws)
    )
  }

  /// Whether a file is a carrier, or a directory of such files, but for one that is left alone: what it
  /// holds is adopted with its document.
  package func belongsToAnother(_ file: FileReference) -> Bool {
    MarkCarrier.belongsToAnother(file, with: memory)
  }

  /// Adopts the attributes that an archive holds of a file.
  ///
  /// - Parameter archive: the path by which the archive is shown.
  /// - Throws: `XattrError` where the file cannot be reached.
  public func adopt(
    _ attributes: ArchivedAttributes.File, of archive: FilePath, to file: FileReference
  ) throws(XattrError) -> AdoptionReport {
    let carrier = AdoptableCarrier(attributes, of: archive)
    return merge([carrier], to: try file.held(), nil)
  }

  private func merge(
    _ carriers: [AdoptableCarrier], to file: HeldFile, _ place: FilePlace?, wasBare: Bool = false,
    _ flaws: [MarkCarrier.Flaw] = []
  ) -> AdoptionReport {
    var merge = AttributeMerge(into: file, place, wasBare: wasBare, by: self)
    merge.weigh(carriers)
    let steps = carriers.compactMap { carrier -> AdoptionStep? in
      // A native attribute that is to be mended cannot also stay as it is.
      if keepsCarriers, carrier.isNative { return nil }
      return merge.step(carrier)
    }
    return AdoptionReport(steps: steps, flaws: flaws, values: merge.taken)
  }
}

/// What `Adopter.begin(_:)` has done.
package enum BegunAdoption {
  case done(AdoptionReport)
  /// The carrier is still there.
  case pending(PendingAdoption)
}

/// A file that has its attributes, while its carrier waits for the disk to have them.
package struct PendingAdoption {
  package let file: HeldFile
  fileprivate let carrier: AdoptableCarrier
  fileprivate let merge: AttributeMerge
  fileprivate let step: AdoptionStep
  fileprivate let flaws: [MarkCarrier.Flaw]

  /// Removes the carrier, if the disk has what it held.
  ///
  /// - Parameter failure: why it is not known that the disk has the file's attributes.
  package func complete(_ failure: Errno?) -> AdoptionReport {
    var step = step
    merge.complete(carrier, &step, failure)
    return AdoptionReport(steps: [step], flaws: flaws, values: merge.taken)
  }
}

/// The outcome of adopting the carriers of one file.
public struct AdoptionReport: Sendable {
  public internal(set) var steps: [AdoptionStep]
  /// Carriers that cannot be read; they stay as they are.
  public let flaws: [MarkCarrier.Flaw]
  /// After a dry run, the values that attributes of the file would get.
  let values: [AttributeName: [UInt8]]

  public var isChange: Bool { steps.contains(where: \.isChange) }

  /// Whether a document source was adopted, or would be.
  public var hasSource: Bool { steps.contains { $0.written.contains(SourceAttribute.nativeName) } }

  /// Whether an attribute has two values of which none was chosen.
  public var isContradicted: Bool {
    steps.contains { !$0.contradicted.isEmpty || !$0.disputed.isEmpty }
  }

  /// Whether something could not be read or written.
  public var hasFailed: Bool {
    steps.contains { !$0.failures.isEmpty } || flaws.contains { !$0.isThere }
  }
}

/// The outcome for one carrier.
public struct AdoptionStep: Sendable {
  public let carrier: MarkCarrier
  /// The attributes that were written, or would be.
  public internal(set) var written: [AttributeName] = []
  /// Attributes that the file has with another value, where no preference decides: they stay as
  /// they are, and so does the carrier.
  public internal(set) var contradicted: [AttributeName] = []
  /// Attributes of which another carrier says something else, where the preference is for carriers:
  /// nothing is taken from either, and both stay.
  public internal(set) var disputed: [AttributeName] = []
  /// Attributes of the carrier that were given up for the file's own.
  public internal(set) var overruled: [AttributeName] = []
  /// The content that the carrier is kept for, in words.
  public internal(set) var remainder: [String] = []
  /// Whether the carrier is a file of another user, from which nothing is taken.
  public internal(set) var isForeign = false
  /// Whether the carrier is kept since the file that it belongs to cannot get its attributes.
  public internal(set) var isOrphaned = false
  /// Whether that file is there, but is neither a file nor a directory.
  public internal(set) var isOfSpecialFile = false
  /// What went wrong, in words; the carrier is kept then.
  public internal(set) var failures: [String] = []
  /// Whether the carrier is gone, or would be.
  public internal(set) var isRemoved = false

  /// Whether anything was done, or would be.
  public var isChange: Bool { !written.isEmpty || isRemoved }

  init(_ carrier: MarkCarrier) { self.carrier = carrier }

  /// A carrier without a file that could get its attributes.
  static func left(_ carrier: MarkCarrier, _ document: CarrierFile.Document) -> AdoptionStep {
    var step = AdoptionStep(carrier)
    step.isOrphaned = true
    step.isOfSpecialFile = document == .special
    return step
  }
}
