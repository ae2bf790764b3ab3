internal import BinaryPropertyList
internal import DocumentSource
internal import PropertyListText
public import ShareItem
internal import TextFormats
public import Xattr

/// What of a file's marks identifies the user, and is left out where a copy of the file is handed
/// over: the path inside the application, credentials in URLs, what follows the path of the source's
/// URL, of the referrer's page and of the app info, URLs that open apps, and the comment.
public struct PrivateMark: Hashable, Sendable {
  public let name: AttributeName
  /// The value without it; `nil` if the whole attribute is left out.
  public let value: [UInt8]?
  /// What is left out, in words.
  public let loss: String

  /// The attributes of a file that hold something of this kind.
  ///
  /// - Parameter kept: what is not left out.
  public static func all(
    of attributes: ExtendedAttributes, keeping kept: ShareItem.PrivateParts = []
  ) throws(XattrError) -> [PrivateMark] {
    var marks: [PrivateMark] = []
    for name in try attributes.names() {
      guard let foreign = ForeignAttributeName(name), let kind = foreign.kind,
        var value = try attributes.value(of: name)
      else { continue }
      let hasNUL = foreign.style == .sambaStream && value.last == 0
      if hasNUL { value.removeLast() }
      guard let (stripped, loss) = stripped(kind, value, kept) else { continue }
      let rest = stripped.map { hasNUL ? $0 + [0] : $0 }
      marks.append(PrivateMark(name: name, value: rest, loss: loss))
    }
    return marks
  }

  /// Writes the value, or removes the attribute.
  public func leaveOut(of attributes: ExtendedAttributes) throws(XattrError) {
    if let value {
      try attributes.setValue(value, of: name)
    } else {
      _ = try attributes.removeValue(of: name)
    }
  }

  private static let unreadable = "a value that cannot be read"

  /// A URL as it is handed on, and what was left out of it; `nil` if that is nothing.
  private static func handedOn(
    _ url: String, _ kept: ShareItem.PrivateParts, _ name: String
  ) -> (rest: String, loss: String)? {
    let bare = AbsoluteURL.withoutCredentials(url)
    let rest = ShareItem.handedOn(url, keeping: kept)
    if rest == url { return nil }
    let losses = [
      bare == url ? nil : "user name and password", rest == bare ? nil : "what follows the path",
    ]
    return (rest, losses.compactMap(\.self).joined(separator: ", and ") + " in the \(name)")
  }

  /// - Returns: `nil` if nothing is to be left out.
  private static func stripped(
    _ kind: MarkKind, _ value: [UInt8], _ kept: ShareItem.PrivateParts
  ) -> (value: [UInt8]?, loss: String)? {
    switch kind {
    case .documentSource:
      if value.isEmpty { return nil }
      guard
        case .dictionary(var source)? = (try? PropertyList(binary: value))
          ?? (try? XMLPropertyListReader.read(value))
      else { return (nil, unreadable) }
      var losses: [String] = []
      if source[DocumentSource.Field.path.key] != nil {
        source[DocumentSource.Field.path.key] = nil
        losses.append("the path inside the application")
      }
      if case .string(let url)? = source[DocumentSource.Field.appInfoURL.key],
        let (rest, loss) = handedOn(url, kept, "app info URL")
      {
        source[DocumentSource.Field.appInfoURL.key] = .string(rest)
        losses.append(loss)
      }
      if losses.isEmpty { return nil }
      return (
        try? PropertyList.dictionary(source).binary(), losses.joined(separator: ", and ")
      )
    case .originURL, .referrerURL:
      let name = kind == .originURL ? "source's URL" : "URL of the page"
      return handedOn(String(decoding: value, as: UTF8.self), kept, name).map {
        (Array($0.rest.utf8), $0.loss)
      }
    case .note(FileItem.comment), .finderComment:
      return kept.contains(.comment) ? nil : (nil, "the comment")
    case .shareItem:
      guard let item = try? ShareItem(mark: value) else { return (nil, unreadable) }
      let (rest, losses) = item.withoutPrivateParts(keeping: kept)
      if losses.isEmpty { return nil }
      return ((try? rest.mark().bytes) ?? nil, "URLs of the share item that identify you")
    case .whereFroms, .zoneIdentifier:
      // These have the page with the link as well as the URL.
      let signs = kept.contains(.wholeURLs) ? "@" : "?#@"
      var texts = [value]
      if kind == .whereFroms, case .origins(let urls)? = try? MarkValue(value, of: kind) {
        texts = urls.map { Array($0.utf8) }
      }
      let isPrivate = texts.contains { $0.contains { signs.utf8.contains($0) } }
      return isPrivate ? (nil, "URLs with a query, a fragment or a user name") : nil
    default: return nil
    }
  }
}
