/// Reals that have no digits, as text that gives every bit back: `inf`, `-inf`, `nan`, and for a NaN
/// with another payload `nan:7ff8000000000001`.
enum RealText {
  static func text(of real: Double) -> String {
    if real.isInfinite { return real < 0 ? "-inf" : "inf" }
    return real.bitPattern == Double.nan.bitPattern
      ? "nan" : "nan:" + String(real.bitPattern, radix: 16)
  }

  static func text(of float: Float) -> String {
    if float.isInfinite { return float < 0 ? "-inf" : "inf" }
    return float.bitPattern == Float.nan.bitPattern
      ? "nan" : "nan:" + String(float.bitPattern, radix: 16)
  }

  static func real(of text: String) -> Double? {
    switch text {
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "nan": return .nan
    default:
      guard text.hasPrefix("nan:"), let bits = UInt64(text.dropFirst(4), radix: 16) else {
        return nil
      }
      return Double(bitPattern: bits).isNaN ? Double(bitPattern: bits) : nil
    }
  }

  static func float(of text: String) -> Float? {
    switch text {
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "nan": return .nan
    default:
      guard text.hasPrefix("nan:"), let bits = UInt32(text.dropFirst(4), radix: 16) else {
        return nil
      }
      return Float(bitPattern: bits).isNaN ? Float(bitPattern: bits) : nil
    }
  }
}
