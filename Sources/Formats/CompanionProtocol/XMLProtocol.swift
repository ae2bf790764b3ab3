/// How docsource hands XML property lists to docsource-xml, one after the other, and gets each as a
/// binary one.
package enum XMLProtocol {
  /// What docsource-xml is called with.
  package static let verb = "property-lists"
  /// Longer than any attribute, and what is made of it; in bytes.
  package static let limit = 16 << 20
  /// Of a message that has one list.
  package static let messageLimit = limit + CompanionMessage.headLength

  /// A message has one list. The answer to a list that cannot be read has none.
  package static func message(_ list: [UInt8]?) -> CompanionMessage {
    CompanionMessage(list.flatMap { $0.count <= limit ? [$0] : nil } ?? [])
  }

  /// The list of a message; `nil` if it has none.
  package static func list(_ message: CompanionMessage) -> [UInt8]? { message.fields.first }
}
