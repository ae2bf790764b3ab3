import BinaryPropertyList
import Foundation

/// One of the records of the medium and the large list: thirteen values of all usual types.
struct Record: Codable {
  var identifier: String
  var name: String
  var size: Int
  var ratio: Double
  var modified: Date
  var tags: [String]
  var position: Int
  var isHidden: Bool
  var mark: Data

  static func list(count: Int) -> [Record] {
    var random = LinearCongruence()
    return (0..<count).map { Record(number: $0, random: &random) }
  }

  private init(number: Int, random: inout LinearCongruence) {
    identifier = "com.example.app.\(number)"
    // Some names are not ASCII, as in life.
    name = "Document \(number % 16 == 0 ? "número" : "number") \(random.next(below: 100_000))"
    size = random.next(below: 1_000_000)
    ratio = Double(random.next(below: 1 << 31)) / 7
    modified = Date(timeIntervalSinceReferenceDate: Double(random.next(below: 1 << 31)))
    tags = ["red", "tag\(random.next(below: 500))", "project \(random.next(below: 100_000))"]
    position = number
    isHidden = random.next(below: 2) == 0
    mark = Data((0..<20 + random.next(below: 10)).map { _ in UInt8(random.next(below: 256)) })
  }

  var propertyList: PropertyList {
    .dictionary([
      "identifier": .string(identifier),
      "name": .string(name),
      "size": .integer(Int64(size)),
      "ratio": .real(ratio),
      "modified": .date(secondsSinceReferenceDate: modified.timeIntervalSinceReferenceDate),
      "tags": .array(tags.map { .string($0) }),
      "position": .integer(Int64(position)),
      "isHidden": .boolean(isHidden),
      "mark": .data([UInt8](mark)),
    ])
  }
}
