internal import Glibc
internal import LinuxSystem
internal import TextFormats

/// Lets the user choose one of several lines, with the arrow keys or by its number, on the terminal that
/// is standard input and standard error.
package enum TerminalMenu {
  /// Whether there is such a terminal.
  package static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks the user.
  ///
  /// - Parameters:
  ///   - title: a question, without control characters.
  ///   - lines: not yet escaped.
  /// - Returns: the position of the line; `nil` if the user chose none.
  package static func choose(_ title: String, among lines: [String]) -> Int? {
    if lines.isEmpty { return nil }
    let lines = lines.map { "\(EscapedText($0))" }
    var former = termios()
    let isPlain = unsafe getenv("TERM").map { unsafe String(cString: $0) == "dumb" } ?? true
    guard !isPlain, unsafe tcgetattr(STDIN_FILENO, &former) == 0 else {
      return ask(title, lines)
    }
    // A signal ends the process when the terminal has been put back.
    return EndingSignals.held { signals in
      var raw = former
      // Keys that end or stop the process come as bytes.
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      guard unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { return nil }
      defer { unsafe _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &former) }
      return choose(title, lines, until: signals)
    }
  }

  /// - Parameter signals: a descriptor that becomes readable when a signal has come.
  private static func choose(_ title: String, _ lines: [String], until signals: CInt) -> Int? {
    var state = MenuState(count: lines.count)
    var drawn = 0
    defer { write(erasing(drawn)) }
    while true {
      drawn = draw(title, lines, &state, over: drawn)
      guard let byte = read(until: signals) else { return nil }
      switch state.take(byte, more: { read(until: signals, patience: escapePatience) }) {
      case .stays: continue
      case .chosen(let index): return index
      case .cancelled: return nil
      }
    }
  }

  /// How long the bytes after the first one of a key may take, in milliseconds.
  private static let escapePatience: CInt = 100

  /// By numbers alone, for terminals without cursor control.
  private static func ask(_ title: String, _ lines: [String]) -> Int? {
    for (position, line) in lines.enumerated() { write("\(position + 1)  \(line)\n") }
    write("\(title) ")
    guard let answer = readLine(), let number = Int(answer), 1...lines.count ~= number else {
      return nil
    }
    return number - 1
  }

  private static func erasing(_ drawn: Int) -> String { "\u{1b}[\(drawn)A\r\u{1b}[J" }

  private static func draw(
    _ title: String, _ lines: [String], _ state: inout MenuState, over drawn: Int
  ) -> Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let (columns, rows) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    let shown = state.window(rows: max(1, rows - 2))
    var text = drawn > 0 ? erasing(drawn) : ""
    text += TerminalCells.cut("\(title) \(state.digits)", to: columns - 1) + "\n"
    let width = String(lines.count).count
    for index in shown {
      let number = String(repeating: " ", count: width - String(index + 1).count) + "\(index + 1)"
      let isSelected = index == state.selected
      let line = TerminalCells.cut(
        "\(isSelected ? ">" : " ") \(number)  \(lines[index])", to: columns - 1)
      text += (isSelected ? TerminalStyle.heading.applied(to: line) : line) + "\n"
    }
    write(text)
    return shown.count + 1
  }

  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The next byte; `nil` at the end, where a signal has come, or when the patience ends.
  private static func read(until signals: CInt, patience: CInt = -1) -> UInt8? {
    var wanted = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
    ]
    var count: CInt
    repeat {
      count = unsafe poll(&wanted, nfds_t(wanted.count), patience)
    } while count < 0 && errno == EINTR
    guard count > 0, wanted[1].revents == 0 else { return nil }
    var byte: UInt8 = 0
    return unsafe Glibc.read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }
}

/// What keys do to a menu.
struct MenuState {
  enum Step: Equatable {
    case stays, cancelled
    case chosen(Int)
  }

  let count: Int
  private(set) var selected = 0
  /// The beginning of a number.
  private(set) var digits = ""
  private var top = 0

  init(count: Int) { self.count = count }

  /// Takes a key.
  ///
  /// - Parameter more: gives the bytes after the first, of a key that has several.
  mutating func take(_ byte: UInt8, more: () -> UInt8?) -> Step {
    let typed = digits
    digits = ""
    switch byte {
    case 0x0a, 0x0d:
      guard !typed.isEmpty else { return .chosen(selected) }
      return number(typed).map { .chosen($0 - 1) } ?? .stays
    // Control C, D, G and Z, and q.
    case 0x03, 0x04, 0x07, 0x1a, UInt8(ascii: "q"): return .cancelled
    case UInt8(ascii: "k"), 0x10: move(-1)
    case UInt8(ascii: "j"), 0x0e: move(1)
    case 0x30...0x39:
      guard let number = number(typed + String(Unicode.Scalar(byte))) else { return .stays }
      // No longer number begins so.
      if number * 10 > count { return .chosen(number - 1) }
      (digits, selected) = ("\(number)", number - 1)
    case 0x1b: return escape(more)
    default: break
    }
    return .stays
  }

  private mutating func escape(_ more: () -> UInt8?) -> Step {
    // Nothing follows the escape key alone.
    guard let next = more() else { return .cancelled }
    guard next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { return .cancelled }
    switch more() {
    case UInt8(ascii: "A"): move(-1)
    case UInt8(ascii: "B"): move(1)
    case UInt8(ascii: "H"): selected = 0
    case UInt8(ascii: "F"): selected = count - 1
    case nil: return .cancelled
    default: break
    }
    return .stays
  }

  private func number(_ digits: String) -> Int? {
    Int(digits).flatMap { 1...count ~= $0 ? $0 : nil }
  }

  private mutating func move(_ step: Int) { selected = (selected + step + count) % count }

  /// The lines that are shown, the selected one among them.
  mutating func window(rows: Int) -> Range<Int> {
    if selected < top { top = selected }
    if selected >= top + rows { top = selected - rows + 1 }
    return top..<min(count, top + rows)
  }
}
