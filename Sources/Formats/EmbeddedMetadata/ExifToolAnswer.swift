public import ForeignFormats
internal import JSON

/// What exiftool says of a file.
public enum ExifToolAnswer {
  /// The arguments for a question, before the path: tags of programs and devices, with their groups, and
  /// what has parts as such.
  public static let arguments =
    ["-json", "-G1", "-struct"]
    + [
      "Generator", "XML:Application", "FlashPix:Software", "AppVersion", "PDF:Creator",
      "PDF:Producer", "Software", "CreatorTool", "Make", "Model", "History", "WritingApp",
      "MuxingApp", "Encoder", "EncodedBy", "EncoderSettings", "Claim_generator",
      "Claim_generator_info", "Actions", "Comment",
    ].map { "-\($0)" }

  /// The longest text, in scalars of Unicode; no name of a program is longer. With the steps of a history, an answer has less than 100 KiB.
  private static let textLimit = 200
  /// The most steps of a history; the last ones count.
  private static let historyLimit = 32

  /// There is no answer: exiftool could not open the file.
  public struct Missing: Error, Hashable, Sendable {}

  /// What an answer says of programs and devices; `nil` if that is nothing.
  ///
  /// - Throws: `Missing` for what is no answer.
  public static func origin(_ answer: [UInt8]) throws(Missing) -> EmbeddedOrigin? {
    guard let document = try? JSONValue.parse(quoted(answer)[...], .nul),
      let tags = document.elements.first(where: { $0.isObject })
    else { throw Missing() }
    return Reading(tags).origin
  }

