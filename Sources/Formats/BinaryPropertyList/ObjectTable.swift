/// The objects of a binary property list by number, checked, without a tree made of them.
///
/// Making the table checks everything: each object's bounds, each reference, that keys are strings
/// and differ, that nothing contains itself or is nested too deep. Reading an object afterwards
/// cannot fail. Objects that are shared stay so. Time and memory are linear in the bytes: 16 bytes
/// an object, and 8 more while dictionaries of more than eight keys are checked.
///
/// Objects have the numbers of the offset table, from 0 to ``count``; asking for one outside is a
/// mistake of the caller and traps.
public struct ObjectTable: Sendable {
  private let storage: TableStorage

  /// Checks a property list and keeps it.
  public init(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let index = try bytes.reading { bytes throws(DecodingFailure) in
      try ObjectIndex(of: bytes, options: options)
    }
    storage = TableStorage(bytes, index)
  }

  /// Checks a property list and keeps a copy of it.
  public init(
    copying bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let index = try ObjectIndex(of: bytes, options: options)
    storage = unsafe bytes.withUnsafeBytes { bytes in
      unsafe TableStorage([UInt8](copying: bytes, count: bytes.count), index)
    }
  }

  /// The property list.
  public var bytes: [UInt8] {
    @inline(__always) _read { yield storage.bytes }
  }

  var index: ObjectIndex {
    @inline(__always) _read { yield storage.index }
  }

  /// How many objects there are.
  public var count: Int { index.tape.count }

  /// The number of the object that is the property list's value.
  public var root: Int { index.trailer.root }

  /// What an object is.
  public func kind(of object: Int) -> ObjectKind {
    index.tape[object].kind.objectKind
  }

  /// Where an object begins.
  public func offset(of object: Int) -> Int {
    index.tape[object].offset
  }

  /// How many levels of containers there are from an object down; 0 for one that is no container.
  public func height(of object: Int) -> Int {
    index.tape[object].isContainer ? index.tape[object].height : 0
  }

  /// Whether containers refer to an object more than once.
  public func isShared(_ object: Int) -> Bool {
    index.tape[object].isShared
  }
}
