internal import Glibc
package import LinuxSystem
internal import TextFormats

/// What a word of the command line means to the desktop: a file, or a URL.
package struct DesktopTarget {
  /// The absolute path of a file that is there, or the URL.
  package let place: [UInt8]
  /// What the URL has and nobody gets.
  package private(set) var losses: [String] = []

  /// - Throws: `Refusal` in words that follow the operand.
  package init(_ operand: [UInt8]) throws(Refusal) {
    guard let path = FilePath(bytes: operand), !operand.isEmpty else {
      throw Refusal(reason: "no such file or directory")
    }
    var status = stat()
    if unsafe path.withCString({ unsafe stat($0, &status) }) == 0 {
      if let absolute = Self.absolute(path) {
        place = absolute
        return
      }
    } else if Self.isURL(operand) {
      do throws(ActivityURL.Failure) {
        let rebuilt = try ActivityURL.opened(String(decoding: operand, as: UTF8.self))
        (place, losses) = (Array(rebuilt.url.utf8), rebuilt.leftOut)
        return
      } catch {
        throw Refusal(reason: "cannot open: \(error)")
      }
    }
    let reason = Errno.current.description.lowercased()
    let isFileURL = operand.prefix(5).map { $0 | 0x20 }.elementsEqual("file:".utf8)
    throw Refusal(
      reason:
        "cannot open: \(isFileURL ? "a URL of a file is not followed; give its path" : reason)")
  }

  /// What Apple's systems alone know is translated, unless somebody here knows it: a URL of `maps:`
  /// becomes one of `geo:`.
  ///
  /// - Throws: `DesktopFailure`, or `ActivityURL.Failure` for a URL that says no place.
  package static func translated(_ url: String, _ desktop: any DesktopClient) throws -> String {
    guard isMaps(url), try desktop.handlers(of: ["maps"]).isEmpty else { return url }
    return try ActivityURL.geo(url)
  }

  /// What a place has that the geo: URL that it becomes has no place for.
  package static func losses(ofPlace text: String) -> [String] {
    ActivityURL.leftOut(ofPlace: text).map { "\($0), which geo: URLs do not have" }
  }

  package static func isMaps(_ url: String) -> Bool { hasScheme("maps", url) }

  /// Whether a text begins with a scheme, whatever its length.
  private static func hasScheme(_ scheme: String, _ text: String) -> Bool {
    let lead = text.utf8.prefix(scheme.utf8.count + 1)
    return String(decoding: lead, as: UTF8.self).lowercased() == scheme + ":"
  }

  /// Whether a word is a URL that applications are registered for. One of a file is none: what it
  /// names need not be there.
  package static func isURL(_ operand: [UInt8]) -> Bool {
    guard let text = String(validating: operand, as: UTF8.self), AbsoluteURL.hasScheme(text) else {
      return false
    }
    return !hasScheme("file", text)
      && operand.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }

  /// The path without `.` and, where it has `..`, without links: what comes before may be one.
  package static func absolute(_ path: FilePath) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    var parts = path.bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    if parts.contains(where: { $0.elementsEqual("..".utf8) }) {
      return path.realPath.map { Array($0.bytes) }
    }
    if path.bytes.first != slash {
      guard let directory = FilePath(".").realPath else { return nil }
      parts = directory.bytes.split(separator: slash) + parts
    }
    // Joined without generic code, which the runtime would have to look up: a tenth of a start.
    var absolute: [UInt8] = []
    for part in parts {
      absolute.append(slash)
      absolute += part
    }
    return absolute.isEmpty ? [slash] : absolute
  }
}
