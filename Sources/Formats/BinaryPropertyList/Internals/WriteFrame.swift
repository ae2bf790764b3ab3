/// A container whose values are being written.
struct WriteFrame {
  /// The values of an array or set.
  let values: [PropertyList]
  /// The entries of a dictionary.
  let entries: [PropertyList.Dictionary.Entry]
  let count: Int
  /// Where the reference to the first value belongs.
  let referencePosition: Int
  /// Which value is next.
  var next = 0

  @inline(__always)
  func value(at position: Int) -> PropertyList {
    entries.isEmpty ? values[position] : entries[position].value
  }

  /// The step to the value that was last begun.
  var step: EncodingFailure.Step {
    entries.isEmpty ? .index(next - 1) : .key(entries[next - 1].key)
  }
}
