import BinaryPropertyList
import CommandLineInterface
import LinuxSystem
import PropertyListText
import TextFormats

/// Property lists of any format: binary ones, XML by docsource-xml, OpenStep's, JSON.
enum PropertyListInput {
  /// The format that bytes seem to have: `binary`, `xml` or `json`.
  static func format(of bytes: [UInt8]) -> String {
    if bytes.starts(with: "bplist".utf8) { return "binary" }
    for utf16 in [[0xff, 0xfe], [0xfe, 0xff], [0x3c, 0x00], [0x00, 0x3c]] as [[UInt8]]
    where bytes.starts(with: utf16) {
      return "xml"
    }
    let text = bytes.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    return text.first == UInt8(ascii: "<") ? "xml" : "json"
  }

  /// As `format(of:)`, or `openstep`, as Xcode writes some lists.
  static func anyFormat(of bytes: [UInt8]) -> String {
    let format = format(of: bytes)
    return format == "json" && OpenStepPropertyListReader.seemsToRead(bytes) ? "openstep" : format
  }

  /// Reads a list; `nil` after reporting why it cannot be read.
  ///
  /// - Parameter name: of the file, for messages.
  static func value(
    of bytes: [UInt8], _ format: String, _ name: ArraySlice<UInt8>, _ console: Console
  ) -> PropertyList? {
    do {
      switch format {
      case "binary": return try PropertyList(binary: bytes)
      case "json": return try JSONPropertyListReader.read(bytes)
      case "openstep": return try OpenStepPropertyListReader.read(bytes)
      default:
        let ending = try CompanionProgram.xml.start(
          [Array("property-list".utf8), Array(name)], input: bytes
        ).wait()
        // A failing docsource-xml has told the reason.
        console.passOn(ending.errors)
        return ending.status == .done ? try PropertyList(binary: ending.output) : nil
      }
    } catch {
      let words = EscapedText("\(error)")
      console.report(name, "cannot read as \(Self.words(for: format)): \(words)")
      return nil
    }
  }

  private static func words(for format: String) -> String {
    switch format {
    case "json": "JSON"
    case "openstep": "an OpenStep property list"
    case "xml": "XML"
    default: "a binary property list"
    }
  }
}
