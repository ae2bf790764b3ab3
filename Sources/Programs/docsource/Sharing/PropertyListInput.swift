import BinaryPropertyList
import CommandLineInterface
import ForeignFormats
import PropertyListText
import TextFormats

/// A property list in one of the three forms that are read.
enum PropertyListForm: String, CaseIterable {
  case json, xml, binary

  /// The form that bytes begin like.
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
    let text = bytes.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    self = text.first == UInt8(ascii: "<") ? .xml : .json
  }

  var name: String {
    switch self {
    case .json: "JSON"
    case .xml: "XML"
    case .binary: "a binary property list"
    }
  }

  /// Reads a list; `nil` after reporting why it cannot be read.
  func value(
    of bytes: [UInt8], _ input: InputFile, _ console: Console
  ) -> PropertyList? {
    do {
      switch self {
      case .binary: return try PropertyList(binary: bytes)
      case .json: return try JSONPropertyListReader.read(bytes)
      case .xml:
        let ending = try CompanionProgram.xml.start(
          [Array("property-list".utf8), Array(input.name)], input: bytes
        ).wait()
        // A failing docsource-xml has told the reason.
        console.passOn(ending.errors)
        return ending.status == .done ? try PropertyList(binary: ending.output) : nil
      }
    } catch {
      console.report(input.name, "cannot read as \(name): \(EscapedText("\(error)"))")
      return nil
    }
  }
}
