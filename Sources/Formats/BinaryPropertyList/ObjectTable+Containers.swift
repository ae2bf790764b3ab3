extension ObjectTable {
  /// How many elements an array or set has, or pairs a dictionary; 0 for what is no container.
  public func count(of object: Int) -> Int {
    let entry = index.tape[object]
    return entry.isContainer ? entry.count : 0
  }

  /// The objects in an array or set, in order; none for what is neither.
  public func elements(of object: Int) -> ObjectReferences {
    let entry = index.tape[object]
    let count = entry.isContainer && entry.kind != .dictionary ? entry.count : 0
    return ObjectReferences(table: self, offset: entry.contentOffset, count: count)
  }

  /// The objects that are a dictionary's keys, in the order of ``values(of:)``; none for another.
  ///
  /// With ``DecodingOptions/keepsFirstOfDuplicateKeys`` equal keys may be among them.
  public func keys(of object: Int) -> ObjectReferences {
    let entry = index.tape[object]
    let count = entry.kind == .dictionary ? entry.count : 0
    return ObjectReferences(table: self, offset: entry.contentOffset, count: count)
  }

  /// The objects that are a dictionary's values; none for what is no dictionary.
  public func values(of object: Int) -> ObjectReferences {
    let entry = index.tape[object]
    let count = entry.kind == .dictionary ? entry.count : 0
    return ObjectReferences(
      table: self, offset: entry.contentOffset + count * index.trailer.referenceWidth,
      count: count)
  }

  /// Whether a dictionary has equal keys; only with
  /// ``DecodingOptions/keepsFirstOfDuplicateKeys`` can it.
  public func hasDuplicateKeys(_ object: Int) -> Bool {
    index.tape[object].kind == .dictionary && index.tape[object].isFlawed
  }

  /// The object that a dictionary has for a key, the first of several; `nil` when it has none.
  ///
  /// It looks through all keys: for many of a big dictionary, make one of your own.
  public func value(forKey key: String, in object: Int) -> Int? {
    let position = keys(of: object).firstIndex { candidate in
      let entry = index.tape[candidate]
      return bytes.reading { bytes in
        guard entry.kind == .ascii else { return entry.string(in: bytes).hasSameBytes(as: key) }
        return key.readingUTF8 { key in
          key.hasSameBytes(as: bytes.extracting(entry.contentRange))
        }
      }
    }
    return position.map { values(of: object)[$0] }
  }
}
