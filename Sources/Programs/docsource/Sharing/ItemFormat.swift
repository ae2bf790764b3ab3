import BinaryPropertyList
import CommandLineInterface
import JSONPropertyList
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// How share items are printed.
enum ItemFormat {
  // For programs.

  /// The fields of an item, those it lacks left out.
  static func fields(_ item: ShareItem) -> JSONFields {
    let referrer = Referrer.Field.allCases.map {
      (key: name($0), value: JSONFields.Field.text(item.referrer[$0]))
    }
    let own = item.activities.map {
      (key: $0.rawValue, value: JSONFields.Field?.some(.object(object(item.parts(for: $0)))))
    }
    return [
      "title": .text(item.title), "contentText": .text(item.contentText),
      "tags": item.tags.map { .texts($0) }, "sourceURL": .text(item.sourceURL),
      "referrer": item.referrer.isEmpty ? nil : .object(JSONFields(referrer)),
      "attachments": objects(item.attachments.map(object)),
      "activities": own.isEmpty ? nil : .object(JSONFields(own)),
      "thumbnails": objects(item.thumbnails.map(object)),
      "unknownFields": dictionary(item.unknownFields),
      "parameters": dictionary(item.parameters(AnyParameters.self).dictionary),
    ]
  }

  /// An array; `nil` for none.
  private static func objects(_ objects: [JSONFields]) -> JSONFields.Field? {
    objects.isEmpty ? nil : .objects(objects)
  }

  private static func dictionary(_ dictionary: PropertyList.Dictionary) -> JSONFields.Field? {
    dictionary.isEmpty ? nil : .json(Array(json(.dictionary(dictionary)).utf8))
  }

  static func object(_ attachment: ShareItem.Attachment) -> JSONFields {
    let content: JSONFields =
      switch attachment.content {
      case .text(let text): ["text": .text(text)]
      case .data(let bytes): ["data": .data(bytes)]
      case .path(let path): ["path": .text(path)]
      }
    return ["types": .texts(attachment.typeIdentifiers)] + content + [
      "suggestedName": .text(attachment.suggestedName), "mediaType": .text(attachment.mediaType),
    ]
  }

  private static func object(_ parts: ShareItem.OwnParts) -> JSONFields {
    [
      "nothing": parts.receivesNothing ? true : nil,
      "main": parts.main.map { .object(object($0)) }, "contentText": .text(parts.contentText),
      "attachments": parts.additions.map { .objects($0.map(object)) },
      "subject": .text(parts.subject), "type": .text(parts.type),
      "thumbnails": objects((parts.thumbnails ?? []).map(object)),
    ]
  }

  private static func object(_ thumbnail: ShareItem.Thumbnail) -> JSONFields {
    object(thumbnail.attachment) + [
      "width": .number(thumbnail.size?.width), "height": .number(thumbnail.size?.height),
    ]
  }

  static func flaws(_ flaws: [ItemFlaw]) -> JSONFields.Field? {
    objects(flaws.map { ["key": .text($0.keyPath), "reason": .text($0.words)] })
  }

  static func notes(_ marks: FileItem) -> JSONFields.Field? {
    objects(
      marks.notes.map {
        [
          "field": .text($0.field.rawValue), "value": .text($0.value),
          "carrier": .path($0.carrier.name), "differs": $0.isOpposed ? true : nil,
        ]
      })
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

  /// An attachment in one line, after its name.
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
