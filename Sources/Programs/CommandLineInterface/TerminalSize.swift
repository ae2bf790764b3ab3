internal import Glibc

/// How large a terminal is.
public struct TerminalSize: Sendable {
  public let columns: Int
  public let rows: Int
  /// A character's width and height in pixels, where the terminal tells.
  public let cell: (width: Int, height: Int)?

  /// The corresponding C function is ioctl(2) with TIOCGWINSZ.
  ///
  /// - Returns: `nil` where it is no terminal, or one that does not know its size.
  public init?(of stream: OutputStream) { self.init(ofDescriptor: stream.descriptor) }

  init?(ofDescriptor descriptor: CInt) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return nil }
    columns = Int(size.ws_col)
    rows = Int(size.ws_row)
    let width = Int(size.ws_xpixel) / columns
    let height = Int(size.ws_ypixel) / rows
    cell = width > 0 && height > 0 ? (width, height) : nil
  }
}
