internal import CompanionProtocol

/// How a file came to have its document source.
enum SealedFile: UInt8 {
  /// By being tagged, or before it was written: an "o".
  case own = 0x6f
  /// From an earlier file, whose place it has taken: an "i".
  case inherited = 0x69

  /// As one text.
  static func text(_ files: [SealedFile]) -> String {
    String(decoding: files.map(\.rawValue), as: UTF8.self)
  }

  /// - Returns: `nil` for another text.
  static func files(_ text: String) -> [SealedFile]? {
    let files = text.utf8.compactMap { SealedFile(rawValue: $0) }
    return files.count == text.utf8.count ? files : nil
  }
}

/// What the reader of events says to the witness; open files come with it.
enum WitnessRequest: Hashable {
  /// What is written on the file system of the file, which is open as O_PATH, is to be seen.
  case place
  /// Who wrote the files is to be recorded, if it is known; they are open for reading.
  case seal([SealedFile])

  var message: CompanionMessage {
    switch self {
    case .place: CompanionMessage("place")
    case .seal(let files): CompanionMessage("seal", SealedFile.text(files))
    }
  }

  /// - Returns: `nil` for a message of another version.
  init?(_ message: CompanionMessage) {
    switch (message.text(0), message.fields.count) {
    case ("place", 1): self = .place
    case ("seal", 2):
      guard let files = SealedFile.files(message.text(1)) else { return nil }
      self = .seal(files)
    default: return nil
    }
  }
}
