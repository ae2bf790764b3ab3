// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import BinaryPropertyList
public import CDocumentSource
internal import ForeignFormats
internal import LinuxSystem
internal import Provenance
internal import ShareItem

@c @implementation public func docsource_item_read(
  _ path: UnsafePointer<CChar>?, _ options: UInt32,
  _ item: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(item, error) { () throws(Failure) in
    unsafe try SourceFile(path, options).item()
  }
}

@c @implementation public func docsource_item_read_fd(
  _ descriptor: CInt, _ options: UInt32, _ item: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(item, error) { () throws(Failure) in
    try SourceFile(descriptor, options).item()
  }
}

@c @implementation public func docsource_item_read_at(
  _ directory: CInt, _ name: UnsafePointer<CChar>?, _ options: UInt32,
  _ item: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(item, error) { () throws(Failure) in
    unsafe try SourceFile(name, in: directory, options).item()
  }
}

@c @implementation public func docsource_item_parse(
  _ bytes: UnsafeRawPointer?, _ size: Int, _ item: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.give(item, error) { () throws(Failure) in
    guard let bytes = unsafe bytes, size >= 0 else { throw .argument("no bytes are given") }
    do throws(ItemFailure) {
      return FoundItem(
        try ShareItem(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size))))
    } catch {
      throw Failure(item: error.reason.words, at: error.offset)
    }
  }
}

@c @implementation public func docsource_item_value(
  _ item: OpaquePointer?, _ field: docsource_item_field, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let value = unsafe Handle<FoundItem>.object(item)?.value(field)
  unsafe length?.pointee = value?.text.count ?? 0
  return unsafe value?.text.start
}

@c @implementation public func docsource_item_tag_count(_ item: OpaquePointer?) -> Int {
  unsafe Handle<FoundItem>.object(item)?.tags.count ?? 0
}

@c @implementation public func docsource_item_tag(
  _ item: OpaquePointer?, _ tag: Int, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  let tags = unsafe Handle<FoundItem>.object(item)?.tags ?? []
  let text = tags.indices.contains(tag) ? tags[tag] : nil
  unsafe length?.pointee = text?.text.count ?? 0
  return unsafe text?.text.start
}

@c @implementation public func docsource_item_attachment_count(_ item: OpaquePointer?) -> Int {
  unsafe Handle<FoundItem>.object(item)?.attachments.count ?? 0
}

private func found(_ attachment: Int, in item: OpaquePointer?) -> FoundAttachment? {
  let attachments = unsafe Handle<FoundItem>.object(item)?.attachments ?? []
  return attachments.indices.contains(attachment) ? attachments[attachment] : nil
}

@c @implementation public func docsource_item_attachment_type(
  _ item: OpaquePointer?, _ attachment: Int, _ number: Int
) -> UnsafePointer<CChar>? {
  let types = unsafe found(attachment, in: item)?.types ?? []
  return unsafe types.indices.contains(number) ? types[number].text.start : nil
}

@c @implementation public func docsource_item_attachment_path(
  _ item: OpaquePointer?, _ attachment: Int
) -> UnsafePointer<CChar>? {
  unsafe found(attachment, in: item)?.path.start
}

@c @implementation public func docsource_item_attachment_name(
  _ item: OpaquePointer?, _ attachment: Int
) -> UnsafePointer<CChar>? {
  unsafe found(attachment, in: item)?.name.start
}

@c @implementation public func docsource_item_attachment_bytes(
  _ item: OpaquePointer?, _ attachment: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let attachment = unsafe found(attachment, in: item)
  unsafe size?.pointee = attachment?.bytes.count ?? 0
  return unsafe UnsafeRawPointer(attachment?.bytes.start)
}

@c @implementation public func docsource_item_free(_ item: OpaquePointer?) {
  unsafe Handle<FoundItem>.free(item)
}

/// A share item as C holds it: `docsource_item`.
final class FoundItem {
  private let values: [UInt32: HeldText]
  let tags: [HeldText]
  let attachments: [FoundAttachment]

  init(_ item: ShareItem) {
    let referrer = item.referrer
    let fields: [(docsource_item_field, String?)] = [
      (DOCSOURCE_ITEM_TITLE, item.title), (DOCSOURCE_ITEM_CONTENT_TEXT, item.contentText),
      (DOCSOURCE_ITEM_SOURCE_URL, item.sourceURL),
      (DOCSOURCE_ITEM_REFERRER_NAME, referrer.appName),
      (DOCSOURCE_ITEM_REFERRER_APP_STORE_ID, referrer.appStoreID),
      (DOCSOURCE_ITEM_REFERRER_GOOGLE_PLAY_ID, referrer.googlePlayID),
      (DOCSOURCE_ITEM_REFERRER_WEB_URL, referrer.webURL),
      (DOCSOURCE_ITEM_REFERRER_IOS_APP_URL, referrer.iOSAppURL),
      (DOCSOURCE_ITEM_REFERRER_ANDROID_APP_URL, referrer.androidAppURL),
    ]
    var values: [UInt32: HeldText] = [:]
    for (field, text) in fields { values[field.rawValue] = text.map { HeldText($0) } }
    self.values = values
    tags = (item.tags ?? []).map { HeldText($0) }
    attachments = item.attachments.map { FoundAttachment($0) }
  }

  /// - Parameter field: any number that C passes.
  fileprivate func value(_ field: docsource_item_field) -> HeldText? { values[field.rawValue] }
}

/// An attachment as C holds it.
final class FoundAttachment {
  let types: [HeldText]
  let path: CText
  let name: CText
  let bytes: CText

  init(_ attachment: ShareItem.Attachment) {
    types = attachment.typeIdentifiers.map { HeldText($0) }
    name = CText(attachment.suggestedName)
    switch attachment.content {
    case .text(let text):
      path = CText()
      bytes = CText(text)
    case .data(let data):
      path = CText()
      bytes = CText(bytes: data[...])
    case .path(let text):
      path = CText(text)
      bytes = CText()
    }
  }
}

extension SourceFile {
  /// The item that a file's attributes make up.
  fileprivate func item() throws(Failure) -> FoundItem {
    let marks = FileItem(try provenance())
    if let mark = marks.mark, marks.item == nil {
      switch mark.content {
      case .damaged(let flaw): throw Failure(item: "\(flaw.reason)", at: flaw.offset)
      case .unreadable(let reason):
        throw Failure(DOCSOURCE_NOT_PERMITTED, "cannot read share item: \(reason)")
      case .value, .empty: break
      }
    }
    let item = marks.merged
    guard !item.userInfo.isEmpty else { throw Failure(DOCSOURCE_NO_SOURCE, "no share item") }
    return FoundItem(item)
  }
}
