extension ObjectTable {
  /// How many bytes the property list has.
  package var byteCount: Int { bytes.count }

  /// What there is to know of an object before reading what is in it.
  package func contents(of object: Int) -> ObjectContents {
    let entry = index.tape[object]
    let count = entry.isContainer ? entry.count : 0
    let offset = entry.contentOffset
    return ObjectContents(
      kind: entry.kind.objectKind, isShared: entry.isShared,
      hasDuplicateKeys: entry.isDictionary && entry.isFlawed, count: count, keyOffset: offset,
      valueOffset: entry.isDictionary ? offset + count * index.trailer.referenceWidth : offset)
  }

  /// The object that is a dictionary's key at a position.
  package func key(_ position: Int, of contents: ObjectContents) -> Int {
    precondition(position >= 0 && position < contents.count)
    return reference(position, from: contents.keyOffset)
  }

  /// The object that is a dictionary's value or another container's element at a position.
  package func value(_ position: Int, of contents: ObjectContents) -> Int {
    precondition(position >= 0 && position < contents.count)
    return reference(position, from: contents.valueOffset)
  }

  /// The value at a position of a dictionary without duplicate keys if its key is certain ASCII.
  ///
  /// - Returns: `nil`, too, when there is no such position, or a key that is not ASCII.
  package func value(
    _ position: Int, of contents: ObjectContents, ifKeyIs key: String
  ) -> Int? {
    guard position < contents.count, !contents.hasDuplicateKeys else { return nil }
    guard isASCII(self.key(position, of: contents), key) else { return nil }
    return value(position, of: contents)
  }

  /// Whether an object is a string that is stored as ASCII and has a text.
  @inline(__always)
  package func isASCII(_ object: Int, _ text: String) -> Bool {
    let entry = index.tape[object]
    guard entry.kind == .ascii else { return false }
    return text.readingUTF8 { text in
      text.byteCount == entry.count
        && bytes.reading { bytes in bytes.holds(text, at: entry.contentOffset) }
    }
  }

  /// The text at a position of a dictionary if its key is certain ASCII, as by
  /// ``value(_:of:ifKeyIs:)`` and ``unsharedString(_:)``.
  package func text(_ position: Int, of contents: ObjectContents, ifKeyIs key: String) -> String? {
    guard position < contents.count, !contents.hasDuplicateKeys,
      isASCII(self.key(position, of: contents), key)
    else { return nil }
    return unsharedText(value(position, of: contents))
  }

  /// The text of a string, or `nil` for another object; also for a string of more than
  /// ``smallTextLength`` bytes with several references to it, as each call makes another copy.
  package func unsharedString(_ object: Int) -> String? {
    unsharedText(object)
  }

  @inline(__always)
  private func unsharedText(_ object: Int) -> String? {
    let entry = index.tape[object]
    guard entry.isString else { return nil }
    if entry.isShared {
      let length = entry.kind == .utf16 ? 2 * entry.count : entry.count
      guard length <= Self.smallTextLength else { return nil }
    }
    return bytes.reading { entry.string(in: $0) }
  }

  /// Strings up to here lie inside a `String`.
  package static let smallTextLength = 15

  @inline(__always)
  private func reference(_ position: Int, from offset: Int) -> Int {
    bytes.reading { bytes in
      index.trailer.checkedReference(
        at: offset &+ position &* index.trailer.referenceWidth, in: bytes)
    }
  }
}
