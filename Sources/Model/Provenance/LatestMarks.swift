internal import LinuxSystem
internal import Xattr

/// The attributes of a file that are marks. Most files of a tree have attributes of the same names as the one
/// before, so that each thread keeps this from file to file.
package struct LatestMarks: Sendable {
  struct Attribute: Hashable {
    let name: AttributeName
    let kind: MarkKind
    let carrier: MarkCarrier
  }

  /// In the order in which they count.
  private(set) var attributes: [Attribute] = []
  /// Whether the file has a record of who was seen writing it.
  private(set) var isWitnessed = false
  private var list: [UInt8] = []

  package init() {}

  /// - Parameters:
  ///   - list: the names of all attributes as the kernel lists them, each followed by a NUL.
  ///   - keeps: which marks are left out, the same for all files.
  /// - Returns: `false` if the names are not all that tells of marks, beside a file that has nothing beside it.
  mutating func update(_ list: UnsafeRawBufferPointer, keeping keeps: (MarkKind) -> Bool) -> Bool {
    let isLatest = unsafe self.list.withUnsafeBytes { unsafe $0.hasSameBytes(as: list) }
    if isLatest { return true }
    let list = unsafe Array(list)
    guard let found = PossibleCarriers.attributes(listed: list) else { return false }
    attributes = found.attributes.compactMap { name, foreignName in
      guard let kind = foreignName.kind, !keeps(kind) else { return nil }
      let carrier = MarkCarrier(form: foreignName.style.form, name: Array(name.bytes))
      return Attribute(name: name, kind: kind, carrier: carrier)
    }
    isWitnessed = found.isWitnessed
    self.list = list
    return true
  }
}
