/// What an error of Codable says, in a form that can be compared.
struct CodingPlace: Equatable, CustomStringConvertible {
  let kind: String
  let path: [String]
  let text: String

  init(_ kind: String, _ path: [String], _ text: String) {
    self.kind = kind
    self.path = path
    self.text = text
  }

  init?(_ error: any Error) {
    switch error {
    case DecodingError.typeMismatch(_, let context): self.init("typeMismatch", context)
    case DecodingError.valueNotFound(_, let context): self.init("valueNotFound", context)
    case DecodingError.keyNotFound(_, let context): self.init("keyNotFound", context)
    case DecodingError.dataCorrupted(let context): self.init("dataCorrupted", context)
    case EncodingError.invalidValue(_, let context):
      self.init(
        "invalidValue", context.codingPath.map(\.stringValue), context.debugDescription)
    default: return nil
    }
  }

  private init(_ kind: String, _ context: DecodingError.Context) {
    self.init(kind, context.codingPath.map(\.stringValue), context.debugDescription)
  }

  var description: String { "\(kind) at \(path): \(text)" }

  /// What a function throws, or `nil` when it throws nothing.
  static func thrown(by body: () throws -> Void) -> CodingPlace? {
    do {
      try body()
      return nil
    } catch {
      return CodingPlace(error)
    }
  }
}
