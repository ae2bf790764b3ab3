/// Makes property lists of all types and widths, each now and then at the edge of what is read.
struct RandomAssembly {
  private var random: SplitMix
  private var assembly = Assembly()

  init(seed: UInt64) {
    random = SplitMix(state: seed)
  }

  mutating func bytes() -> [UInt8] {
    assembly = Assembly()
    var root = object(depth: Int.random(in: 0...5, using: &random))
    if chance(100) { root = nest(root, levels: 505...514) }
    if chance(20) { _ = object(depth: 1) }
    assembly.root = root
    if chance(100) { fill() }
    if chance(3) { shuffle() }
    let isWide = chance(3)
    let extra = (
      reference: isWide ? Int.random(in: 0...7, using: &random) : 0,
      offset: isWide ? Int.random(in: 0...7, using: &random) : 0
    )
    return assembly.bytes(extraWidths: extra, gap: chance(20) ? [0x0f] : [])
  }

  /// Adds an object with all that is in it, and returns its number.
  private mutating func object(depth: Int) -> Int {
    if !assembly.objects.isEmpty, chance(8) {
      return assembly.objects.indices.randomElement(using: &random) ?? 0
    }
    guard depth > 0, assembly.objects.count < 1_000, !chance(3) else { return add(leaf()) }
    // Fifteen of sixteen are of the types that all readers know.
    let marker: UInt8 =
      chance(16) ? (chance(2) ? 0xb0 : 0xc0) : Bool.random(using: &random) ? 0xa0 : 0xd0
    let count = length()
    var keys: [Int] = []
    if marker == 0xd0 { for _ in 0..<count { keys.append(key()) } }
    var values: [Int] = []
    for _ in 0..<count { values.append(object(depth: depth - 1)) }
    return add(marker, count: count, references: keys + values)
  }

  private mutating func nest(_ object: Int, levels: ClosedRange<Int>) -> Int {
    var object = object
    for _ in 0..<Int.random(in: levels, using: &random) {
      object = add(0xa0, count: 1, references: [object])
    }
    return object
  }

  /// Adds as many objects, or as many bytes, as a width of one byte can just name.
  private mutating func fill() {
    if chance(2) {
      while assembly.objects.count < 256 { _ = add(leaf()) }
    } else {
      let length = assembly.objects.reduce(8) { $0 + $1.bytes.count + $1.references.count }
      guard length < 240 else { return }
      let data = [UInt8](repeating: 0, count: 253 - length)
      _ = add([0x4f, 0x10, UInt8(data.count)] + data)
    }
  }

  private mutating func add(_ bytes: [UInt8], references: [Int] = []) -> Int {
    assembly.objects.append(Assembly.Object(bytes: bytes, references: references))
    return assembly.objects.count - 1
  }

  private mutating func add(_ type: UInt8, count: Int, references: [Int]) -> Int {
    let header = header(type, count: count)
    return add(header, references: references)
  }

  /// Marker and count; the count sometimes in an object though it fits, or wider than need be.
  private mutating func header(_ type: UInt8, count: Int) -> [UInt8] {
    guard count >= 15 || chance(30) else { return [type | UInt8(count)] }
    let needed = count > 0xff ? 1 : 0
    let width = chance(10) ? Int.random(in: needed...3, using: &random) : needed
    return [type | 0xf, 0x10 | UInt8(width)] + Assembly.bytes(of: UInt64(count), width: 1 << width)
  }

  private mutating func key() -> Int {
    // Most keys are new, so that few dictionaries have one twice, or in two normal forms.
    if chance(60) {
      return add(chance(2) ? [0x61, 0x00, 0xe9] : [0x62, 0x00, 0x65, 0x03, 0x01])
    }
    if chance(40) { return add(text(length: length())) }
    if chance(300) { return add(leaf()) }
    let name = Array("key\(assembly.objects.count)".utf8)
    return add(header(0x50, count: name.count) + name)
  }

  private mutating func leaf() -> [UInt8] {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return chance(4) ? [0x00] : [0x08]
    case 1: return [0x09]
    case 2...6:
      let width = chance(12) ? 4 : Int.random(in: 0...3, using: &random)
      let edge = UInt64(1) << UInt64.random(in: 0...63, using: &random)
      let low = chance(2) ? edge : edge &- 1
      let high = chance(3) ? low : chance(2) ? 0 : .max
      return [0x10 | UInt8(width)]
        + (width == 4 ? Assembly.bytes(of: high, width: 8) : [])
        + Assembly.bytes(of: low, width: min(8, 1 << width))
    case 7...8: return [0x22] + Assembly.bytes(of: real(of: 4), width: 4)
    case 9...10: return [0x23] + Assembly.bytes(of: real(of: 8), width: 8)
    case 11...12: return [0x33] + Assembly.bytes(of: moment(), width: 8)
    case 13...14:
      let bytes = (0..<length()).map { _ in UInt8.random(in: 0...(.max), using: &random) }
      return header(0x40, count: bytes.count) + bytes
    case 15:
      let width = chance(4) ? Int.random(in: 1...8, using: &random) : 1
      return [0x80 | UInt8(width - 1)]
        + Assembly.bytes(of: .random(in: 0...(.max), using: &random), width: width)
    default: return text(length: length())
    }
  }

  private mutating func real(of width: Int) -> UInt64 {
    if chance(4) { return .random(in: 0...(.max), using: &random) }
    if chance(30) { return width == 4 ? 0x7f80_0001 : 0xfff8_0000_0000_002a }
    let value = Double(Int.random(in: -9_999...9_999, using: &random)) / 8
    return width == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
  }

  private mutating func moment() -> UInt64 {
    if chance(10) { return .random(in: 0...(.max), using: &random) }
    if chance(20) { return (chance(2) ? Double.nan : -.infinity).bitPattern }
    return Double.random(in: -3e9...3e9, using: &random).bitPattern
  }

  private mutating func text(length: Int) -> [UInt8] {
    if chance(50) {
      return header(0x50, count: length)
        + (0..<length).map { _ in .random(in: 0...(.max), using: &random) }
    }
    guard chance(3) else {
      return header(0x50, count: length)
        + (0..<length).map { _ in .random(in: 0...0x7f, using: &random) }
    }
    var units: [UInt16] = []
    for _ in 0..<length {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: units += Array("\u{1f600}".utf16)
      case 1: units += Array("e\u{301}".utf16)
      case 2: units.append(0xe9)
      case 3: units.append(.random(in: 0...0xd7ff, using: &random))
      default: units.append(.random(in: chance(40) ? 0...0xffff : 0x20...0x7e, using: &random))
      }
    }
    return header(0x60, count: units.count)
      + units.flatMap { Assembly.bytes(of: UInt64($0), width: 2) }
  }

  private mutating func length() -> Int {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: Int.random(in: 250...260, using: &random)
    case 1...3: Int.random(in: 13...17, using: &random)
    case 4...6: Int.random(in: 0...40, using: &random)
    default: Int.random(in: 0...4, using: &random)
    }
  }

  /// Puts the objects into another order.
  private mutating func shuffle() {
    let order = assembly.objects.indices.shuffled(using: &random)
    var numbers = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { numbers[old] = new }
    assembly.objects = order.map { old in
      var object = assembly.objects[old]
      object.references = object.references.map { numbers[$0] }
      return object
    }
    assembly.root = numbers[assembly.root]
  }

  /// Whether one of so many cases is met.
  private mutating func chance(_ cases: Int) -> Bool {
    Int.random(in: 0..<cases, using: &random) == 0
  }
}
