internal import BinaryPropertyList
internal import DocumentSource
internal import ShareItem
internal import TextFormats
public import Xattr

/// What of a file's marks identifies the user, and is left out where a copy of the file is handed
/// over: the path inside the application, credentials in URLs, what stands behind the path of the
/// referrer's page, and URLs that open apps.
public struct PrivateMark: Hashable, Sendable {
  public let name: AttributeName
  /// The value without it; `nil` where the whole attribute is left out.
  public let value: [UInt8]?
  /// What is left out, in words.
  public let loss: String

  /// The attributes of a file that hold something of this kind.
  ///
  /// - Parameter binary: makes a binary property list of an XML one.
  public static func all(
    of attributes: ExtendedAttributes, converting binary: ([UInt8]) -> [UInt8]?
  ) throws(XattrError) -> [PrivateMark] {
    var marks: [PrivateMark] = []
    for name in try attributes.names() {
      guard let foreign = ForeignAttributeName(name), let kind = foreign.kind,
        var value = try attributes.value(of: name)
      else { continue }
      let hasNUL = foreign.style == .sambaStream && value.last == 0
      if hasNUL { value.removeLast() }
      guard let (stripped, loss) = stripped(kind, value, binary) else { continue }
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

  /// - Returns: `nil` where nothing is to be left out.
  private static func stripped(
    _ kind: MarkKind, _ value: [UInt8], _ binary: ([UInt8]) -> [UInt8]?
  ) -> (value: [UInt8]?, loss: String)? {
    switch kind {
    case .documentSource:
      if value.isEmpty { return nil }
      guard
        case .dictionary(var source)? = (try? PropertyList(binary: value))
          ?? binary(value).flatMap({ try? PropertyList(binary: $0) })
      else { return (nil, unreadable) }
      let former = source
      source[DocumentSource.Field.path.key] = nil
      if case .string(let url)? = source[DocumentSource.Field.appInfoURL.key] {
        source[DocumentSource.Field.appInfoURL.key] = .string(AbsoluteURL.withoutCredentials(url))
      }
      if source == former { return nil }
      return (try? PropertyList.dictionary(source).binary(), "the path inside the application")
    case .originURL, .referrerURL:
      let url = String(decoding: value, as: UTF8.self)
      var rest = AbsoluteURL.withoutCredentials(url)
      var loss = "user name and password"
      if kind == .referrerURL {
        let page = String(rest.prefix { $0 != "?" && $0 != "#" })
        if page != rest { loss = "what stands behind the path" }
        rest = page
      }
      return rest == url ? nil : (Array(rest.utf8), loss)
    case .shareItem:
      guard let item = try? ShareItem(mark: value) else { return (nil, unreadable) }
      let (rest, losses) = item.withoutPrivateParts()
      if losses.isEmpty { return nil }
      return ((try? rest.mark().bytes) ?? nil, "URLs of the share item that identify you")
    case .whereFroms, .zoneIdentifier:
      // These have the page with the link as well as the URL.
      let isPrivate = value.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
      return isPrivate ? (nil, "URLs with a query or a user name") : nil
    default: return nil
    }
  }
}
