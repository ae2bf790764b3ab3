internal import TextFormats

/// The picture of a contact, in a vCard of version 4.0 (RFC 6350).
public enum ContactCard {
  /// Why a file cannot get a picture.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// RFC 6350, section 3.2: the most bytes of a line.
  private static let width = 75

  /// The file with a picture in the place of the one that it had; all other lines stay as they are.
  ///
  /// - Parameters:
  ///   - card: has one contact.
  ///   - mediaType: of the picture; what would be more than a media type in its line is refused.
  public static func card(
    _ card: [UInt8], photo: [UInt8], mediaType: String
  ) throws(Failure) -> [UInt8] {
    guard let mediaType = MediaType.withoutParameters(mediaType) else {
      throw Failure(description: "'\(EscapedText(mediaType))' is not a media type")
    }
    var lines = lines(of: card)
    func indices(_ text: String) -> [Int] {
      lines.indices.filter { String(decoding: bare(lines[$0]), as: UTF8.self).uppercased() == text }
    }
    let ends = indices("END:VCARD")
    guard indices("BEGIN:VCARD").count == 1, let end = ends.first, ends.count == 1 else {
      throw Failure(description: "it must have one contact, from BEGIN:VCARD to END:VCARD")
    }
    guard !indices("VERSION:4.0").isEmpty else {
      throw Failure(description: "it is not a vCard of version 4.0")
    }
    let ending = lines[end].suffix(2) == [0x0d, 0x0a] ? [0x0d, 0x0a] : [UInt8(0x0a)]
    let property = Array("PHOTO:data:\(mediaType);base64,\(Base64.text(of: photo[...]))".utf8)
    let new = folded(property, ending)
    let former = lines.indices.filter { isPhoto(lines[$0]) }
    for index in former { lines[index] = [] }
    let place = former.first ?? end
    lines[place] = former.isEmpty ? new + lines[place] : new
    return lines.flatMap(\.self)
  }

  /// The lines with their ends, those that go on in the next ones joined with these.
  private static func lines(of card: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for physical in card.split(separator: 0x0a, omittingEmptySubsequences: false) {
      if let first = physical.first, first == 0x20 || first == 0x09, !lines.isEmpty {
        lines[lines.count - 1] += physical + [0x0a]
      } else {
        lines.append(Array(physical) + [0x0a])
      }
    }
    // What stands behind the last end of a line is none.
    if lines.last == [0x0a] {
      lines.removeLast()
    } else if let last = lines.indices.last {
      lines[last].removeLast()
    }
    return lines
  }

  private static func bare(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    while let last = line.last, [0x0d, 0x0a, 0x20].contains(last) { line.removeLast() }
    return line
  }

  private static func isPhoto(_ line: [UInt8]) -> Bool {
    // A name may have a group in front of it.
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    let last = name.split(separator: UInt8(ascii: ".")).last ?? []
    return String(decoding: last, as: UTF8.self).uppercased() == "PHOTO"
  }

  private static func folded(_ property: [UInt8], _ ending: [UInt8]) -> [UInt8] {
    var result = Array(property.prefix(width))
    var rest = property.dropFirst(width)
    while !rest.isEmpty {
      result += ending + [0x20] + rest.prefix(width - 1)
      rest = rest.dropFirst(width - 1)
    }
    return result + ending
  }
}
