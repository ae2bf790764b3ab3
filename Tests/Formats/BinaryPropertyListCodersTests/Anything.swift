import Foundation

/// Whatever a property list holds, as a recursive type that asks for one kind after the other.
indirect enum Anything: Decodable {
  case list([Anything])
  case dictionary([String: Anything])
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  case date(Date)
  case data(Data)
  case text(String)
  case nothing

  init(from decoder: any Decoder) throws {
    do {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        self = .boolean(value)
      } else if let value = try? container.decode(Int128.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .real(value)
      } else if let value = try? container.decode(Date.self) {
        self = .date(value)
      } else if let value = try? container.decode(Data.self) {
        self = .data(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if container.decodeNil() {
        self = .nothing
      } else {
        self = .list(try container.decode([Anything].self))
      }
    } catch DecodingError.typeMismatch(_, let context)
      where context.codingPath.count == decoder.codingPath.count
    {
      self = .dictionary(try [String: Anything](from: decoder))
    }
  }
}
