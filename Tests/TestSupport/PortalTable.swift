/// The document portal's database as its permission store writes it: a table of GVDB, with variants.
public enum PortalTable {
  public struct Document {
    let path: String
    let applications: [String: [String]]
    let isDirectory: Bool

    public init(path: String, applications: [String: [String]], isDirectory: Bool) {
      self.path = path
      self.applications = applications
      self.isDirectory = isDirectory
    }
  }

  public static func bytes(_ documents: [Document]) -> [UInt8] {
    let values = documents.map { value($0) }
    let names = documents.indices.map { Array("\(100_000 + $0)".utf8) }
    // The header and the root's table, then the other table.
    let start = 24 + 8 + 24 + 8
    let keys = start + 8 + 24 * documents.count
    var offset = keys + 6 * documents.count
    offset += padding(offset, 8).count
    var table = bytes(0, 4) + bytes(0, 4)
    for (index, value) in values.enumerated() {
      table += item(keys + 6 * index, 6, "v", offset..<(offset + value.count))
      offset += value.count + padding(value.count, 8).count
    }
    let contents = table + names.joined() + padding(keys + 6 * documents.count, 8)
    let root =
      bytes(0, 4) + bytes(0, 4)
      + item(24 + 8 + 24, 4, "H", start..<(start + 8 + 24 * documents.count))
    return Array("GVariant".utf8) + bytes(0, 8) + bytes(24, 4) + bytes(24 + 8 + 24, 4) + root
      + Array("main".utf8) + bytes(0, 4) + contents
      + values.flatMap { $0 + padding($0.count, 8) }
  }

  private static func item(_ key: Int, _ size: Int, _ type: Character, _ value: Range<Int>)
    -> [UInt8]
  {
    bytes(0, 4) + [0xff, 0xff, 0xff, 0xff] + bytes(key, 4) + bytes(size, 2)
      + [type.asciiValue ?? 0, 0] + bytes(value.lowerBound, 4) + bytes(value.upperBound, 4)
  }

  private static func value(_ document: Document) -> [UInt8] {
    var data = Array(document.path.utf8) + [0]
    let end = data.count
    data += padding(data.count, 8) + bytes(1, 8) + bytes(2, 8)
    data += bytes(document.isDirectory ? 4 : 0, 4)
    let variant = framed(data, [end]) + Array("\0(ayttu)".utf8)
    let entries = document.applications.sorted { $0.key < $1.key }.map { name, words in
      let key = Array(name.utf8) + [0]
      return framed(key + array(words.map { Array($0.utf8) + [0] }), [key.count])
    }
    return framed(variant + array(entries), [variant.count]) + Array("\0(va{sas})".utf8)
  }

  private static func array(_ elements: [[UInt8]]) -> [UInt8] {
    var ends: [Int] = []
    for element in elements { ends.append((ends.last ?? 0) + element.count) }
    return framed(Array(elements.joined()), ends)
  }

  /// Adds numbers in as few bytes as the whole allows.
  private static func framed(_ content: [UInt8], _ ends: [Int]) -> [UInt8] {
    let size = content.count + ends.count <= 0xff ? 1 : 2
    return content + ends.flatMap { bytes($0, size) }
  }

  private static func padding(_ count: Int, _ alignment: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: -count & (alignment - 1))
  }

  private static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
