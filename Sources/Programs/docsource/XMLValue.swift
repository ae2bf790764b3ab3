import CLinux
import CommandLineInterface
import CompanionProtocol
import Glibc
import LinuxSystem
import Synchronization

/// Values of attributes that are XML property lists, as some programs write them.
enum XMLValue {
  /// The program that reads them, from the first one on until this process ends: a tree may have
  /// any number of them.
  private static let companion = Mutex<XMLCompanion?>(nil)

  /// The list as a binary one, made by `docsource-xml`; `nil` where it cannot be read.
  ///
  /// What keeps it from being read goes untold: the value counts as damaged then, which is told.
  @Sendable static func binary(_ xml: [UInt8]) -> [UInt8]? {
    companion.withLock { companion in
      if let answer = companion?.answer(to: xml) { return answer.list }
      // None is running, or its processor time was used up, which is that of thousands of values.
      companion = XMLCompanion()
      guard let answer = companion?.answer(to: xml) else {
        companion = nil
        return nil
      }
      return answer.list
    }
  }
}

/// A `docsource-xml` that reads one value after the other.
private final class XMLCompanion {
  /// What it said of a value.
  struct Answer {
    /// `nil` where the value cannot be read.
    let list: [UInt8]?
  }

  private let program: RunningProgram
  /// Leads to its standard input and output.
  private let socket: CInt

  /// `nil` where it cannot be started.
  init?() {
    var ends: [CInt] = [-1, -1]
    guard unsafe clinux_socket_pair(&ends) == 0 else { return nil }
    defer { close(ends[1]) }
    guard
      let program = try? CompanionProgram.xml.startConversation(
        [Array(XMLProtocol.verb.utf8)], on: ends[1])
    else {
      close(ends[0])
      return nil
    }
    self.program = program
    socket = ends[0]
  }

  deinit {
    close(socket)
    // It ends when it has nothing more to read.
    _ = program.wait()
  }

  /// - Returns: `nil` where the program has ended.
  func answer(to xml: [UInt8]) -> Answer? {
    do throws(Errno) {
      try send(XMLProtocol.message(xml))
      return try XMLProtocol.receive(from: socket).map { answer in
        Answer(list: answer.isEmpty ? nil : answer)
      }
    } catch {
      return nil
    }
  }

  /// Writes to the socket. A program that has ended is no reason to end, too.
  ///
  /// The corresponding C function is send(2).
  private func send(_ message: [UInt8]) throws(Errno) {
    var rest = message[...]
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
