public import LinuxSystem
public import Xattr

/// Makes attributes native that files have in the form of another system.
///
/// A carrier is removed only after all it holds stands in attributes of the file, these have been
/// read back, and the disk has them: whatever ends the process, no attribute is lost, and doing it
/// again does the rest.
public struct Adopter: Sendable {
  /// Which value counts where a carrier and the file have different ones, as dot_clean(1) of macOS
  /// calls it.
  public enum Preference: String, CaseIterable, Sendable {
    /// That of the carrier if it was written after the file's content, otherwise that of the file.
    case mostRecent = "mostrecent"
    /// That of the carrier; of several that of the first.
    case carrier = "dotbar"
    /// That of the file.
    case native
  }

  let preference: Preference?
  let keepsCarriers: Bool
  let isDry: Bool

  /// - Parameters:
  ///   - preference: without one, carriers that contradict the file are kept.
  ///   - keepsCarriers: whether they stay where they are.
  ///   - isDry: whether to find out what would be done, and change nothing.
  public init(preference: Preference? = nil, keepsCarriers: Bool = false, isDry: Bool = false) {
    self.preference = preference
    self.keepsCarriers = keepsCarriers
    self.isDry = isDry
  }

  /// Adopts all that stands on a file and beside it.
  ///
  /// - Throws: `XattrError` where nothing of the file can be read.
  public func adopt(_ file: FileReference) throws(XattrError) -> AdoptionReport {
    let place = FilePlace(file)
    var search = CarrierSearch(file, place)
    try search.run()
    return AdoptionReport(steps: merge(search.carriers, to: file, place), flaws: search.flaws)
  }

  /// Adopts what something else, such as an archive, holds of a file.
  public func adopt(_ carriers: [ForeignCarrier], to file: FileReference) -> AdoptionReport {
    let place = carriers.isEmpty ? nil : FilePlace(file)
    return AdoptionReport(steps: merge(carriers, to: file, place), flaws: [])
  }

  private func merge(
    _ carriers: [ForeignCarrier], to file: FileReference, _ place: FilePlace?
  ) -> [AdoptionStep] {
    var merge = AttributeMerge(into: file, place, by: self)
    return carriers.compactMap { carrier in
      // What has to take the place of itself cannot stay beside it.
      if keepsCarriers, case .replacement = carrier.removal { return nil }
      return merge.step(carrier)
    }
  }
}
