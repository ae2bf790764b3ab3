package import ShareItem
internal import UniformType

/// One thing that is shared.
package struct SharedThing {
  package enum Content: Equatable {
    /// An absolute path.
    case file([UInt8])
    case url(String)
    case text(String)
    case data([UInt8])
  }

  package var content: Content
  /// The MIME type, where it is known.
  package var mediaType: String?
  /// The uniform type.
  package var type: String?
  /// What a file with the content ought to be called.
  package var suggestedName: String?
  /// Whether a file is a picture or film of the user's collection.
  package var isAsset = false

  package init(_ content: Content, type: String? = nil) {
    self.content = content
    self.type = type
  }

  /// Whether the type is one of these, or a kind of one.
  func conforms(to types: [String]) -> Bool {
    guard let type else { return false }
    return types.contains { TypeTree.builtIn.conforms(type, to: $0) }
  }

  package var isImage: Bool { conforms(to: ["public.image"]) }
  package var isMovie: Bool { conforms(to: ["public.movie"]) }

  package var kinds: ActivityKinds {
    var kinds: ActivityKinds
    switch content {
    case .file: kinds = isAsset ? [.file, .asset] : .file
    // A URL can always be said.
    case .url(let text): kinds = ActivityKinds.url(text).union(.string)
    case .text: kinds = .string
    case .data: kinds = [.data, .typedData]
    }
    if isImage { kinds.insert(.image) }
    if isMovie { kinds.insert(.movie) }
    if conforms(to: ["public.html", "public.rtf", "net.daringfireball.markdown"]) {
      kinds.insert(.attributed)
    }
    return kinds
  }

  /// What applications open; `nil` for texts and data.
  package var target: [UInt8]? {
    switch content {
    case .file(let path): path
    case .url(let url): Array(url.utf8)
    case .text, .data: nil
    }
  }

  package var file: [UInt8]? { if case .file(let path) = content { path } else { nil } }
  package var url: String? { if case .url(let url) = content { url } else { nil } }

  /// What can be said of it: a text or a URL.
  package var words: String? {
    switch content {
    case .text(let text), .url(let text): text
    case .file, .data: nil
    }
  }

  /// As an item has it.
  package func attachment() throws(Refusal) -> ShareItem.Attachment {
    switch content {
    case .url(let url): return .url(url)
    case .text(let text): return .text(text)
    case .data(let bytes):
      guard let attachment = try? ShareItem.Attachment(.data(bytes), types: [type ?? "public.data"])
      else { throw Refusal(reason: "data without a type") }
      return attachment
    case .file(let path):
      guard let path = String(validating: path, as: UTF8.self) else {
        throw Refusal(reason: "the path of the file is not UTF-8")
      }
      return .file(path, type: type, mediaType: mediaType)
    }
  }
}

extension SharedThing {
  package static func mediaType(of type: String) -> String? {
    TypeTree.builtIn.mimeTypes(of: type).first
  }
}

extension SharedThing {
  /// As activities of the user's own judge it.
  package var custom: CustomActivity.Thing {
    CustomActivity.Thing(
      kinds, address: target.map { String(decoding: $0, as: UTF8.self) }, mediaType: mediaType)
  }
}
