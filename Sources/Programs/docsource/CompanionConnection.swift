import CLinux
import CommandLineInterface
import CompanionProtocol
import Glibc
import LinuxSystem

/// A companion that answers one message after the other, and the socket that leads to its standard
/// input and output. It ends with the last reference to this.
final class CompanionConnection: Sendable {
  private let program: RunningProgram
  private let socket: CInt
  private let limit: Int

  /// Starts a companion.
  ///
  /// The corresponding C function is socketpair(2).
  ///
  /// - Parameter limit: the most bytes that an answer may have.
  init(
    _ companion: CompanionProgram, _ arguments: [[UInt8]], limit: Int
  ) throws(ChildProcess.Failure) {
    var ends: [CInt] = [-1, -1]
    let result = unsafe clinux_socket_pair(&ends)
    guard result == 0 else {
      throw ChildProcess.Failure(
        description: "cannot start \(companion.name): \(Errno(rawValue: -result))")
    }
    defer { close(ends[1]) }
    do throws(ChildProcess.Failure) {
      program = try companion.startConversation(arguments, on: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    socket = ends[0]
    self.limit = limit
  }

  deinit {
    close(socket)
    // It ends when it has nothing more to read.
    _ = program.wait()
  }

  /// Sends a message and waits for the answer. The caller sees to it that no other thread asks.
  ///
  /// - Returns: `nil` if the companion has ended without one.
  func answer(
    to message: CompanionMessage
  ) throws(CompanionMessage.Failure) -> CompanionMessage? {
    do throws(Errno) {
      try send(message.bytes)
    } catch {
      throw .errno(error)
    }
    return try CompanionMessage.receive(from: socket, limit: limit)
  }

  /// Writes to the socket. A program that has ended is no reason to end, too.
  ///
  /// The corresponding C function is send(2).
  private func send(_ bytes: [UInt8]) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(
        try Descriptor.retrying {
          unsafe rest.withUnsafeBytes {
            unsafe Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
          }
        })
    }
  }
}

/// The secrets that an app and its share targets have in common, kept by the desktop's keyring.
/// docsource-share asks it; no secret is ever written to a file.
enum SecretService {
  static func ask(
    _ verb: SecretProtocol.Verb, group: String, service: String, account: String,
    secret: [UInt8] = []
  ) -> SecretProtocol.Answer {
    guard secret.count <= SecretProtocol.limit else { return .failed(SecretProtocol.excess) }
    do {
      let connection = try CompanionConnection(
        .secrets, [verb.rawValue, group, service, account].map { Array($0.utf8) },
        limit: SecretProtocol.messageLimit)
      if let message = try connection.answer(to: CompanionMessage([secret])),
        let answer = SecretProtocol.Answer(message)
      {
        return answer
      }
    } catch let failure as ChildProcess.Failure {
      return .failed(failure.description)
    } catch {
      return .failed("cannot talk to docsource-share: \(error)")
    }
    return .failed("docsource-share has ended without an answer")
  }
}
