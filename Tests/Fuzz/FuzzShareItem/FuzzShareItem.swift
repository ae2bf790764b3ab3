import BinaryPropertyList
import FuzzInput
import ShareItem
import TextFormats

/// Reads an input as an item and as an item's attribute: what is read can be handed over, is written
/// as it was read, and the attribute keeps its fields.
@c(LLVMFuzzerTestOneInput)
public func fuzzShareItem(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  _ = RichText.plainText(of: input)
  _ = ShareItem.Thumbnail.Size(ofPicture: input)
  _ = ShareItem.Thumbnail.Size(String(decoding: input, as: UTF8.self))
  _ = RichText.plainText(of: Array("{\\rtf".utf8) + input)
  if let item = try? ShareItem(input) { check(item) }
  if let item = try? ShareItem(mark: input) { check(item) }
  return 0
}

private func check(_ item: ShareItem) {
  _ = item.flaws
  var copy = item
  for activity in item.activities + [.mail, .postToTwitter] {
    let parts = item.parts(for: activity)
    claim(
      (item.handover(to: activity) == .nothing) == parts.receivesNothing,
      "an activity that receives nothing receives something")
    copy.setParts(parts, for: activity)
    claim(copy.parts(for: activity) == parts, "parts change when they are set")
    if case .item(let own)? = item.handover(to: activity) {
      claim(own.activities.isEmpty, "an activity sees what others receive")
    }
  }
  copy.thumbnails = item.thumbnails
  claim(copy.thumbnails == item.thumbnails, "thumbnails change when they are set")
  copy.attachments = item.attachments
  claim(copy.attachments == item.attachments, "attachments change when they are set")
  copy.referrer = item.referrer
  claim(copy.referrer == item.referrer, "the referrer changes when it is set")
  let (stripped, _) = item.withoutPrivateParts()
  claim(stripped.withoutPrivateParts().losses.isEmpty, "private parts are left")
  if let bytes = try? item.encoded() {
    claim((try? ShareItem(bytes)) == item, "an item is not read as it was written")
  }
  guard let mark = try? item.mark(), !mark.bytes.isEmpty else { return }
  guard let kept = try? ShareItem(mark: mark.bytes) else {
    return claim(false, "an attribute is not read")
  }
  claim(kept.tags == item.tags, "tags are lost")
  claim(kept.referrer.appName == item.referrer.appName, "the referrer is lost")
  for activity in item.activities {
    let (own, former) = (kept.parts(for: activity), item.parts(for: activity))
    claim(own.contentText == former.contentText, "the text for an activity is lost")
    claim(own.main == nil && own.additions == nil, "an attribute has documents")
  }
  if let again = try? kept.mark().bytes {
    claim((try? ShareItem(mark: again)) == kept, "an attribute changes when it is written again")
  }
}
