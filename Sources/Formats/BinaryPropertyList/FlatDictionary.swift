/// Writes dictionaries of texts by key without making values of them.
///
/// The bytes are those that ``PropertyList/binary(options:)`` gives for the same entries.
public enum FlatDictionary {
  /// A number of bytes that the property list of the entries does not exceed.
  public static func sizeBound(of entries: Span<FlatEntry>) -> Int {
    var text = 0
    for index in entries.indices {
      text += entries[index].keyLength + entries[index].value.utf8.count
    }
    return FlatWriter.sizeBound(entryCount: entries.count, textLength: text)
  }

  /// Writes the property list of entries into a buffer's beginning.
  ///
  /// - Returns: How many bytes it has.
  /// - Throws: ``EncodingFailure`` for equal keys, and for a buffer that is too small; one of
  ///   ``sizeBound(of:)`` bytes is not.
  public static func write(
    _ entries: Span<FlatEntry>, into buffer: inout MutableRawSpan
  ) throws(EncodingFailure) -> Int {
    try FlatWriter.write(entries, into: &buffer)
  }

  /// The property list of entries.
  ///
  /// - Throws: ``EncodingFailure`` for equal keys.
  public static func bytes(of entries: Span<FlatEntry>) throws(EncodingFailure) -> [UInt8] {
    try FlatWriter.bytes(of: entries)
  }
}
