public import BinaryPropertyList

extension ShareItem {
  /// A small picture of what is handed over. Nothing here decodes it.
  public struct Thumbnail: Hashable, Sendable {
    /// More bytes than a small picture has.
    public static let sizeLimit = 512 << 10

    /// Width and height, in pixels.
    public struct Size: Hashable, Sendable {
      public let width: Int
      public let height: Int

      /// Of pictures larger than that nobody makes small ones.
      private static let limit = 1 << 16

      /// `nil` for what is no size of a picture: numbers below 1 or above 65536.
      public init?(width: Int, height: Int) {
        guard (1...Self.limit).contains(width), (1...Self.limit).contains(height) else {
          return nil
        }
        self.width = width
        self.height = height
      }

      /// Reads `WIDTHxHEIGHT`, two decimal numbers; `nil` for anything else.
      public init?(_ text: String) {
        let numbers = text.utf8.split(
          separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
        guard numbers.count == 2,
          numbers.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }),
          let width = Int(String(decoding: numbers[0], as: UTF8.self)),
          let height = Int(String(decoding: numbers[1], as: UTF8.self))
        else { return nil }
        self.init(width: width, height: height)
      }
    }

    /// What a picture begins with.
    public enum Format: Sendable {
      case png, jpeg

      /// The format that bytes begin like; `nil` for no picture that is a thumbnail.
      public init?(_ bytes: some Collection<UInt8>) {
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
          self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
          self = .jpeg
        } else {
          return nil
        }
      }

      public var type: String {
        switch self {
        case .png: "public.png"
        case .jpeg: "public.jpeg"
        }
      }
    }

    /// The picture: data, or a path.
    public private(set) var attachment: Attachment
    /// The size that the picture says it has; `nil` if it says none.
    public let size: Size?

    private enum Key {
      static let width = "width"
      static let height = "height"
    }

    /// - Parameter content: data, or a path.
    /// - Throws: `ItemFailure` for a text, for data that are neither PNG nor JPEG, and for data of more
    ///   than ``sizeLimit`` bytes.
    public init(
      _ content: Attachment.Content, format: Format, size: Size?
    ) throws(ItemFailure) {
      attachment = try Attachment(content, types: [format.type])
      self.size = size
      attachment.others[Key.width] = size.map { .integer(Int64($0.width)) }
      attachment.others[Key.height] = size.map { .integer(Int64($0.height)) }
      try check()
    }

    /// Reads a thumbnail: an attachment that may have `width` and `height`.
    ///
    /// - Throws: `ItemFailure`, as for attachments and for pictures.
    public init(_ value: PropertyList) throws(ItemFailure) {
      attachment = try Attachment(value)
      let values = TypedValues(attachment.others)
      let width = values.unsignedInteger(Key.width).flatMap { Int(exactly: $0) }
      let height = values.unsignedInteger(Key.height).flatMap { Int(exactly: $0) }
      size = width.flatMap { width in height.flatMap { Size(width: width, height: $0) } }
      try check()
    }

    private func check() throws(ItemFailure) {
      switch attachment.content {
      case .path: return
      case .data(let bytes) where bytes.count <= Self.sizeLimit && Format(bytes) != nil: return
      case .text, .data: throw ItemFailure(.thumbnail)
      }
    }

    /// The same picture at another path.
    public func moved(to path: String) -> Thumbnail {
      var moved = self
      moved.attachment.content = .path(path)
      return moved
    }

    /// The thumbnail as items have it.
    var dictionary: PropertyList.Dictionary { attachment.dictionary }

    /// The picture for a size that somebody suggests: the smallest of those that are as large, else
    /// the largest. Those that tell no size come last.
    public static func best(of thumbnails: [Thumbnail], for size: Size) -> Thumbnail? {
      func area(_ thumbnail: Thumbnail) -> Int {
        thumbnail.size.map { $0.width * $0.height } ?? 0
      }
      let covering = thumbnails.filter { thumbnail in
        thumbnail.size.map { $0.width >= size.width && $0.height >= size.height } ?? false
      }
      // Of equal ones the first counts.
      return covering.min { area($0) < area($1) }
        ?? thumbnails.reversed().max { area($0) < area($1) }
    }
  }

  /// Small pictures of what is handed over, perhaps of several sizes. Those that are malformed are
  /// left out.
  public var thumbnails: [Thumbnail] {
    get {
      (values.array(Key.thumbnails) ?? []).compactMap { try? Thumbnail($0) }
    }
    set {
      userInfo[Key.thumbnails] =
        newValue.isEmpty ? nil : .array(newValue.map { .dictionary($0.dictionary) })
    }
  }

  /// The small picture for an activity; `nil` if there is none, or the activity receives nothing.
  public func thumbnail(for activity: ActivityType, size: Thumbnail.Size) -> Thumbnail? {
    let parts = parts(for: activity)
    if parts.receivesNothing { return nil }
    return Thumbnail.best(of: parts.thumbnails ?? thumbnails, for: size)
  }

  func thumbnailFlaws(_ value: PropertyList?, at keyPath: String) -> [ItemFlaw] {
    guard let value else { return [] }
    guard case .array(let elements) = value else {
      return [ItemFlaw(.type(expected: "an array"), at: keyPath)]
    }
    return elements.enumerated().compactMap { position, element in
      do throws(ItemFailure) {
        _ = try Thumbnail(element)
        return nil
      } catch {
        return ItemFlaw(.attachment(error.reason), at: "\(keyPath)[\(position)]")
      }
    }
  }
}

extension ShareItem.Thumbnail.Size {
  /// The size that the head of a PNG or JPEG picture tells; `nil` if it tells none. Nothing is
  /// decoded.
  public init?(ofPicture bytes: [UInt8]) {
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= bytes.count else { return nil }
      return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    switch ShareItem.Thumbnail.Format(bytes) {
    case .png?:
      guard bytes.dropFirst(12).starts(with: "IHDR".utf8), let width = number(16, 4),
        let height = number(20, 4)
      else { return nil }
      self.init(width: width, height: height)
    case .jpeg?:
      var offset = 2
      // Segments have two bytes of marker and two of length, which counts itself.
      while let marker = number(offset, 2), marker >> 8 == 0xff, let length = number(offset + 2, 2),
        length >= 2
      {
        let isFrame =
          (0xffc0...0xffcf).contains(marker) && ![0xffc4, 0xffc8, 0xffcc].contains(marker)
        if isFrame {
          guard let height = number(offset + 5, 2), let width = number(offset + 7, 2) else {
            return nil
          }
          self.init(width: width, height: height)
          return
        }
        offset += 2 + length
      }
      return nil
    case nil: return nil
    }
  }
}
