internal import TextFormats

/// What may be written. Reading is more tolerant.
public struct WritingRules: Sendable {
  /// Which URLs are accepted as `appInfoURL`.
  public enum Schemes: Sendable {
    case httpsOnly
    case any
  }

  public var schemes: Schemes

  public init(schemes: Schemes = .httpsOnly) { self.schemes = schemes }

  /// Refuses a value that readers could not use.
  ///
  /// - Throws: `RefusedValue`: a NUL anywhere, or an `appInfoURL` that is no absolute URL by
  ///   RFC 3986 or has another scheme than https.
  public func check(_ value: String, for field: DocumentSource.Field) throws(RefusedValue) {
    if value.utf8.contains(0) { throw RefusedValue(field, "contains a NUL character") }
    guard field == .appInfoURL else { return }
    let url: AbsoluteURL
    do throws(AbsoluteURL.Flaw) {
      url = try AbsoluteURL(value)
    } catch {
      throw RefusedValue(field, error.reason)
    }
    guard schemes == .any || url.scheme == "https" else {
      throw RefusedValue(field, "the scheme '\(url.scheme)' is not https", remedy: .anyScheme)
    }
  }

  /// What is doubtful about a value that may be written all the same, or `nil`.
  public func doubt(about value: String, for field: DocumentSource.Field) -> String? {
    guard field == .identifier, !Self.isReverseDNS(value) else { return nil }
    return "identifier '\(value)' is not in reverse-DNS form like com.example.app"
  }

  /// Two labels or more of letters, digits, `-` and `_`, separated by dots, as bundle identifiers
  /// and desktop file identifiers are written.
  private static func isReverseDNS(_ identifier: String) -> Bool {
    let labels = identifier.utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(isLabelByte) }
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
  }
}

/// A value that must not be written, and why.
public struct RefusedValue: Error, Hashable, Sendable {
  public let field: DocumentSource.Field
  /// What is wrong, as the fronts print it after the field's name or its option.
  public let reason: String
  /// What would let the value through, where anything does.
  public let remedy: DocumentSourceError.Remedy?

  init(
    _ field: DocumentSource.Field, _ reason: String, remedy: DocumentSourceError.Remedy? = nil
  ) {
    self.field = field
    self.reason = reason
    self.remedy = remedy
  }
}
