internal import TextFormats

/// An absolute URL with a host, of which nothing is left to resolve and no fragment kept.
///
/// It is well formed; whether it may be fetched is not asked here.
package struct ResolvedURL: Hashable, Sendable {
  /// Longer URLs are refused.
  package static let limit = 2048

  /// Why a text is no such URL, in words that stand alone.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  package let text: String

  /// - Throws: `Refusal` where the text is no absolute URL by RFC 3986, or longer than 2048 bytes.
  package init(_ text: String) throws(Refusal) {
    try self.init(URLReference(Self.bounded(text)))
  }

  /// Resolves a reference by RFC 3986, section 5.
  ///
  /// - Throws: `Refusal` where the result is no absolute URL, or one of the texts is longer than
  ///   2048 bytes.
  package init(_ reference: String, against base: ResolvedURL) throws(Refusal) {
    let reference = URLReference(try Self.bounded(reference))
    try self.init(reference.resolved(against: URLReference(base.text)))
  }

  private init(_ reference: URLReference) throws(Refusal) {
    let whole = try Self.bounded(reference.text)
    _ = try Result { () throws(AbsoluteURL.Flaw) in try AbsoluteURL(whole) }
      .mapError { Refusal(reason: $0.reason) }.get()
    var sent = reference
    sent.fragment = nil
    text = sent.text
  }

  private static func bounded(_ text: String) throws(Refusal) -> String {
    guard text.utf8.count <= limit else {
      throw Refusal(reason: "the URL is longer than \(limit) bytes")
    }
    return text
  }
}

/// A URL, or part of one that is meant relative to another, taken apart by RFC 3986, appendix B.
///
/// Every text has such parts; whether they make a URL is for `ResolvedURL` to say.
package struct URLReference: Hashable, Sendable {
  package private(set) var scheme: String?
  package private(set) var authority: String?
  package private(set) var path: String
  package private(set) var query: String?
  /// No server sees it.
  package fileprivate(set) var fragment: String?

  package init(_ text: String) {
    var rest = Array(text.utf8)[...]
    fragment = Self.cut(&rest, after: UInt8(ascii: "#"))
    query = Self.cut(&rest, after: UInt8(ascii: "?"))
    if let end = rest.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
      rest[end] == UInt8(ascii: ":"), end > rest.startIndex
    {
      scheme = Self.text(rest[..<end])
      rest = rest[(end + 1)...]
    }
    if rest.starts(with: "//".utf8) {
      let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      authority = Self.text(host)
      rest = rest[host.endIndex...]
    }
    path = Self.text(rest)
  }

  /// The parts put together, by RFC 3986, section 5.3.
  package var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }

  /// The reference resolved against `base`, by RFC 3986, section 5.2, strictly.
  package func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme == nil {
      target.scheme = base.scheme
      if authority == nil {
        target.authority = base.authority
        if path.isEmpty {
          target.path = base.path
          target.query = query ?? base.query
          return target
        }
        if path.utf8.first != UInt8(ascii: "/") { target.path = merged(base) }
      }
    }
    target.path = Self.removingDotSegments(target.path)
    return target
  }

  /// RFC 3986, section 5.2.3.
  private func merged(_ base: URLReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    let directory = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? ""
    return String(directory) + path
  }

  /// RFC 3986, section 5.2.4.
  private static func removingDotSegments(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    var input = Array(path.utf8)[...]
    var output: [UInt8] = []
    while !input.isEmpty {
      if input.starts(with: "../".utf8) {
        input = input.dropFirst(3)
      } else if input.starts(with: "./".utf8) || input.starts(with: "/./".utf8) {
        input = input.dropFirst(2)
      } else if input.elementsEqual("/.".utf8) {
        input = [slash]
      } else if input.starts(with: "/../".utf8) || input.elementsEqual("/..".utf8) {
        input = input.count == 3 ? [slash] : input.dropFirst(3)
        output.removeSubrange((output.lastIndex(of: slash) ?? 0)...)
      } else if input.elementsEqual(".".utf8) || input.elementsEqual("..".utf8) {
        input = []
      } else {
        let end = input.dropFirst().firstIndex(of: slash) ?? input.endIndex
        output += input[..<end]
        input = input[end...]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Cuts `bytes` before the first `mark` and returns the text after the mark.
  private static func cut(_ bytes: inout ArraySlice<UInt8>, after mark: UInt8) -> String? {
    guard let place = bytes.firstIndex(of: mark) else { return nil }
    defer { bytes = bytes[..<place] }
    return text(bytes[(place + 1)...])
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
