/// What a table keeps, in one place: a table of several words would be copied, and what it refers
/// to retained, for nearly every call across modules.
final class TableStorage: Sendable {
  let bytes: [UInt8]
  let index: ObjectIndex

  init(_ bytes: consuming [UInt8], _ index: consuming ObjectIndex) {
    self.bytes = bytes
    self.index = index
  }
}
