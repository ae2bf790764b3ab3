/// A value while a predicate is evaluated.
enum PredicateValue {
  case null
  case boolean(Bool)
  case number(RuleNumber)
  case text(PredicateText)
  /// A list or dictionary of the content.
  case node(Int32)
  /// A list that was made on the way.
  case list([PredicateValue])
}

/// A text, by its number in the content, in the predicate or among those that were made on the way.
enum PredicateText {
  case content(Int32)
  case predicate(Int32)
  case made(Int32)
}

/// One evaluation of a predicate.
struct PredicateEvaluation {
  let prepared: PreparedPredicate
  let content: PreparedContent
  /// The values of the variables of the subqueries around.
  var variables: [PredicateValue] = []
  private(set) var steps = 0
  private var made: [String] = []

  init(of prepared: PreparedPredicate, on content: PreparedContent) {
    self.prepared = prepared
    self.content = content
  }

  @inline(__always)
  func node(_ number: Int) -> RulePredicate.Node { prepared.predicate.nodes[number] }

  func part(_ number: Int, of node: RulePredicate.Node) -> Int {
    prepared.predicate.part(number, of: node)
  }

  func failure(_ reason: String, at number: Int) -> EvaluationError {
    EvaluationError(reason: reason, place: prepared.predicate.place(of: number))
  }

  /// Counts work before it is done.
  mutating func charge(_ count: Int, at number: Int) throws(EvaluationError) {
    steps += count
    if steps > PreparedPredicate.stepLimit {
      throw failure(
        "the evaluation takes more than \(PreparedPredicate.stepLimit) steps", at: number)
    }
  }

  /// Whether the steps are used up.
  var isExhausted: Bool { steps > PreparedPredicate.stepLimit }

  // Conditions.

  /// The truth of a part that uses neither the content nor the variables of the subqueries around it.
  mutating func truth(
    ofConstant number: Int, below subqueries: Int
  ) throws(EvaluationError) -> Bool {
    variables = Array(repeating: .null, count: subqueries)
    return try truth(of: number)
  }

  mutating func truth(of number: Int) throws(EvaluationError) -> Bool {
    let node = node(number)
    try charge(1, at: number)
    switch node.kind {
    case .always: return true
    case .never: return false
    case .or, .and:
      let isOr = node.kind == .or
      var position = Int(node.first)
      let end = position + Int(node.partCount)
      while position < end {
        let part = Int(prepared.predicate.parts[position])
        if try truth(of: part) == isOr { return isOr }
        position += 1
      }
      return !isOr
    case .not: return try !truth(of: part(0, of: node))
    case .comparison:
      let comparison = RulePredicate.Comparison(packed: node.value)
      return try truth(
        of: comparison, part(0, of: node), part(1, of: node), at: number)
    default: return false
    }
  }

  private mutating func truth(
    of comparison: RulePredicate.Comparison, _ left: Int, _ right: Int, at number: Int
  ) throws(EvaluationError) -> Bool {
    let other = self.node(right)
    if comparison.op == .conformsTo, other.kind == .text,
      let found = try contentNode(of: left)
    {
      // What nearly all rules consist of.
      let node = content.nodes[Int(found)]
      let (code, name) = (prepared.codes[Int(other.value)], Int(other.value))
      if comparison.modifier == .direct, node.kind == .text {
        return content.conforms(node.first, to: code, prepared.lowercased[name])
      }
      if comparison.modifier == .any, node.kind == .list {
        try charge(Int(node.count), at: number)
        var position = Int(node.first)
        let end = position + Int(node.count)
        while position < end {
          let element = content.nodes[position]
          guard element.kind == .text else {
            throw failure("an element is not a type identifier", at: left)
          }
          if content.conforms(element.first, to: code, prepared.lowercased[name]) { return true }
          position += 1
        }
        return false
      }
    }
    let value = try value(of: left)
    let otherValue = try self.value(of: right)
    guard comparison.modifier != .direct else {
      return try compare(value, comparison, otherValue, at: number)
    }
    let isAll = comparison.modifier == .all
    let answer = try firstElement(of: value, at: left) {
      evaluation, element throws(EvaluationError) in
      try evaluation.compare(element, comparison, otherValue, at: number) != isAll
    }
    return switch comparison.modifier {
    case .any: answer
    default: !answer
    }
  }

