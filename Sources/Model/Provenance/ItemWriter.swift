internal import DocumentSource
public import LinuxSystem
public import ShareItem
public import Xattr

/// Writes what a share item says onto files: into an attribute of its own, and into those that other
/// programs of the desktop read.
public struct ItemWriter: Sendable {
  private let overwrites: Bool
  private let isDry: Bool
  private let values: [(name: String, bytes: [UInt8])]

  /// What of the item the attributes cannot hold.
  public let losses: [ItemFlaw]

  /// - Parameters:
  ///   - overwrites: whether to put values in the place of others.
  ///   - isDry: whether to find out what would be done or fail, and write nothing.
  /// - Throws: `ItemFailure` for an item that other programs could not read.
  public init(
    _ item: ShareItem, contentText place: ShareItem.ContentTextNote = .description,
    includesMediaType: Bool = false, overwrites: Bool = false, isDry: Bool = false
  ) throws(ItemFailure) {
    self.overwrites = overwrites
    self.isDry = isDry
    let mark = try item.mark()
    let (notes, losses) = item.notes(
      contentText: place, includesMediaType: includesMediaType)
    var values: [(name: String, bytes: [UInt8])] = []
    if !mark.bytes.isEmpty { values.append((ShareItem.attributeName, mark.bytes)) }
    values += notes.map { ($0.name, Array($0.value.utf8)) }
    self.values = values
    var known = Set<ItemFlaw>()
    self.losses = (mark.losses + losses).filter { known.insert($0).inserted }
  }

  /// Whether there is nothing to write.
  public var isEmpty: Bool { values.isEmpty }

  /// Writes the attributes of one file.
  ///
  /// - Returns: a step for each of them.
  public func apply(to file: FileReference) throws(XattrError) -> [EmissionStep] {
    let held = FileReference.held(try file.held())
    let preflight = AttributePreflight(of: held)
    return values.map { value in
      EmissionStep.write(
        value.bytes, "user." + value.name, of: held, overwrites: overwrites,
        preflight: isDry ? preflight : nil)
    }
  }

  /// Records the app that handed an item over as the source of one file.
  ///
  /// - Parameter identifier: the app's; only a link has one.
  /// - Returns: `nil` if neither identifier nor name is given.
  public func recordSource(
    identifier: String?, name: String?, of file: FileReference
  ) -> EmissionStep? {
    var change = SourceChange(base: .existing)
    change.identifier = identifier.map { .set($0) } ?? .keep
    change.name = name.map { .set($0) } ?? .keep
    guard !change.isEmpty else { return nil }
    let attribute = DocumentSourceAttribute(of: file)
    let outcome: EmissionStep.Outcome
    do throws(DocumentSourceError) {
      outcome = try carryOut(change, attribute)
    } catch {
      outcome = .failed(error.reason)
    }
    return EmissionStep(target: Array(SourceAttribute.nativeName.bytes), outcome: outcome)
  }

  private func carryOut(
    _ change: SourceChange, _ attribute: DocumentSourceAttribute
  ) throws(DocumentSourceError) -> EmissionStep.Outcome {
    let prepared: PreparedChange
    do throws(RefusedValue) {
      prepared = try PreparedChange(change)
    } catch {
      return .failed("\(error.field.key): \(error.reason)")
    }
    if case .source(let source, _) = try attribute.read().content {
      let isOther = DocumentSource.Field.allCases.contains { field in
        guard case .set(let value) = change[field] else { return false }
        guard let former = source[field] else { return true }
        return field == .identifier ? value.lowercased() != former.lowercased() : value != former
      }
      if !isOther { return .unchanged }
      if !overwrites { return .refused }
    }
    let plan = try attribute.plan(prepared)
    if isDry { try attribute.preflight(plan) } else { try attribute.write(plan) }
    return plan.isUnchanged ? .unchanged : .written
  }
}
