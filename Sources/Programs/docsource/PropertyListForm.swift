import BinaryPropertyList
import CommandLineInterface
import JSONPropertyList
import LinuxSystem
import PropertyListText
import TextFormats

/// A form of property lists that is read.
enum PropertyListForm: String {
  case json, xml, binary
  /// As Xcode writes some lists.
  case openStep = "openstep"

  /// What can stand before a list in text: blanks, and the mark of the byte order.
  static let blanks: [UInt8] = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]

  /// The form that bytes begin like, but for OpenStep's.
  init(of bytes: [UInt8]) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    for utf16 in [[0xff, 0xfe], [0xfe, 0xff], [0x3c, 0x00], [0x00, 0x3c]] as [[UInt8]]
    where bytes.starts(with: utf16) {
      self = .xml
      return
    }
    let text = bytes.drop(while: Self.blanks.contains)
    self = text.first == UInt8(ascii: "<") ? .xml : .json
  }

  /// The form that bytes begin like.
  init(ofAny bytes: [UInt8]) {
    self.init(of: bytes)
    if self == .json, OpenStepPropertyListReader.seemsToRead(bytes) { self = .openStep }
  }

  private var words: String {
    switch self {
    case .json: "JSON"
    case .xml: "an XML property list"
    case .binary: "a binary property list"
    case .openStep: "an OpenStep property list"
    }
  }

  /// Reads a list; `nil` after reporting why it cannot be read.
  ///
  /// - Parameter name: of the file, for messages.
  func value(
    of bytes: [UInt8], _ name: ArraySlice<UInt8>, _ console: Console
  ) -> PropertyList? {
    do {
      switch self {
      case .binary: return try PropertyList(binary: bytes)
      case .json: return try JSONPropertyListReader.read(bytes)
      case .openStep: return try OpenStepPropertyListReader.read(bytes)
      case .xml: return try XMLPropertyListReader.read(bytes)
      }
    } catch {
      console.fail(name, "cannot read as \(words): \(error)")
      return nil
    }
  }

  /// Reads a list; `nil` if it cannot be read, for whatever reason.
  func value(of bytes: [UInt8]) -> PropertyList? {
    switch self {
    case .binary: try? PropertyList(binary: bytes)
    case .json: try? JSONPropertyListReader.read(bytes)
    case .openStep: try? OpenStepPropertyListReader.read(bytes)
    case .xml: try? XMLPropertyListReader.read(bytes)
    }
  }

  /// A list in the form that it begins like; `nil` if it cannot be read.
  @Sendable static func list(_ bytes: [UInt8]) -> PropertyList? { Self(of: bytes).value(of: bytes) }
}