  /// Whether some element of a collection meets a condition.
  mutating func firstElement(
    of value: PredicateValue, at number: Int,
    where condition: (inout PredicateEvaluation, PredicateValue) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) -> Bool {
    switch value {
    case .null: return false
    case .list(let elements):
      for element in elements {
        try charge(1, at: number)
        if try condition(&self, element) { return true }
      }
      return false
    case .node(let place) where content.nodes[Int(place)].kind == .list:
      let list = content.nodes[Int(place)]
      for place in list.first..<list.first + list.count {
        try charge(1, at: number)
        if try condition(&self, self.value(ofNode: place)) { return true }
      }
      return false
    default: throw failure("not a collection, but \(kind(of: value))", at: number)
    }
  }

  // Values.

  /// The value of the content that a chain of keys leads to, where it leads to one.
  private mutating func contentNode(of number: Int) throws(EvaluationError) -> Int32? {
    let node = node(number)
    switch node.kind {
    case .root: return 0
    case .name: return try member(node.value, ofNode: 0, at: number)
    case .variable:
      if node.value >= 0, case .node(let place) = variables[Int(node.value)] { return place }
      return nil
    case .member:
      guard let owner = try contentNode(of: part(0, of: node)) else { return nil }
      switch content.nodes[Int(owner)].kind {
      case .dictionary, .object: return try member(node.value, ofNode: owner, at: number)
      default: return nil
      }
    default: return nil
    }
  }

  /// - Returns: `nil` if a dictionary lacks the key.
  private mutating func member(
    _ key: Int32, ofNode place: Int32, at number: Int
  ) throws(EvaluationError) -> Int32? {
    let owner = content.nodes[Int(place)]
    var position = Int(owner.first)
    let end = position + Int(owner.count)
    if owner.kind == .object {
      while position < end {
        if content.keys[position] == key { return Int32(position) }
        position += 1
      }
      if key == PathKey.attributedTitle.rawValue || key == PathKey.attributedContentText.rawValue,
        owner.count > 1
      {
        return nil
      }
      throw failure(
        "\(self.kind(ofObject: owner)) has no key '\(prepared.predicate.keyName(key))'", at: number)
    }
    let name = prepared.predicate.keyName(key)
    try charge(Int(owner.count), at: number)
    while position < end {
      let own = Int(content.keys[position]) - PathKey.count
      if content.texts[own].utf8.elementsEqual(name.utf8) { return Int32(position) }
      position += 1
    }
    return nil
  }

  private func kind(ofObject node: PreparedContent.Node) -> String {
    switch PathKey(rawValue: content.keys[Int(node.first)]) {
    case .extensionItems: "the content"
    case .registeredTypeIdentifiers: "an attachment"
    default: "an item"
    }
  }

  func kind(of value: PredicateValue) -> String {
    switch value {
    case .null: "nothing"
    case .boolean: "a truth value"
    case .number: "a number"
    case .text: "a text"
    case .list: "a collection"
    case .node(let place): content.nodes[Int(place)].kind == .list ? "a collection" : "an object"
    }
  }

  func value(ofNode place: Int32) -> PredicateValue {
    let node = content.nodes[Int(place)]
    return switch node.kind {
    case .null: .null
    case .boolean: .boolean(node.first != 0)
    case .number: .number(content.numbers[Int(node.first)])
    case .text: .text(.content(node.first))
    case .list, .dictionary, .object: .node(place)
    }
  }

  mutating func value(of number: Int) throws(EvaluationError) -> PredicateValue {
    let node = node(number)
    try charge(1, at: number)
    switch node.kind {
    case .text: return .text(.predicate(node.value))
    case .number: return .number(prepared.predicate.numbers[Int(node.value)])
    case .boolean: return .boolean(node.value != 0)
    case .null: return .null
    case .root: return .node(0)
    case .name: return try member(node.value, ofNode: 0, at: number).map(value(ofNode:)) ?? .null
    case .variable:
      guard node.value >= 0 else {
        throw failure(prepared.predicate.unevaluatedReason(number), at: number)
      }
      return variables[Int(node.value)]
    case .member:
      let owner = try value(of: part(0, of: node))
      return try member(node.value, of: owner, at: number)
    case .count, .elementCount:
      return try count(of: part(0, of: node)).map { .number(.integer(Int64($0))) } ?? .null
    case .index:
      let (whole, index) = (part(0, of: node), part(1, of: node))
      return try element(of: try value(of: whole), at: try value(of: index), at: number)
    case .firstElement, .lastElement:
      return try end(of: value(of: part(0, of: node)), isFirst: node.kind == .firstElement, number)
    case .function: return try result(of: node, at: number)
    case .aggregate: return try aggregate(of: node, at: number)
    case .list:
      var elements: [PredicateValue] = []
      for part in prepared.predicate.parts(of: node) { elements.append(try value(of: Int(part))) }
      return .list(elements)
    case .subquery:
      var found: [PredicateValue] = []
      let isCollection = try forEachMatch(of: node) { found.append($0) }
      return isCollection ? .list(found) : .null
    case .always, .never, .or, .and, .not, .comparison: return .null
    }
  }

