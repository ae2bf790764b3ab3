import CGIO
import CompanionProtocol
import Glibc
import LinuxSystem

/// Mail by the portal, and bookmarks, as `HandoffProtocol` asks for them.
enum Handover {
  /// Answers the request on standard input.
  static func answer(_ job: HandoffProtocol.Job) throws(DesktopFailure) -> [UInt8] {
    let request: CompanionMessage
    do throws(CompanionMessage.Failure) {
      let limit = HandoffProtocol.messageLimit
      request = try CompanionMessage.receive(from: STDIN_FILENO, limit: limit) ?? .init()
    } catch {
      throw DesktopFailure("cannot read the request: \(error)")
    }
    switch job {
    case .mail: return mail(request.fields).bytes
    case .bookmark: return CompanionMessage([try bookmark(request)]).bytes
    case .bookmarks:
      let (_, list) = try split(request, 0)
      let texts = try unsafe answer { length, failure in
        unsafe withText(list) { unsafe cgio_bookmarks($0, gsize(list.count), length, failure) }
      }
      // Each has a NUL after it.
      let fields = texts.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      return CompanionMessage(fields.map { Array($0) }).bytes
    case .removal:
      let (words, list) = try split(request, 1)
      let changed = try unsafe answer { length, failure in
        unsafe withText(list) {
          unsafe cgio_bookmark_removed($0, gsize(list.count), words[0], length, failure)
        }
      }
      return CompanionMessage([changed]).bytes
    }
  }

  private static func mail(_ fields: [[UInt8]]) -> DesktopProtocol.Record {
    do throws(DesktopFailure) {
      let response = try SessionBus().mail(fields.flatMap { $0.filter { $0 != 0 } + [0] })
      return .outcome(.portal(method: "ComposeEmail", target: [], answer: response))
    } catch {
      return .outcome(.failed(targets: [], reason: error.description))
    }
  }

  private static func bookmark(_ request: CompanionMessage) throws(DesktopFailure) -> [UInt8] {
    let (words, list) = try split(request, 4)
    return try unsafe answer { length, failure in
      unsafe withText(list) {
        unsafe cgio_bookmark(
          $0, gsize(list.count), words[0], words[1], words[2], words[3], length, failure)
      }
    }
  }

  /// The texts of a request, and the list after them.
  private static func split(
    _ request: CompanionMessage, _ count: Int
  ) throws(DesktopFailure) -> (texts: [String], list: [UInt8]) {
    guard request.fields.count == count + 1 else {
      throw DesktopFailure("docsource has a different version")
    }
    return ((0..<count).map { request.text($0) }, request.fields[count])
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
