import BinaryPropertyList
import Foundation

extension PropertyList {
  /// Whether Foundation read the same: of a wide integer the lower half, of a NaN that it is one.
  func isSame(asFoundations other: Any) -> Bool {
    switch (self, other) {
    case (.null, is NSNull): true
    case (.boolean(let value), let other):
      type(of: other) == Bool.self && value == other as? Bool
    case (.data(let value), let other as Data): value.elementsEqual(other)
    case (.string(let value), let other as String): value.utf8.elementsEqual(other.utf8)
    case (.date(let value), let other as Date):
      Self.isSame(value, other.timeIntervalSinceReferenceDate)
    case (.array(let values), let other as [Any]):
      values.count == other.count && zip(values, other).allSatisfy { $0.isSame(asFoundations: $1) }
    case (.dictionary(let dictionary), let other as [String: Any]):
      dictionary.count == other.count
        && dictionary.entries.allSatisfy { entry in
          other[entry.key].map { entry.value.isSame(asFoundations: $0) } == true
        }
    case (.uid, let other): "\(type(of: other))" == "_NSKeyedArchiverUID"
    case (_, let other as NSNumber): isSame(asNumber: other)
    default: false
    }
  }

  private func isSame(asNumber other: NSNumber) -> Bool {
    let isReal = ["d", "f"].contains(unsafe String(cString: other.objCType))
    return switch self {
    case .integer(let value): !isReal && other.int64Value == value
    case .wideInteger(let value): !isReal && other.uint64Value == UInt64(truncatingIfNeeded: value)
    case .float(let value): isReal && Self.isSame(Double(value), other.doubleValue)
    case .real(let value): isReal && Self.isSame(value, other.doubleValue)
    default: false
    }
  }

  private static func isSame(_ one: Double, _ other: Double) -> Bool {
    one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
  }
}
