internal import DocumentSource
internal import LinuxSystem
internal import TextFormats
internal import Xattr

/// The format of `getfattr --dump`, read as `setfattr --restore` of attr 2.5.1 reads it.
///
/// Each file has a line `# file: ` with its name, a line `name=value` for each attribute, and an
/// empty line. In names, a backslash and three octal digits are a byte. Unlike setfattr, this
/// refuses a file name in the place of an attribute: setfattr would give the attributes that follow
/// to the previous file.
struct Dump {
  private static let lead = Array("# file: ".utf8)

  /// The file whose attributes are being read.
  private var path: FilePath?

  /// Whether the next line, if it says anything, has the name of a file.
  var isBetweenFiles: Bool { path == nil }

  static func append(_ entry: ManifestEntry, to text: inout [UInt8]) {
    text += lead
    append(name: entry.path.bytes, to: &text)
    text.append(UInt8(ascii: "\n"))
    text += SourceAttribute.nativeName.bytes
    text += entry.value.isEmpty ? "=\"\"".utf8 : "=0s".utf8
    Base64.append(entry.value[...], to: &text)
    text += "\n\n".utf8
  }

  /// Escapes everything but printable ASCII, and a space at the end, which mail would remove.
  private static func append(name: ArraySlice<UInt8>, to text: inout [UInt8]) {
    for (position, byte) in zip(name.indices, name) {
      switch byte {
      case UInt8(ascii: "\\"), 0..<0x20, 0x7f...: escape(byte, in: &text)
      case UInt8(ascii: " ") where position == name.endIndex - 1: escape(byte, in: &text)
      default: text.append(byte)
      }
    }
  }

  private static func escape(_ byte: UInt8, in text: inout [UInt8]) {
    let zero = UInt8(ascii: "0")
    text += [UInt8(ascii: "\\"), zero + byte >> 6, zero + byte >> 3 & 7, zero + byte & 7]
  }

  /// Reads the next line; `nil` if it holds no attribute of ours.
  mutating func entry(
    of line: ArraySlice<UInt8>
  ) throws(ManifestFailure.Reason) -> ManifestEntry? {
    guard !line.isEmpty else {
      path = nil
      return nil
    }
    guard let path else {
      guard line.starts(with: Self.lead) else { throw .noFileName }
      // Where the name is refused, the attributes that follow still belong to this file.
      path = FilePath("")
      guard let name = FilePath(bytes: Self.unquoted(line.dropFirst(Self.lead.count))) else {
        throw .badFileName
      }
      path = name
      return nil
    }
    if line.starts(with: Self.lead) { throw .secondFileName }
    let equals = line.firstIndex(of: UInt8(ascii: "=")) ?? line.endIndex
    let name = SourceAttribute.nativeName.bytes
    guard line[..<equals].elementsEqual(name) || Self.unquoted(line[..<equals]).elementsEqual(name)
    else { return nil }
    guard let value = Self.value(of: line[equals...].dropFirst()) else { throw .badEncoding }
    return ManifestEntry(path: path, value: value)
  }

  private static func unquoted(_ name: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = name.firstIndex(of: UInt8(ascii: "\\")) else { return Array(name) }
    var bytes = Array(name[..<first])
    var rest = name[first...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy(isOctal) else {
        bytes.append(byte)
        continue
      }
      bytes.append(octal(digits))
      rest = rest.dropFirst(3)
    }
    return bytes
  }

  /// The bytes of an encoded value; `nil` if the encoding is wrong.
  private static func value(of encoded: ArraySlice<UInt8>) -> [UInt8]? {
    let rest = encoded.dropFirst(2)
    guard encoded.first == UInt8(ascii: "0"), let base = encoded.dropFirst().first else {
      return text(encoded)
    }
    return switch base | 0x20 {
    case UInt8(ascii: "x"): hexadecimal(rest)
    case UInt8(ascii: "s"): base64(rest)
    default: text(encoded)
    }
  }

  private static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var digit: UInt8?
    for byte in text where !isSpace(byte) {
      guard let value = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) else {
        return nil
      }
      if let high = digit {
        bytes.append(high << 4 | value)
        digit = nil
      } else {
        digit = value
      }
    }
    return digit == nil ? bytes : nil
  }

  /// White space may separate groups of four digits, but not stand within one.
  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if let bytes = Base64.bytes(of: text) { return bytes }
    guard text.contains(where: isSpace) else { return nil }
    var digits: [UInt8] = []
    for word in text.split(whereSeparator: isSpace) {
      guard word.count.isMultiple(of: 4) else { return nil }
      digits += word
    }
    return Base64.bytes(of: digits[...])
  }

  /// Text with or without quotes. A backslash escapes another one, a quote, or one to three octal
  /// digits.
  private static func text(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.contains(0) { return nil }
    let quote = UInt8(ascii: "\"")
    var (position, end) = (text.startIndex, text.endIndex)
    if text.count > 1, text.first == quote, text.last == quote {
      position += 1
      end -= 1
    }
    var bytes: [UInt8] = []
    while position < end {
      let byte = text[position]
      position += 1
      // The escaped byte may be the closing quote itself.
      guard byte == UInt8(ascii: "\\"), position < text.endIndex else {
        bytes.append(byte)
        continue
      }
      let digits = text[position...].prefix(3).prefix(while: isOctal)
      if text[position] == quote || text[position] == UInt8(ascii: "\\") {
        bytes.append(text[position])
        position += 1
      } else if !digits.isEmpty {
        bytes.append(octal(digits))
        position += digits.count
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Bits of the first of three digits that do not fit into a byte are dropped.
  private static func octal(_ digits: ArraySlice<UInt8>) -> UInt8 {
    digits.reduce(0) { $0 << 3 | ($1 - UInt8(ascii: "0")) }
  }

  private static func isOctal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte)
  }

  /// By isspace(3) in the C locale.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}
