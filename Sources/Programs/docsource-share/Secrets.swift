import CGIO
import CompanionProtocol
import Glibc
import LinuxSystem

/// The Secret Service of the user's session.
enum Secrets {
  /// Answers one request: `VERB GROUP SERVICE ACCOUNT`, with the secret to store on standard input.
  static func answer(
    _ verb: SecretProtocol.Verb, _ words: [[UInt8]]
  ) -> SecretProtocol.Answer {
    guard words.count == 3 else { return .failed("docsource has a different version") }
    let secret: [UInt8]
    do throws(CompanionMessage.Failure) {
      let request = try CompanionMessage.receive(
        from: STDIN_FILENO, limit: SecretProtocol.messageLimit)
      secret = request?.fields.first ?? []
    } catch {
      if error == .malformed(.tooLong) { return .failed(SecretProtocol.excess) }
      return .failed("cannot read the secret: \(error)")
    }
    guard secret.count <= SecretProtocol.limit else { return .failed(SecretProtocol.excess) }
    var failure: UnsafeMutablePointer<GError>?
    guard let bus = unsafe g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &failure) else {
      return unsafe .failed("cannot reach the session bus: \(Self.words(of: failure))")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(bus)) }
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    var found: OpaquePointer?
    let result: CInt =
      switch verb {
      case .lookup:
        unsafe cgio_secret_lookup(bus, texts[0], texts[1], texts[2], &found, &failure)
      case .remove: unsafe cgio_secret_clear(bus, texts[0], texts[1], texts[2], &failure)
      case .store:
        unsafe secret.withUnsafeBytes { bytes in
          unsafe cgio_secret_store(
            bus, texts[0], texts[1], texts[2], "\(texts[1]): \(texts[2])", bytes.baseAddress,
            gsize(bytes.count), &failure)
        }
      }
    switch result {
    case 0:
      guard let bytes = unsafe found else { return .done([]) }
      defer { unsafe g_bytes_unref(bytes) }
      var size: gsize = 0
      let start = unsafe g_bytes_get_data(bytes, &size)
      return unsafe .done(Array(UnsafeRawBufferPointer(start: start, count: Int(size))))
    case 1: return .none
    default:
      if unsafe failure != nil, unsafe cgio_secret_is_missing(failure) != 0 {
        unsafe g_error_free(failure)
        return .failed("no program offers the Secret Service (org.freedesktop.secrets)")
      }
      return unsafe .failed("the Secret Service refuses: \(Self.words(of: failure))")
    }
  }

  private static func words(of failure: UnsafeMutablePointer<GError>?) -> String {
    defer { unsafe g_error_free(failure) }
    return unsafe failure?.pointee.message.map { unsafe String(cString: $0) } ?? "unknown error"
  }
}
