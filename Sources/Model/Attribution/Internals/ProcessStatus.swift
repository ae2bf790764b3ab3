/// The content of /proc/PID/stat, as far as it counts here; see proc(5).
struct ProcessStatus {
  let command: [UInt8]
  let parent: Int32
  let session: Int32
  let hasTerminal: Bool
  let startTime: UInt64

  /// - Returns: `nil` for text of another form.
  init?(_ text: [UInt8]) {
    // The name may have parentheses and spaces of its own.
    guard let open = text.firstIndex(of: UInt8(ascii: "(")),
      let close = text.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    let fields = text[(close + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    func number<Number: FixedWidthInteger>(_ position: Int) -> Number? {
      // Its numbers count from 1, and two are before these.
      let index = position - 3
      guard fields.indices.contains(index) else { return nil }
      return Number(String(decoding: fields[index], as: UTF8.self))
    }
    guard let parent: Int32 = number(4), let session: Int32 = number(6),
      let terminal: Int32 = number(7), let startTime: UInt64 = number(22)
    else { return nil }
    command = Array(text[(open + 1)..<close])
    self.parent = parent
    self.session = session
    hasTerminal = terminal != 0
    self.startTime = startTime
  }
}
