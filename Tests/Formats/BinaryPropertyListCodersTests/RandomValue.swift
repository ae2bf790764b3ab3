import Foundation

/// A value of many types, nested at random.
struct RandomValue: Codable, Equatable {
  var flag: Bool
  var small: Int8
  var large: Int64
  var unsigned: UInt64
  var float: Float
  var double: Double
  var text: String
  var maybeText: String?
  var maybeNumber: Int?
  var data: Data
  var date: Date
  var url: URL?
  var shape: Samples.Shape
  var word: Samples.Word
  var sparse: [UInt16?]
  var byNumber: [Int: String]
  var byWord: [Samples.Word: Float]
  var byText: [String: RandomValue]
  var children: [RandomValue]
  var choices: [[Samples.Shape]]

  init(using generator: inout some RandomNumberGenerator, depth: Int) {
    func number(_ bits: Int) -> UInt64 {
      .random(in: 0...UInt64.max, using: &generator)
        >> UInt64(Int.random(in: bits..<64, using: &generator))
    }
    func chance() -> Bool { .random(using: &generator) }
    func string() -> String {
      let pieces = ["a", "key", "é", "日本", "😀", "\0", "\u{e9}", "e\u{301}", "long ascii text"]
      return (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
    }
    func shape() -> Samples.Shape {
      switch number(0) % 4 {
      case 0: .none
      case 1: .circle(Double(number(0)) / 3)
      case 2: .labelled(text: string(), sides: nil)
      default: .labelled(text: string(), sides: Int(number(1)))
      }
    }
    flag = chance()
    small = Int8(truncatingIfNeeded: number(0))
    large = Int64(bitPattern: number(0))
    unsigned = number(0)
    float = Float(number(0)) / 7
    double = chance() ? Double(number(0)) / 7 : -0.0
    text = string()
    maybeText = chance() ? string() : nil
    maybeNumber = chance() ? Int(number(1)) : nil
    data = Data((0..<Int(number(0) % 20)).map { UInt8($0) })
    date = Date(timeIntervalSinceReferenceDate: Double(number(20)) / 4)
    url = chance() ? URL(string: "https://example.org/\(number(0))") : nil
    self.shape = shape()
    word = chance() ? .one : .two
    sparse = (0..<Int(number(0) % 4)).map { _ in
      chance() ? UInt16(truncatingIfNeeded: number(0)) : nil
    }
    byNumber = [:]
    byWord = [:]
    for _ in 0..<number(0) % 3 {
      byNumber[Int(truncatingIfNeeded: number(0))] = string()
      byWord[chance() ? .one : .two] = 0.5
    }
    byText = [:]
    children = []
    choices = (0..<Int(number(0) % 3)).map { _ in (0..<Int(number(0) % 3)).map { _ in shape() } }
    guard depth > 0 else { return }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      children.append(RandomValue(using: &generator, depth: depth - 1))
      byText["\(Int.random(in: 0...9, using: &generator))"] =
        RandomValue(using: &generator, depth: depth - 1)
    }
  }
}
