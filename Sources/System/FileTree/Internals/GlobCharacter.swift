/// What one `?` of a pattern stands for: a scalar, or a byte that is part of none.
struct GlobCharacter: Hashable, Comparable {
  /// A scalar's value; a byte's is behind those of all scalars.
  private let value: UInt32

  private static let firstByte: UInt32 = 0x110000

  private init(value: UInt32) { self.value = value }

  private init(_ scalar: Unicode.Scalar) { value = scalar.value }

  /// Takes the first character of bytes of which there is at least one.
  @inline(__always)
  init(takenFrom bytes: inout ArraySlice<UInt8>) {
    let first = bytes.removeFirst()
    self = first < 0x80 ? GlobCharacter(value: UInt32(first)) : Self.wide(first, &bytes)
  }

  /// By table 3-7 of the Unicode standard: the shortest form only, and no surrogates.
  @inline(never)
  private static func wide(_ first: UInt8, _ rest: inout ArraySlice<UInt8>) -> GlobCharacter {
    let invalid = GlobCharacter(value: firstByte + UInt32(first))
    let (count, second): (Int, ClosedRange<UInt8>)
    switch first {
    case 0xc2...0xdf: (count, second) = (1, 0x80...0xbf)
    case 0xe0: (count, second) = (2, 0xa0...0xbf)
    case 0xed: (count, second) = (2, 0x80...0x9f)
    case 0xe1...0xef: (count, second) = (2, 0x80...0xbf)
    case 0xf0: (count, second) = (3, 0x90...0xbf)
    case 0xf1...0xf3: (count, second) = (3, 0x80...0xbf)
    case 0xf4: (count, second) = (3, 0x80...0x8f)
    default: return invalid
    }
    let tail = rest.prefix(count)
    guard tail.count == count, let next = tail.first, second.contains(next),
      tail.allSatisfy({ $0 & 0xc0 == 0x80 })
    else { return invalid }
    rest.removeFirst(count)
    let lead = UInt32(first) & (0x3f >> UInt32(count))
    return GlobCharacter(value: tail.reduce(lead) { $0 << 6 | UInt32($1 & 0x3f) })
  }

  static func < (left: GlobCharacter, right: GlobCharacter) -> Bool { left.value < right.value }

  /// The same for all characters that differ in case only, final sigma and Kelvin sign included.
  var folded: GlobCharacter { uppercased.lowercased }

  var lowercased: GlobCharacter {
    if value < 0x80 { return 0x41...0x5a ~= value ? GlobCharacter(value: value | 0x20) : self }
    return mapped(\.lowercaseMapping)
  }

  var uppercased: GlobCharacter {
    if value < 0x80 { return 0x61...0x7a ~= value ? GlobCharacter(value: value & ~0x20) : self }
    return mapped(\.uppercaseMapping)
  }

  /// Itself where the mapping makes more than one scalar of it.
  private func mapped(_ mapping: (Unicode.Scalar.Properties) -> String) -> GlobCharacter {
    guard let scalar = Unicode.Scalar(value) else { return self }
    let scalars = mapping(scalar.properties).unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return self }
    return GlobCharacter(first)
  }
}

extension GlobCharacter: ExpressibleByUnicodeScalarLiteral {
  init(unicodeScalarLiteral scalar: Unicode.Scalar) { self.init(scalar) }
}
