import CGIO
import ForeignFormats
import Glibc
import LinuxSystem

/// Mail by the portal, and bookmarks, as `HandoverConversation` asks for them.
enum Handover {
  /// More bytes than a list of bookmarks and the texts of a mail have.
  private static let limit = 64 << 20

  /// Answers the request on standard input.
  static func answer(_ job: HandoverConversation.Job) throws(DesktopFailure) -> [UInt8] {
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
    }
  }

  private static func mail(_ words: [UInt8]) -> LaunchConversation.Record {
    do throws(DesktopFailure) {
      let response = try SessionBus().mail(words)
      return LaunchConversation.Record(.portal, "ComposeEmail", "", "\(response)")
    } catch {
      return LaunchConversation.Record(.failed, "", error.description)
    }
  }

  private static func bookmark(_ input: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    var rest = input[...]
    var words: [String] = []
    while words.count < 4 {
      guard let end = rest.firstIndex(of: 0) else {
        throw DesktopFailure("docsource has a different version")
      }
      words.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    var failure: UnsafeMutablePointer<GError>?
    var length: gsize = 0
    let list = unsafe withText(Array(rest)) {
      unsafe cgio_bookmark(
        $0, gsize(rest.count), words[0], words[1], words[2], words[3], &length, &failure)
    }
    guard let list = unsafe list else { throw unsafe DesktopFailure(failure) }
    defer { unsafe g_free(list) }
    return unsafe Array(UnsafeRawBufferPointer(start: list, count: Int(length)))
  }
}
