/// A step of a coding path that no type's own keys name.
enum CodingStep: CodingKey {
  /// To the element at a position.
  case index(Int)
  /// To the value of a class's superclass.
  case superclass
  case name(String)

  /// The step's text; of an index, Foundation's.
  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .superclass: "super"
    case .name(let name): name
    }
  }

  var intValue: Int? {
    if case .index(let index) = self { index } else { nil }
  }

  init(stringValue: String) {
    self = .name(stringValue)
  }

  init(intValue: Int) {
    self = .index(intValue)
  }
}
