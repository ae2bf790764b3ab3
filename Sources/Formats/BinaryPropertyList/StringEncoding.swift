/// How the bytes of a string are to be read.
public enum StringEncoding: UInt8, Hashable, Sendable {
  /// A byte a unit, all below 0x80.
  case ascii
  /// A byte a unit, some of them 0x80 or more.
  ///
  /// The format means such strings to be ASCII; old versions of iTunes wrote them, and
  /// CoreFoundation reads them as Latin-1.
  case latin1
  /// Two bytes a unit, the higher first.
  case utf16
  /// A byte a unit, all below 0x80 or not: a lookup leaves that to who makes the string, and so
  /// reads no byte of a text that nobody asks for.
  case narrow
}
