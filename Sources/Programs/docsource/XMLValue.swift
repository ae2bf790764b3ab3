import CommandLineInterface
import CompanionProtocol
import Synchronization

/// Values of attributes that are XML property lists, as some programs write them.
enum XMLValue {
  /// The program that reads them, from the first one on until this process ends: a tree may have
  /// any number of them.
  private static let companion = Mutex<CompanionConnection?>(nil)

  /// The list as a binary one, made by `docsource-xml`; `nil` where it cannot be read.
  ///
  /// What keeps it from being read goes untold: the value counts as damaged then, which is told.
  @Sendable static func binary(_ xml: [UInt8]) -> [UInt8]? {
    // Longer than any attribute.
    guard xml.count <= XMLProtocol.limit else { return nil }
    return companion.withLock { companion in
      if let answer = answer(of: companion, to: xml) { return XMLProtocol.list(answer) }
      // None is running, or its processor time was used up, which is that of thousands of values.
      companion = try? CompanionConnection(
        .xml, [Array(XMLProtocol.verb.utf8)], limit: XMLProtocol.messageLimit)
      guard let answer = answer(of: companion, to: xml) else {
        companion = nil
        return nil
      }
      return XMLProtocol.list(answer)
    }
  }

  /// - Returns: `nil` if there is none, or it has ended.
  private static func answer(
    of companion: CompanionConnection?, to xml: [UInt8]
  ) -> CompanionMessage? {
    (try? companion?.answer(to: XMLProtocol.message(xml))) ?? nil
  }
}
