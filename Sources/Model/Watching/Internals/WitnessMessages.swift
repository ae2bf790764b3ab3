internal import CompanionProtocol

/// What the reader of events says to the witness; an open file comes with each.
enum WitnessRequest: String {
  /// What is written on the file system of the file, which is open as O_PATH, is to be seen.
  case place
  /// Who wrote the file is to be recorded, if it is known; the file is open for reading.
  case seal

  var message: CompanionMessage { CompanionMessage(rawValue) }

  /// - Returns: `nil` for a message of another version.
  init?(_ message: CompanionMessage) {
    guard message.fields.count == 1 else { return nil }
    self.init(rawValue: message.text(0))
  }
}
