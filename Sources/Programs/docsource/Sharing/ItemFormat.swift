import BinaryPropertyList
import CommandLineInterface
import LinuxSystem
import PropertyListText
import Provenance
import ShareItem
import TextFormats

/// How share items are printed.
enum ItemFormat {
  typealias Members = [(key: String, value: String)]

  // For programs.

  /// The fields of an item, those it lacks left out.
  static func fields(_ item: ShareItem) -> Members {
    var members = JSONText.member("title", item.title)
    members += JSONText.member("contentText", item.contentText)
    if let tags = item.tags { members.append(("tags", strings(tags))) }
    members += JSONText.member("sourceURL", item.sourceURL)
    let referrer = item.referrer
    if !referrer.isEmpty {
      let fields = Referrer.Field.allCases.flatMap { JSONText.member(name($0), referrer[$0]) }
      members.append(("referrer", JSONText.object(fields)))
    }
    let attachments = item.attachments
    if !attachments.isEmpty {
      members.append(("attachments", JSONText.array(attachments.map(object))))
    }
    let own = item.activities.map { activity in
      (key: activity.rawValue, value: object(item.parts(for: activity)))
    }
    if !own.isEmpty { members.append(("activities", JSONText.object(own))) }
    members += self.thumbnails(item.thumbnails)
    let unknown = item.unknownFields
    if !unknown.isEmpty { members.append(("unknownFields", json(.dictionary(unknown)))) }
    let parameters = item.parameters(AnyParameters.self).dictionary
    if !parameters.isEmpty { members.append(("parameters", json(.dictionary(parameters)))) }
    return members
  }

  static func object(_ attachment: ShareItem.Attachment) -> String {
    JSONText.object(members(attachment))
  }

  private static func members(_ attachment: ShareItem.Attachment) -> Members {
    var members: Members = [("types", strings(attachment.typeIdentifiers))]
    switch attachment.content {
    case .text(let text): members += JSONText.member("text", text)
    case .data(let bytes): members += JSONText.member("data", Base64.text(of: bytes[...]))
    case .path(let path): members += JSONText.member("path", path)
    }
    members += JSONText.member("suggestedName", attachment.suggestedName)
    return members + JSONText.member("mediaType", attachment.mediaType)
  }

  private static func object(_ parts: ShareItem.OwnParts) -> String {
    var members: Members = []
    if parts.receivesNothing { members.append(("nothing", "true")) }
    if let main = parts.main { members.append(("main", object(main))) }
    members += JSONText.member("contentText", parts.contentText)
    if let additions = parts.additions {
      members.append(("attachments", JSONText.array(additions.map(object))))
    }
    members += JSONText.member("subject", parts.subject)
    members += JSONText.member("type", parts.type)
    return JSONText.object(members + thumbnails(parts.thumbnails ?? []))
  }

  private static func thumbnails(_ thumbnails: [ShareItem.Thumbnail]) -> Members {
    guard !thumbnails.isEmpty else { return [] }
    let objects = thumbnails.map { thumbnail in
      var members = self.members(thumbnail.attachment)
      if let size = thumbnail.size {
        members += [("width", String(size.width)), ("height", String(size.height))]
      }
      return JSONText.object(members)
    }
    return [(key: "thumbnails", value: JSONText.array(objects))]
  }

  static func flaws(_ flaws: [ItemFlaw], key: String = "flaws") -> Members {
    guard !flaws.isEmpty else { return [] }
    let objects = flaws.map { flaw in
      JSONText.object(
        JSONText.member("key", flaw.keyPath) + JSONText.member("reason", flaw.words))
    }
    return [(key: key, value: JSONText.array(objects))]
  }

  static func notes(_ marks: FileItem) -> Members {
    guard !marks.notes.isEmpty else { return [] }
    let objects = marks.notes.map { note in
      var members = JSONText.member("field", note.field.rawValue)
      members += JSONText.member("value", note.value)
      members += JSONText.path(note.carrier.name[...], key: "carrier")
      if note.isOpposed { members.append(("differs", "true")) }
      return JSONText.object(members)
    }
    return [(key: "notes", value: JSONText.array(objects))]
  }

  private static func name(_ field: Referrer.Field) -> String {
    switch field {
    case .appName: "name"
    case .appStoreID: "appStoreID"
    case .googlePlayID: "googlePlayID"
    case .webURL: "webURL"
    case .iOSAppURL: "iOSAppURL"
    case .androidAppURL: "androidAppURL"
    }
  }

