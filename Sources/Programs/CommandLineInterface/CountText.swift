/// Numbers of things in words for people.
public enum CountText {
  /// The digits in groups of three: `12,345`.
  public static func of(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = number < 0 ? "-" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return result
  }

  /// With the noun: `1 file`, `12,345 files`.
  public static func of(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(of(number)) \(noun)s"
  }
}