  private mutating func member(
    _ key: Int32, of owner: PredicateValue, at number: Int
  ) throws(EvaluationError) -> PredicateValue {
    switch owner {
    case .null: return .null
    case .node(let place) where content.nodes[Int(place)].kind != .list:
      return try member(key, ofNode: place, at: number).map(value(ofNode:)) ?? .null
    case .node, .list:
      // As of each element.
      var values: [PredicateValue] = []
      _ = try firstElement(of: owner, at: number) { evaluation, element throws(EvaluationError) in
        values.append(try evaluation.member(key, of: element, at: number))
        return false
      }
      return .list(values)
    case .text(let text) where key == PathKey.string.rawValue: return .text(text)
    case .text(let text) where key == PathKey.length.rawValue:
      try charge(string(text).utf8.count >> 4, at: number)
      return .number(.integer(Int64(string(text).utf16.count)))
    case .boolean, .number, .text:
      throw failure(
        "\(kind(of: owner)) has no key '\(prepared.predicate.keyName(key))'", at: number)
    }
  }

  /// How many elements a collection has; `nil` for none.
  mutating func count(of number: Int) throws(EvaluationError) -> Int? {
    let node = node(number)
    if node.kind == .subquery {
      var count = 0
      return try forEachMatch(of: node, { _ in count += 1 }) ? count : nil
    }
    if let place = try contentNode(of: number) {
      switch content.nodes[Int(place)].kind {
      case .list, .dictionary: return Int(content.nodes[Int(place)].count)
      default: break
      }
    }
    let value = try value(of: number)
    switch value {
    case .null: return nil
    case .list(let elements): return elements.count
    case .node(let place) where content.nodes[Int(place)].kind != .object:
      return Int(content.nodes[Int(place)].count)
    default: throw failure("@count of \(kind(of: value))", at: number)
    }
  }

  /// Calls `body` with the elements of a subquery's collection that meet its condition.
  ///
  /// - Returns: whether there is a collection.
  private mutating func forEachMatch(
    of node: RulePredicate.Node, _ body: (PredicateValue) -> Void
  ) throws(EvaluationError) -> Bool {
    let (collection, condition) = (part(0, of: node), part(1, of: node))
    if let place = try contentNode(of: collection), content.nodes[Int(place)].kind == .list {
      let list = content.nodes[Int(place)]
      variables.append(.null)
      for place in list.first..<list.first + list.count {
        let element = value(ofNode: place)
        variables[variables.count - 1] = element
        if try truth(of: condition) { body(element) }
      }
      variables.removeLast()
      return true
    }
    let value = try value(of: collection)
    if case .null = value { return false }
    variables.append(.null)
    _ = try firstElement(of: value, at: collection) {
      evaluation, element throws(EvaluationError) in
      evaluation.variables[evaluation.variables.count - 1] = element
      if try evaluation.truth(of: condition) { body(element) }
      return false
    }
    variables.removeLast()
    return true
  }

  // Texts and collections.

  func string(_ text: PredicateText) -> String {
    switch text {
    case .content(let number): content.texts[Int(number)]
    case .predicate(let number): prepared.predicate.texts[Int(number)]
    case .made(let number): made[Int(number)]
    }
  }

  /// A text that stands nowhere yet.
  mutating func make(_ text: String, at number: Int) throws(EvaluationError) -> PredicateValue {
    // Bounds the memory of all of them.
    try charge(8 + text.utf8.count, at: number)
    made.append(text)
    return .text(.made(Int32(made.count - 1)))
  }

  /// The elements of the collection that a part has as its value.
  mutating func allElements(of number: Int) throws(EvaluationError) -> [PredicateValue] {
    try elements(of: value(of: number), at: number)
  }

  mutating func elements(
    of value: PredicateValue, at number: Int
  ) throws(EvaluationError) -> [PredicateValue] {
    var elements: [PredicateValue] = []
    _ = try firstElement(of: value, at: number) { _, element throws(EvaluationError) in
      elements.append(element)
      return false
    }
    return elements
  }
}
