internal import BinaryPropertyList
public import UniformType

/// Content whose types were looked up in a tree, once for all rules that it is held against.
public struct PreparedContent: Sendable {
  /// A value that a rule can address; those of collections follow one another.
  struct Node {
    enum Kind: UInt8 {
      case null, boolean, number, text, list
      /// A dictionary with any keys, such as `userInfo`.
      case dictionary
      /// A dictionary whose keys are those of the input model.
      case object
    }

    let kind: Kind
    /// Of a list or dictionary, the first of its values; of any other, what it is by number.
    var first: Int32 = 0
    /// How many values a list or dictionary has.
    var count: Int32 = 0
  }

  public let content: SharedContent
  let tree: TypeTree
  /// The root is the first.
  private(set) var nodes: [Node] = []
  /// The keys of dictionaries, beside the values of these in `nodes`.
  private(set) var keys: [Int32] = []
  private(set) var numbers: [RuleNumber] = []
  private(set) var texts: [String] = []
  /// The codes of texts that are types; `unknown` for one that the tree does not know.
  private(set) var codes: [Int32] = []
  /// Where the ancestors of each text begin in `ancestors`; they end where those of the next begin.
  private(set) var ancestorStarts: [Int32] = [0]
  private(set) var ancestors: [Int32] = []
  private var known: [String: Int32] = [:]
  /// What the attachments of all items are for rules in the form of dictionaries.
  private(set) var classes: [DictionaryRule.Classes] = []

  static let unknown: Int32 = -1

  /// - Throws: `SharedContent.Failure` for content beyond the limits.
  public init(
    _ content: SharedContent, in tree: TypeTree = .builtIn
  ) throws(SharedContent.Failure) {
    if let excess = content.excess { throw SharedContent.Failure(description: excess) }
    self.content = content
    self.tree = tree
    let root = reserve(1)
    let items = setObject(root, [PathKey.extensionItems.rawValue])
    let item = setList(items, content.items.count)
    for (number, value) in content.items.enumerated() { set(item + number, value) }
    let classifier = AttachmentClassifier(tree)
    classes = content.items.flatMap { item in
      item.attachments.map { attachment in
        classifier.classes(
          of: attachment.registeredTypeIdentifiers.compactMap { known[$0] }, in: self)
      }
    }
    known = [:]
  }

  private mutating func set(_ place: Int, _ item: SharedContent.Item) {
    var keys = [PathKey.attachments.rawValue, PathKey.userInfo.rawValue]
    if item.title != nil { keys.append(PathKey.attributedTitle.rawValue) }
    if item.text != nil { keys.append(PathKey.attributedContentText.rawValue) }
    let values = setObject(place, keys)
    let attachment = setList(values, item.attachments.count)
    for (number, value) in item.attachments.enumerated() {
      let types = setObject(attachment + number, [PathKey.registeredTypeIdentifiers.rawValue])
      let first = setList(types, value.registeredTypeIdentifiers.count)
      for (number, type) in value.registeredTypeIdentifiers.enumerated() {
        nodes[first + number] = Node(kind: .text, first: index(of: type))
      }
    }
    set(values + 1, .dictionary(item.userInfo))
    for (number, text) in [item.title, item.text].compactMap(\.self).enumerated() {
      nodes[values + 2 + number] = Node(kind: .text, first: index(of: text))
    }
  }

  private mutating func set(_ place: Int, _ value: PropertyList) {
    switch value {
    case .null: nodes[place] = Node(kind: .null)
    case .boolean(let value): nodes[place] = Node(kind: .boolean, first: value ? 1 : 0)
    case .integer(let value): set(place, number: .integer(value))
    case .wideInteger(let value): set(place, number: .real(Double(value)))
    case .float(let value): set(place, number: .real(Double(value)))
    case .real(let value): set(place, number: .real(value))
    case .date(let seconds): set(place, number: .real(seconds))
    case .uid(let value):
      set(place, number: Int64(exactly: value).map { .integer($0) } ?? .real(Double(value)))
    case .string(let text): nodes[place] = Node(kind: .text, first: index(of: text))
    // Nothing in a predicate compares with bytes.
    case .data: nodes[place] = Node(kind: .null)
    case .array(let values), .set(let values), .orderedSet(let values):
      let first = setList(place, values.count)
      for (number, value) in values.enumerated() { set(first + number, value) }
    case .dictionary(let dictionary):
      let first = reserve(dictionary.count)
      nodes[place] = Node(kind: .dictionary, first: Int32(first), count: Int32(dictionary.count))
      for (number, entry) in dictionary.entries.enumerated() {
        keys[first + number] = Int32(PathKey.count) + index(of: entry.key)
        set(first + number, entry.value)
      }
    }
  }

