/// The kinds of objects, strings by encoding; strings and containers stand together.
enum TapeKind: UInt8 {
  case null, boolean, integer, wideInteger, float, real, date, uid
  case data, ascii, latin1, utf16
  case array, orderedSet, set, dictionary

  var objectKind: ObjectKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .wideInteger: .wideInteger
    case .float: .float
    case .real: .real
    case .date: .date
    case .uid: .uid
    case .data: .data
    case .ascii, .latin1, .utf16: .string
    case .array: .array
    case .orderedSet: .orderedSet
    case .set: .set
    case .dictionary: .dictionary
    }
  }
}
