import CGIO
import CompanionProtocol
import Glibc
import LinuxSystem

/// Mail by the portal, and bookmarks, as `HandoffProtocol` asks for them.
enum Handover {
  /// More bytes than a list of bookmarks and the texts of a mail have.
  private static let limit = 64 << 20

  /// Answers the request on standard input.
  static func answer(_ job: HandoffProtocol.Job) throws(DesktopFailure) -> [UInt8] {
    let input: [UInt8]
    do throws(Errno) {
      guard let bytes = try Descriptor.read(STDIN_FILENO, limit: limit) else {
        throw .invalidArgument
      }
      input = bytes
    } catch {
      throw DesktopFailure("cannot read the request: \(error.description.lowercased())")
    }
    switch job {
    case .mail: return mail(input).bytes
    case .bookmark: return try bookmark(input)
    case .bookmarks:
      return try unsafe answer { length, failure in
        unsafe withText(input) { unsafe cgio_bookmarks($0, gsize(input.count), length, failure) }
      }
    case .removal:
      let (words, list) = try split(input, 1)
      return try unsafe answer { length, failure in
        unsafe withText(list) {
          unsafe cgio_bookmark_removed($0, gsize(list.count), words[0], length, failure)
        }
      }
    }
  }

  private static func mail(_ words: [UInt8]) -> DesktopProtocol.Record {
    do throws(DesktopFailure) {
      let response = try SessionBus().mail(words)
      return .outcome(.portal(method: "ComposeEmail", target: [], answer: response))
    } catch {
      return .outcome(.failed(targets: [], reason: error.description))
    }
  }

  private static func bookmark(_ input: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    let (words, list) = try split(input, 4)
    return try unsafe answer { length, failure in
      unsafe withText(list) {
        unsafe cgio_bookmark(
          $0, gsize(list.count), words[0], words[1], words[2], words[3], length, failure)
      }
    }
  }

  /// The words at the beginning of a request, and what follows them.
  private static func split(
    _ input: [UInt8], _ count: Int
  ) throws(DesktopFailure) -> (words: [String], rest: [UInt8]) {
    var rest = input[...]
    var words: [String] = []
    while words.count < count {
      guard let end = rest.firstIndex(of: 0) else {
        throw DesktopFailure("docsource has a different version")
      }
      words.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    return (words, Array(rest))
  }

  /// The bytes that GLib returns, with their length, or its failure.
  private static func answer(
    _ body: (UnsafeMutablePointer<gsize>, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>)
      -> UnsafeMutablePointer<CChar>?
  ) throws(DesktopFailure) -> [UInt8] {
    var failure: UnsafeMutablePointer<GError>?
    var length: gsize = 0
    guard let bytes = unsafe body(&length, &failure) else {
      throw unsafe DesktopFailure(failure)
    }
    defer { unsafe g_free(bytes) }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
  }
}