  private mutating func set(_ place: Int, number: RuleNumber) {
    nodes[place] = Node(kind: .number, first: Int32(numbers.count))
    numbers.append(number)
  }

  private mutating func reserve(_ count: Int) -> Int {
    nodes.append(contentsOf: repeatElement(Node(kind: .null), count: count))
    keys.append(contentsOf: repeatElement(-1, count: count))
    return nodes.count - count
  }

  private mutating func setList(_ place: Int, _ count: Int) -> Int {
    let first = reserve(count)
    nodes[place] = Node(kind: .list, first: Int32(first), count: Int32(count))
    return first
  }

  private mutating func setObject(_ place: Int, _ keys: [Int32]) -> Int {
    let first = reserve(keys.count)
    nodes[place] = Node(kind: .object, first: Int32(first), count: Int32(keys.count))
    for (number, key) in keys.enumerated() { self.keys[first + number] = key }
    return first
  }

  private mutating func index(of text: String) -> Int32 {
    if let index = known[text] { return index }
    let index = Int32(texts.count)
    texts.append(text)
    if let code = tree.code(of: text) {
      codes.append(code.rawValue)
      ancestors += tree.ancestors(of: code).map(\.rawValue)
    } else {
      codes.append(Self.unknown)
    }
    ancestorStarts.append(Int32(ancestors.count))
    known[text] = index
    return index
  }
}

/// The keys of the input model, by number.
enum PathKey: Int32, CaseIterable {
  case extensionItems, attachments, registeredTypeIdentifiers, attributedTitle
  case attributedContentText, userInfo, string, length

  static let count = 8

  var name: String {
    switch self {
    case .extensionItems: "extensionItems"
    case .attachments: "attachments"
    case .registeredTypeIdentifiers: "registeredTypeIdentifiers"
    case .attributedTitle: "attributedTitle"
    case .attributedContentText: "attributedContentText"
    case .userInfo: "userInfo"
    case .string: "string"
    case .length: "length"
    }
  }

  init?(name: String) {
    guard let key = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = key
  }
}

extension PreparedContent {
  /// Whether a text, as a type, is another type or below it.
  ///
  /// - Parameters:
  ///   - code: that of the other type, `unknown` where the tree does not know it.
  ///   - name: the other type in small letters.
  func conforms(_ text: Int32, to code: Int32, _ name: String) -> Bool {
    let own = codes[Int(text)]
    if own == code { return own != Self.unknown || texts[Int(text)].lowercasedASCII == name }
    if own == Self.unknown || code == Self.unknown { return false }
    let end = Int(ancestorStarts[Int(text) + 1])
    var position = Int(ancestorStarts[Int(text)])
    while position < end {
      if ancestors[position] == code { return true }
      position += 1
    }
    return false
  }
}

/// Says what attachments are for rules in the form of dictionaries.
private struct AttachmentClassifier {
  /// A type that decides, by its code and its name.
  private struct Mark {
    let code: Int32
    let name: String

    init(_ name: String, _ tree: TypeTree) {
      self.name = name
      code = tree.code(of: name)?.rawValue ?? PreparedContent.unknown
    }
  }

  private let image, movie, webPage, url, fileURL, text: Mark
  private let files: [Mark]

  init(_ tree: TypeTree) {
    image = Mark("public.image", tree)
    movie = Mark("public.movie", tree)
    webPage = Mark("com.apple.active-webpage", tree)
    url = Mark("public.url", tree)
    fileURL = Mark("public.file-url", tree)
    text = Mark("public.text", tree)
    files = ["public.data", "public.directory", "public.item"].map { Mark($0, tree) }
  }

  /// - Parameter types: the numbers of the attachment's types among the texts of the content.
  func classes(of types: [Int32], in content: PreparedContent) -> DictionaryRule.Classes {
    func conforms(_ type: Int32, _ mark: Mark) -> Bool {
      content.conforms(type, to: mark.code, mark.name)
    }
    func conforms(_ mark: Mark) -> Bool { types.contains { conforms($0, mark) } }
    if conforms(image) { return DictionaryRule.Classes(.image) }
    if conforms(movie) { return DictionaryRule.Classes(.movie) }
    var classes: DictionaryRule.Classes = []
    if conforms(webPage) {
      classes.formUnion([DictionaryRule.Classes(.webPage), DictionaryRule.Classes(.webURL)])
    }
    if types.contains(where: { conforms($0, url) && !conforms($0, fileURL) }) {
      classes.insert(DictionaryRule.Classes(.webURL))
    }
    if conforms(text) { classes.insert(DictionaryRule.Classes(.text)) }
    if conforms(fileURL) || classes.isEmpty && files.contains(where: { conforms($0) }) {
      classes.insert(DictionaryRule.Classes(.file))
    }
    return classes
  }
}