  /// The answer with its numbers as strings: 2.10 is no 2.1. exiftool writes what looks like a number
  /// as one.
  static func quoted(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + 64)
    var (isString, isEscaped, isNumber) = (false, false, false)
    let quote = UInt8(ascii: "\"")
    for byte in json {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == quote {
          isString = false
        }
        result.append(byte)
        continue
      }
      let isDigit = (0x30...0x39).contains(byte)
      if isNumber, !isDigit, !"+-.eE".utf8.contains(byte) {
        isNumber = false
        result.append(quote)
      } else if !isNumber, isDigit || byte == UInt8(ascii: "-") {
        isNumber = true
        result.append(quote)
      }
      isString = byte == quote
      result.append(byte)
    }
    return result
  }

  /// The tags of a file, by their groups and names.
  private struct Reading {
    private let tags: [(key: String, value: JSONValue)]

    init(_ tags: JSONValue) { self.tags = tags.members.filter { Self.isOfFile($0.key) } }

    /// Whether a tag says something of the file. Other data may have the same names: in a list of parts,
    /// the model is that of a part; of XML, only what Office writes counts.
    private static func isOfFile(_ key: String) -> Bool {
      switch group(of: key) {
      case "JSON", "PLIST": false
      case "XML": ["Application", "AppVersion"].contains(name(of: key))
      default: true
      }
    }

    var origin: EmbeddedOrigin? {
      let (device, history) = (device, history)
      let last = history.last { $0.step.program != nil }
      let program = program ?? last.flatMap { last in last.step.program.map { (last.tag, $0) } }
      let tag = program?.tag ?? device?.tag ?? history.first?.tag
      return tag.flatMap(Self.clipped).map {
        EmbeddedOrigin(
          tag: $0, program: program?.text, device: device?.text, history: history.map(\.step))
      }
    }

    private typealias Found = (tag: String, text: String)

    /// The first that is there, from the most certain on: what the program that wrote the file last
    /// leaves before what an earlier one may have left.
    private var program: Found? {
      named("Generator") ?? office ?? document ?? ownName("Software", except: "FlashPix")
        ?? ownName("CreatorTool") ?? named("WritingApp") ?? named("MuxingApp") ?? encoder
        ?? generator ?? comment
    }

    private var office: Found? {
      guard let found = named("Application", in: "XML") ?? named("Software", in: "FlashPix") else {
        return nil
      }
      guard EmbeddedOrigin.Program(found.text).version == nil, let version = named("AppVersion")
      else { return found }
      return (found.tag, "\(found.text) \(version.text)")
    }

    /// The parts of LibreOffice that call themselves a document's creator.
    private static let parts: Set = ["Writer", "Calc", "Impress", "Draw", "Math"]

    private var document: Found? {
      let producer = named("Producer", in: "PDF")
      guard let creator = named("Creator", in: "PDF") else { return producer }
      return Self.parts.contains(creator.text) ? producer ?? creator : creator
    }

    /// A program by its own name: a device has its software's version or its own name there.
    private func ownName(_ name: String, except group: String = "") -> Found? {
      guard let found = named(name, except: group) else { return nil }
      let isVersion = found.text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
      let isOfDevice = named("Model").map { model in
        found.text.lowercased().hasPrefix(model.text.lowercased())
      }
      return isVersion || isOfDevice ?? false ? nil : found
    }

    private var encoder: Found? {
      named("Encoder") ?? named("EncodedBy") ?? named("EncoderSettings")
    }

    /// That of content credentials.
    private var generator: Found? {
      for (key, value) in tags where Self.name(of: key) == "Claim_generator_info" {
        let first = value.isArray ? value.elements.first { $0.isObject } : value
        if let text = first.flatMap(Self.agent) { return (key, text) }
      }
      return named("Claim_generator")
    }

    /// GIMP's own, where it writes nothing else.
    private var comment: Found? {
      let prefix = "Created with "
      guard let found = named("Comment"), found.text.hasPrefix(prefix) else { return nil }
      let program = found.text.dropFirst(prefix.count)
      return program.count > 40 || program.isEmpty ? nil : (found.tag, String(program))
    }

    private var device: Found? {
      let (make, model) = (named("Make"), named("Model"))
      guard let tag = (model ?? make)?.tag,
        let device = EmbeddedOrigin.device(make: make?.text, model: model?.text)
      else { return nil }
      return (tag, device)
    }

    private var history: [(tag: String, step: EmbeddedOrigin.Step)] {
      var steps: [(tag: String, step: EmbeddedOrigin.Step)] = []
      for (key, value) in tags {
        let isCredential = Self.name(of: key) == "Actions"
        guard isCredential || Self.name(of: key) == "History" else { continue }
        for element in value.isArray ? Array(value.elements) : [value]
        where element.isObject {
          func text(_ name: String) -> String? { Self.member(name, of: element).flatMap(Self.text) }
          let step = EmbeddedOrigin.Step(
            program: Self.member("SoftwareAgent", of: element).flatMap(Self.agent),
            action: text("Action"), time: text("When"), isCredential: isCredential)
          if step.program != nil || step.action != nil { steps.append((key, step)) }
        }
      }
      return steps.suffix(historyLimit)
    }

    /// The text of the first tag of a name that has one.
    private func named(_ name: String, in group: String? = nil, except other: String = "") -> Found?
    {
      for (key, value) in tags where Self.name(of: key) == name {
        let itsGroup = Self.group(of: key)
        guard group.map({ itsGroup == $0 }) ?? (itsGroup != other) else { continue }
        if let text = Self.text(value) { return (key, text) }
      }
      return nil
    }

    private static func group(of key: String) -> Substring {
      key.split(separator: ":").first ?? ""
    }

    private static func name(of key: String) -> Substring {
      key.split(separator: ":").last ?? ""
    }

    /// The names of parts have either case: `SoftwareAgent` of XMP, `softwareAgent` of C2PA.
    private static func member(_ name: String, of object: JSONValue) -> JSONValue? {
      object[name] ?? object[name.prefix(1).lowercased() + name.dropFirst()]
    }

    /// A program: a text, or an object with its name and version.
    private static func agent(_ value: JSONValue) -> String? {
      guard value.isObject else { return text(value) }
      guard let name = member("Name", of: value).flatMap(text) else { return nil }
      return member("Version", of: value).flatMap(text).map { "\(name) \($0)" } ?? name
    }

    private static func text(_ value: JSONValue) -> String? {
      value.text.flatMap(clipped)
    }

    /// Text in one line and with bounds; `nil` if none is left. Groups, too, can be named by the file.
    private static func clipped(_ text: String) -> String? {
      let words = text.split { $0.isWhitespace || $0 == "\0" }.joined(separator: " ")
      return words.isEmpty
        ? nil : String(String.UnicodeScalarView(words.unicodeScalars.prefix(textLimit)))
    }
  }
}
