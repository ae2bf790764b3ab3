public import BinaryPropertyList
internal import TextFormats

extension ShareItem {
  /// A document of an item: inline, or by its path, with the types that it can be had as.
  public struct Attachment: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
      /// A text, or a URL.
      case text(String)
      case data([UInt8])
      /// Absolute, or relative to the directory of the item.
      case path(String)
    }

    /// The uniform types, the preferred one first; at least one.
    public let typeIdentifiers: [String]
    public var content: Content
    /// The name that a file with the content ought to have.
    public var suggestedName: String?
    /// The MIME type; `nil` for a text that is none (RFC 6838), since the type gets into fields of
    /// other formats.
    public var mediaType: String? { didSet { mediaType = mediaType.flatMap(Self.checked) } }
    /// Keys that are not ours.
    public var others = PropertyList.Dictionary()

    enum Key {
      static let types = "registeredTypeIdentifiers"
      static let value = "value"
      static let path = "path"
      static let suggestedName = "suggestedName"
      static let mediaType = "mime"
      static let all = [types, value, path, suggestedName, mediaType]
    }

    /// The types of contents whose type need not be given.
    public enum WellKnownType {
      public static let url = "public.url"
      public static let fileURL = "public.file-url"
      public static let text = "public.plain-text"
      public static let image = "public.image"
      /// Of bytes that nobody knows more of.
      public static let data = "public.data"
    }

    /// - Throws: `ItemFailure` where there is no type, or an empty one.
    public init(
      _ content: Content, types: [String], suggestedName: String? = nil, mediaType: String? = nil
    ) throws(ItemFailure) {
      guard !types.isEmpty, types.allSatisfy({ !$0.isEmpty }) else { throw ItemFailure(.untyped) }
      typeIdentifiers = types
      self.content = content
      self.suggestedName = suggestedName
      self.mediaType = mediaType.flatMap(Self.checked)
    }

    private static func checked(_ mediaType: String) -> String? {
      MediaType.isValid(mediaType) ? mediaType : nil
    }

    private init(_ content: Content, type: String) {
      self.content = content
      typeIdentifiers = [type]
    }

    public static func text(_ text: String) -> Attachment {
      Attachment(.text(text), type: WellKnownType.text)
    }

    /// A URL of something that is no file.
    public static func url(_ url: String) -> Attachment {
      Attachment(.text(url), type: WellKnownType.url)
    }

    /// A file, which can be had as its own type and as a URL.
    ///
    /// - Parameter type: the file's own; `nil` if nobody knows it.
    public static func file(
      _ path: String, type: String?, suggestedName: String? = nil, mediaType: String? = nil
    ) -> Attachment {
      var attachment = Attachment(.path(path), type: type ?? WellKnownType.fileURL)
      if type != nil { attachment = attachment.also(WellKnownType.fileURL) }
      attachment.suggestedName = suggestedName
      attachment.mediaType = mediaType
      return attachment
    }

    private func also(_ type: String) -> Attachment {
      var attachment = Attachment(content, unchecked: typeIdentifiers + [type])
      attachment.others = others
      return attachment
    }

    /// The same document as other types, of which there is at least one, and none is empty.
    func with(types: [String]) -> Attachment {
      var attachment = Attachment(content, unchecked: types)
      attachment.suggestedName = suggestedName
      attachment.mediaType = mediaType
      attachment.others = others
      return attachment
    }

    private init(_ content: Content, unchecked types: [String]) {
      self.content = content
      typeIdentifiers = types
    }

    /// Whether the content is a URL of something that is no file.
    public var isURL: Bool {
      if case .text = content { typeIdentifiers.first == WellKnownType.url } else { false }
    }

    /// Reads an attachment.
    ///
    /// - Throws: `ItemFailure`: no dictionary, no types, or not exactly one of value and path.
    public init(_ value: PropertyList) throws(ItemFailure) {
      guard case .dictionary(let dictionary) = value else { throw ItemFailure(.attachmentType) }
      guard case .array(let types)? = dictionary[Key.types], !types.isEmpty else {
        throw ItemFailure(.untyped)
      }
      typeIdentifiers = types.compactMap(TypedValues.string)
      guard typeIdentifiers.count == types.count, !typeIdentifiers.contains("") else {
        throw ItemFailure(.untyped)
      }
      switch (dictionary[Key.value], dictionary[Key.path]) {
      case (.string(let text)?, nil): content = .text(text)
      case (.data(let bytes)?, nil): content = .data(bytes)
      case (nil, .string(let path)?) where !path.isEmpty: content = .path(path)
      default: throw ItemFailure(.attachmentContent)
      }
      if case .string(let name)? = dictionary[Key.suggestedName] { suggestedName = name }
      if case .string(let type)? = dictionary[Key.mediaType] { mediaType = Self.checked(type) }
      // Most have no other keys.
      for entry in dictionary.entries {
        let isRead =
          switch entry.key {
          case Key.types, Key.value, Key.path: true
          case Key.suggestedName: suggestedName != nil
          case Key.mediaType: mediaType != nil
          default: false
          }
        if !isRead { others[entry.key] = entry.value }
      }
    }

    /// Whether a text stands in the place of the media type that is none.
    var hasUnreadMediaType: Bool {
      if case .string? = others[Key.mediaType], mediaType == nil { true } else { false }
    }

    /// The attachment as items have it.
    var dictionary: PropertyList.Dictionary {
      var dictionary: PropertyList.Dictionary = [
        Key.types: .array(typeIdentifiers.map { .string($0) })
      ]
      switch content {
      case .text(let text): dictionary[Key.value] = .string(text)
      case .data(let bytes): dictionary[Key.value] = .data(bytes)
      case .path(let path): dictionary[Key.path] = .string(path)
      }
      if let suggestedName { dictionary[Key.suggestedName] = .string(suggestedName) }
      if let mediaType { dictionary[Key.mediaType] = .string(mediaType) }
      for entry in others.entries where dictionary[entry.key] == nil {
        dictionary[entry.key] = entry.value
      }
      return dictionary
    }
  }
}
