/// macOS's mark of files that came from elsewhere, `com.apple.quarantine`.
///
/// It is text: `0083;5fad2a2e;Safari;B59FB9ED-…`. The program that put the file there wrote the
/// mark.
public struct Quarantine: Hashable, Sendable {
  /// What the system does with the file.
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It was downloaded.
    public static let download = Flags(rawValue: 0x01)
    /// A sandboxed application made it.
    public static let sandbox = Flags(rawValue: 0x02)
    /// The user has agreed to open it.
    public static let approved = Flags(rawValue: 0x40)
  }

  public let flags: Flags
  /// Seconds since 1970-01-01T00:00:00Z; `nil` if none is given, which is written as zero.
  public let seconds: Int64?
  /// The name of the program that put the file there.
  public let agent: String?
  /// What macOS's own database of downloads calls it; a UUID.
  public let identifier: String?
  /// The identifier of the program that put the file there: old systems write it after the UUID
  /// and a bar, as in `|org.mozilla.firefox`.
  public let agentIdentifier: String?

  /// Longer than anything that macOS writes.
  public static let limit = 4096

  /// Reads the attribute's value; one NUL after it is passed over.
  ///
  /// - Throws: `MarkFailure`, with the offset of the field that is wrong.
  public init(_ value: [UInt8]) throws(MarkFailure) {
    guard value.count <= Self.limit else { throw MarkFailure(.tooLong, at: Self.limit) }
    let text = MarkText.withoutNUL(value)
    if text.isEmpty { throw MarkFailure(.empty, at: 0) }
    // macOS puts `q/` before what it keeps in memory.
    let body = text.starts(with: "q/".utf8) ? text.dropFirst(2) : text
    // Where fields end: slices of the array would be counted references.
    var ends = InlineArray<3, Int>(repeating: body.endIndex)
    var count = 0
    for position in body.indices where body[position] == UInt8(ascii: ";") {
      guard count < ends.count else { throw MarkFailure(.fieldCount, at: position) }
      ends[count] = position
      count += 1
    }
    guard count >= 2 else { throw MarkFailure(.fieldCount, at: text.endIndex) }
    flags = Flags(rawValue: try Self.number(body[..<ends[0]], digits: 8, .flags))
    let time = body[(ends[0] + 1)..<ends[1]]
    let seconds: UInt64 = try Self.number(time, digits: 16, .time)
    guard let seconds = Int64(exactly: seconds) else {
      throw MarkFailure(.time, at: time.startIndex)
    }
    self.seconds = seconds == 0 ? nil : seconds
    agent = try Self.text(body[(ends[1] + 1)..<ends[2]])
    let last = body[ends[2]...].dropFirst()
    let bar = last.firstIndex(of: UInt8(ascii: "|"))
    identifier = try Self.text(last[..<(bar ?? last.endIndex)])
    agentIdentifier = if let bar { try Self.text(last[(bar + 1)...]) } else { nil }
  }

  private static func number<Number: FixedWidthInteger>(
    _ field: ArraySlice<UInt8>, digits: Int, _ reason: MarkFailure.Reason
  ) throws(MarkFailure) -> Number {
    var number: Number? = (1...digits).contains(field.count) ? 0 : nil
    for byte in field {
      guard let former = number else { break }
      number = MarkText.hexadecimalDigit(byte).map { former << 4 | Number($0) }
    }
    guard let number else { throw MarkFailure(reason, at: field.startIndex) }
    return number
  }

  /// A field of text, in which `Google\x20Chrome` stands for `Google Chrome`.
  private static func text(_ field: ArraySlice<UInt8>) throws(MarkFailure) -> String? {
    if field.isEmpty { return nil }
    if !field.contains(UInt8(ascii: "\\")) { return try MarkText.utf8(field) }
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.dropFirst().prefix(2).compactMap(MarkText.hexadecimalDigit)
      guard digits.count == 2 else { throw MarkFailure(.escape, at: rest.startIndex - 1) }
      bytes.append(digits[0] << 4 | digits[1])
      rest = rest.dropFirst(3)
    }
    _ = try MarkText.utf8(field)
    if bytes.contains(0) { throw MarkFailure(.nul, at: field.startIndex) }
    // An escape made a byte that is no UTF-8; the field's offset is the nearest that is known.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MarkFailure(.notUTF8, at: field.startIndex)
    }
    return text
  }
}