  private static func strings(_ texts: [String]) -> String {
    JSONText.array(texts.map { JSONText.string($0) as String })
  }

  private static func json(_ value: PropertyList) -> String {
    var bytes: [UInt8] = []
    try? JSONPropertyListWriter.write(value) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  // For people.

  /// Prints an item as a block.
  static func write(_ item: ShareItem, _ console: Console) {
    writeFields(item, console)
    for (position, attachment) in item.attachments.enumerated() {
      console.writeRow("Attachment", "\(position + 1): \(words(attachment))")
    }
    for activity in item.activities {
      console.writeRow("Activity", "\(activity.rawValue): \(words(item.parts(for: activity)))")
    }
    for thumbnail in item.thumbnails { console.writeRow("Thumbnail", words(thumbnail)) }
    for entry in item.unknownFields.entries {
      console.writeRow("Unknown", "\(EscapedText(entry.key)): \(json(entry.value))")
    }
    for entry in item.parameters(AnyParameters.self).dictionary.entries {
      console.writeRow("Parameter", "\(EscapedText(entry.key)): \(json(entry.value))")
    }
    for flaw in item.flaws { console.writeRow("Flaw", flaw.description) }
  }

  private static func writeFields(_ item: ShareItem, _ console: Console) {
    func row(_ label: String, _ text: String?) {
      if let text { console.writeRow(label, quoted(text)) }
    }
    row("Title", item.title)
    row("Text", item.contentText)
    if let tags = item.tags, !tags.isEmpty {
      console.writeRow("Tags", tags.map(quoted).joined(separator: ", "))
    }
    row("Source", item.sourceURL)
    let referrer = item.referrer
    row("Referrer", referrer.appName)
    row("App Store", referrer.appStoreID)
    row("Google Play", referrer.googlePlayID)
    row("Web page", referrer.webURL)
    row("iOS URL", referrer.iOSAppURL)
    row("Android URL", referrer.androidAppURL)
  }

  static func quoted(_ text: String) -> String { EscapedText(quoting: text).description }

  /// An attachment in one line, behind what it is called.
  static func words(_ attachment: ShareItem.Attachment) -> String {
    let content =
      switch attachment.content {
      case .text(let text): quoted(text)
      case .data(let bytes): "\(ByteCount(bytes.count))"
      case .path(let path): "file \(quoted(path))"
      }
    let types = attachment.typeIdentifiers.joined(separator: ", ")
    let name = attachment.suggestedName.map { ", called \(quoted($0))" } ?? ""
    return "\(content) (\(types))\(name)"
  }

  private static func words(_ parts: ShareItem.OwnParts) -> String {
    if parts.receivesNothing { return "nothing" }
    let own = [
      parts.main.map(words), parts.contentText.map { "text \(quoted($0))" },
      parts.additions.map { CountText.of($0.count, "attachment") + " more" },
      parts.subject.map { "subject \(quoted($0))" }, parts.type.map { "type \(EscapedText($0))" },
      parts.thumbnails.map { CountText.of($0.count, "thumbnail") },
    ]
    return own.compactMap(\.self).joined(separator: ", ")
  }

  private static func words(_ thumbnail: ShareItem.Thumbnail) -> String {
    let size = thumbnail.size.map { ", \($0.width)x\($0.height)" } ?? ""
    return words(thumbnail.attachment) + size
  }

  /// Prints what a file says of its content, each value with the attribute that holds it.
  static func write(_ marks: FileItem, _ console: Console) {
    if let mark = marks.mark {
      if let item = marks.item {
        write(item, console)
      } else {
        console.writeRow("Share item", OriginText.value(mark))
      }
      console.output.writeLine("    \(OriginText.place(mark.carrier.name))")
    }
    for note in marks.notes {
      console.writeRow(label(note.field), quoted(note.value))
      let doubt = note.isOpposed ? " (the share item says something else)" : ""
      console.output.writeLine("    \(OriginText.place(note.carrier.name))\(doubt)")
    }
  }

  private static func label(_ field: ShareItem.Field) -> String {
    switch field {
    case .sourceURL: "Source"
    case .referrerURL: "Web page"
    case .tags: "Tags"
    case .title: "Title"
    case .contentText: "Text"
    case .referrerName: "Referrer"
    case .mediaType: "Media type"
    }
  }
}
