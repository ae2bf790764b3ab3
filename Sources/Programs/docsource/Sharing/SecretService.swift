import CLinux
import CompanionProtocol
import Glibc
import LinuxSystem

/// The secrets that an app and its share targets have in common, kept by the desktop's keyring.
/// docsource-share asks it; no secret is ever written to a file.
enum SecretService {
  private static let companion = CompanionProgram.secrets

  static func ask(
    _ verb: SecretProtocol.Verb, group: String, service: String, account: String,
    secret: [UInt8] = []
  ) -> SecretProtocol.Answer {
    var ends: [CInt] = [-1, -1]
    guard unsafe clinux_socket_pair(&ends) == 0 else {
      return .failed("cannot start docsource-share: \(Errno.current)")
    }
    defer { close(ends[0]) }
    let program: RunningProgram
    do throws(ChildProcess.Failure) {
      defer { close(ends[1]) }
      program = try companion.startConversation(
        [verb.rawValue, group, service, account].map { Array($0.utf8) }, on: ends[1])
    } catch {
      return .failed(error.description)
    }
    defer { _ = program.wait() }
    do throws(Errno) {
      var rest = secret[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(
          try Descriptor.retrying {
            unsafe rest.withUnsafeBytes {
              unsafe send(ends[0], $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
          })
      }
      shutdown(ends[0], CInt(SHUT_WR))
      if let bytes = try SecretProtocol.receive(from: ends[0]),
        let answer = SecretProtocol.Answer(bytes)
      {
        return answer
      }
    } catch {
      return .failed("cannot talk to docsource-share: \(error.description.lowercased())")
    }
    return .failed("docsource-share has ended without an answer")
  }
}
