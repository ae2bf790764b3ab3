/// The objects that a container refers to, in order.
public struct ObjectReferences: RandomAccessCollection, Sendable {
  private let bytes: [UInt8]
  private let trailer: Trailer
  private let offset: Int
  /// How many there are.
  public let count: Int

  init(table: ObjectTable, offset: Int, count: Int) {
    bytes = table.bytes
    trailer = table.index.trailer
    self.offset = offset
    self.count = count
  }

  /// The position of the first.
  public var startIndex: Int { 0 }

  /// The position behind the last.
  public var endIndex: Int { count }

  /// The number of the object at a position.
  public subscript(position: Int) -> Int {
    precondition(position >= 0 && position < count, "position outside the container")
    // The table checked that it is the number of an object.
    return bytes.reading { bytes in
      trailer.checkedReference(at: offset + position * trailer.referenceWidth, in: bytes)
    }
  }
}
