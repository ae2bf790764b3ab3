internal import LinuxSystem

/// The list that Netatalk keeps of a file's attributes: `NAME::EA`, beside `NAME::EA::ATTRIBUTE` for
/// each of them.
///
/// It is `adEA`, the version and the count of two bytes each, and for each attribute the size of its
/// value in four bytes and its name, ended by a NUL; all numbers begin with the highest byte.
struct NetatalkIndex {
  private static let head = Array("adEA".utf8) + [0, 1]
  private static let sizeLength = 4
  /// More than the attributes' names that any system stores of a file.
  fileprivate static let limit = 1 << 20

  /// Size, name and NUL of each attribute.
  private var entries: [ArraySlice<UInt8>] = []

  /// - Returns: `nil` if the bytes are no such list.
  init?(_ bytes: [UInt8]) {
    let start = Self.head.count + 2
    guard bytes.count >= start, bytes.starts(with: Self.head) else { return nil }
    let count = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
    var rest = bytes[start...]
    for _ in 0..<count {
      guard let end = rest.dropFirst(Self.sizeLength).firstIndex(of: 0) else { return nil }
      entries.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    // What is not understood would be lost.
    guard rest.isEmpty else { return nil }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Takes an attribute out.
  ///
  /// - Returns: whether it was in the list.
  mutating func remove(_ name: ArraySlice<UInt8>) -> Bool {
    let count = entries.count
    entries.removeAll { $0.dropFirst(Self.sizeLength).dropLast().elementsEqual(name) }
    return entries.count < count
  }

  var encoded: [UInt8] {
    Self.head + [UInt8(entries.count >> 8), UInt8(entries.count & 0xff)] + entries.joined()
  }
}

extension FilePlace {
  /// Takes an attribute whose file is gone out of Netatalk's list, which goes with the last one:
  /// Netatalk would tell a Mac of attributes that it cannot read.
  ///
  /// - Parameter components: the names that lead to a file that was removed.
  func updateNetatalkIndex(of components: [[UInt8]]) throws(Errno) {
    guard let file = components.last,
      components.dropLast().last == PossibleCarriers.netatalkFolder
    else { return }
    let stem = (isDirectory ? PossibleCarriers.netatalkParent : name) + Array("::EA".utf8)
    let prefix = stem + Array("::".utf8)
    guard file.starts(with: prefix) else { return }
    let path = Array(components.dropLast()) + [stem]
    guard let index = try neighbour(path), index.length <= NetatalkIndex.limit,
      trust(index) != .foreign,
      var list = NetatalkIndex(try index.bytes(0..<index.length)),
      list.remove(file[prefix.count...])
    else { return }
    if list.isEmpty {
      _ = try remove(NeighbourPath(components: path, version: index.version, firstFolder: nil))
    } else {
      try write(list.encoded, to: path, replacing: index)
    }
  }
}
