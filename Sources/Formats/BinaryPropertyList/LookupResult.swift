/// What was found at the root of a property list.
public struct LookupResult: Sendable {
  /// The kind of the root; where it is no dictionary, all keys are absent.
  public let root: ObjectKind
  /// Whether a key has a string.
  public internal(set) var hasString = false
  /// Whether a key has a value that is no string.
  public internal(set) var hasOther = false
  /// Strings of one byte a unit stand as ASCII, whatever they are.
  var values = InlineArray<8, TapeEntry>(repeating: .none)

  @inline(__always)
  init(root: ObjectKind) {
    self.root = root
  }

  /// The value of a key, by its position among those looked up.
  public subscript(position: Int) -> LookupValue {
    let entry = values[position]
    guard !entry.isNone else { return .absent }
    return range(of: entry).map { .string($0) } ?? .other(entry.kind.objectKind)
  }

  /// Makes the string that a key has, or `nil` where it has none or a value of another kind.
  ///
  /// - Parameter bytes: Those in which the keys were looked up.
  /// - Throws: As ``StringRange/string(in:options:)``.
  public func string(
    _ position: Int, in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> String? {
    let entry = values[position]
    let start = entry.contentOffset
    let count = entry.count
    guard entry.kind == .ascii, start &+ count &+ 8 <= bytes.byteCount,
      bytes.isASCII(at: start, count: count)
    else { return try range(of: entry)?.string(in: bytes, options: options) }
    return bytes.checkedASCIIString(at: start, count: count)
  }

  /// Throws what ``string(_:in:options:)`` would, and makes no string of what is ASCII.
  public func check(
    _ position: Int, in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let entry = values[position]
    let start = entry.contentOffset
    let count = entry.count
    if entry.isNone { return }
    guard entry.kind == .ascii, start &+ count &+ 8 <= bytes.byteCount,
      bytes.isASCII(at: start, count: count)
    else {
      _ = try range(of: entry)?.string(in: bytes, options: options)
      return
    }
  }

  /// Checks the values of all keys, as ``check(_:in:options:)`` does it.
  public func checkAll(
    in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    // Strings that are wanted mostly stand together, and what is between them is ASCII, too.
    var start = Int.max
    var end = 0
    var isNarrow = true
    func extend(over entry: TapeEntry) {
      if entry.isNone { return }
      isNarrow = isNarrow && entry.kind == .ascii
      start = min(start, entry.contentOffset)
      end = max(end, entry.contentOffset &+ entry.count)
    }
    // In a loop, the compiler copies all of them to look at one.
    extend(over: values[0])
    extend(over: values[1])
    extend(over: values[2])
    extend(over: values[3])
    extend(over: values[4])
    extend(over: values[5])
    extend(over: values[6])
    extend(over: values[7])
    if isNarrow, start < end, end &+ 8 <= bytes.byteCount,
      bytes.isASCII(at: start, count: end &- start)
    {
      return
    }
    for position in values.indices { try check(position, in: bytes, options: options) }
  }

  @inline(__always)
  private func range(of entry: TapeEntry) -> StringRange? {
    guard entry.isString, !entry.isNone else { return nil }
    return StringRange(
      offset: entry.contentOffset, unitCount: entry.count,
      encoding: entry.kind == .utf16 ? .utf16 : .narrow)
  }
}
