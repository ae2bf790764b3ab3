internal import TextFormats

/// The picture of a contact, in a vCard of version 4.0 (RFC 6350).
package enum ContactCard {
  /// Why a file cannot get a picture.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// RFC 6350, section 3.2: the most bytes of a line.
  private static let width = 75

  /// The file with a picture in the place of the one that it had; all other lines stay as they are.
  ///
  /// - Parameters:
  ///   - card: has one contact.
  ///   - mediaType: of the picture; what would be more than a media type in its line is refused.
  package static func card(
    _ card: [UInt8], photo: [UInt8], mediaType: String
  ) throws(Failure) -> [UInt8] {
    guard let mediaType = MediaType.withoutParameters(mediaType) else {
      throw Failure(description: "'\(EscapedText(mediaType))' is not a media type")
    }
    var begins = 0
    var ends: [Range<Int>] = []
    var hasVersion = false
    var former: Int?
    for line in Lines(card) {
      let text = bare(card[line])
      if isWord(text, "BEGIN:VCARD") { begins += 1 }
      if isWord(text, "END:VCARD"), ends.count < 2 { ends.append(line) }
      if isWord(text, "VERSION:4.0") { hasVersion = true }
      if former == nil, isPhoto(card[line]) { former = line.lowerBound }
    }
    guard begins == 1, let end = ends.first, ends.count == 1 else {
      throw Failure(description: "it must have one contact, from BEGIN:VCARD to END:VCARD")
    }
    guard hasVersion else { throw Failure(description: "it is not a vCard of version 4.0") }
    let ending = card[end].suffix(2) == [0x0d, 0x0a] ? [0x0d, 0x0a] : [UInt8(0x0a)]
    let property = Array("PHOTO:data:\(mediaType);base64,\(Base64.text(of: photo[...]))".utf8)
    let new = folded(property, ending)
    let place = former ?? end.lowerBound
    var changed: [UInt8] = []
    changed.reserveCapacity(card.count + new.count)
    for line in Lines(card) {
      if line.lowerBound == place { changed += new }
      if !isPhoto(card[line]) { changed += card[line] }
    }
    return changed
  }

  /// The lines with their ends, those that go on in the next ones joined with these. One is found at
  /// a time: a list of them would take many times the memory of a file of empty lines.
  private struct Lines: Sequence, IteratorProtocol {
    private let card: [UInt8]
    private var position = 0

    init(_ card: [UInt8]) { self.card = card }

    mutating func next() -> Range<Int>? {
      let start = position
      repeat {
        position = card[position...].firstIndex(of: 0x0a).map { $0 + 1 } ?? card.count
      } while position < card.count && (card[position] == 0x20 || card[position] == 0x09)
      return start < card.count ? start..<position : nil
    }
  }

  private static func bare(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while let last = line.last, [0x0d, 0x0a, 0x20].contains(last) { line.removeLast() }
    return line
  }

  /// Whether bytes are a word in capital letters, whatever their case.
  private static func isWord(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
    bytes.count == word.utf8.count
      && zip(bytes, word.utf8).allSatisfy { byte, wanted in
        (0x61...0x7a).contains(byte) ? byte - 0x20 == wanted : byte == wanted
      }
  }

  private static func isPhoto(_ line: ArraySlice<UInt8>) -> Bool {
    // A name may have a group in front of it.
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    let start = name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? name.startIndex
    return isWord(name[start...], "PHOTO")
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
