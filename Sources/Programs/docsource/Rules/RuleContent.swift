import ActivationRule
import BinaryPropertyList
import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import UniformType

/// The content that rules are held against: files, share items, words of the command line, or a JSON
/// document.
struct RuleContent {
  static let context = OptionDeclaration(
    "context", value: "FILE", help: "take the content from FILE, a JSON document")
  static let kind = OptionDeclaration(
    "as", value: "KIND", choices: ["text", "url", "image", "web-page"],
    help: "what each FILE stands for, instead of a file")
  static let type = OptionDeclaration(
    "type", value: "TYPE", repeats: true,
    help: "a uniform type that every FILE has, by its identifier; repeatable")

  static let item = OptionDeclaration(
    "item", help: "treat each FILE, with its own marks, as one item")

  static let options = [context, kind, type, item, Operands.noDereference, DeclaredTypes.option]

  /// An item, and files that are attached to it.
  private struct Shared {
    var item = ShareItem()
    /// The type is `nil` if none was asked for.
    var files: [(type: DetectedType?, path: FilePath)] = []
  }

  private enum Form {
    case content(SharedContent)
    /// Each operand has these types, and need not be a file.
    case types([[String]])
    case items([Shared], isPicture: Bool)
  }

  private let form: Form
  private var links = Links.follow

  /// Reads the content that operands and options name.
  ///
  /// - Returns: `nil` after saying what cannot be read.
  static func given(
    by operands: ArraySlice<[UInt8]>, _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> RuleContent? {
    let given = [context, kind, type, item].filter(arguments.has)
    if given.count > 1 {
      throw UsageError(
        given.map { "--\($0.long)" }.joined(separator: " and ") + " exclude each other")
    }
    if let file = arguments.bytes(context) {
      guard operands.isEmpty else { throw UsageError("--context takes the place of FILE") }
      let path = file == [UInt8(ascii: "-")] ? nil : FilePath(bytes: file)
      return read(InputFile(path: path), console)
    }
    let count = max(1, operands.count)
    guard operands.count <= SharedContent.attachmentLimit else {
      throw UsageError("more than \(SharedContent.attachmentLimit) files")
    }
    let types = try Self.types(type, in: arguments)
    if !types.isEmpty {
      return RuleContent(form: .types(Array(repeating: types, count: count)))
    }
    let kind = try arguments.choice(kind)
    let word: [String]? =
      switch kind {
      case "text": ["public.plain-text"]
      case "url": ["public.url"]
      case "web-page": ["public.url", "com.apple.active-webpage"]
      case "image" where operands.isEmpty: ["public.image"]
      default: nil
      }
    if let word { return RuleContent(form: .types(Array(repeating: word, count: count))) }
    guard !operands.isEmpty else {
      throw UsageError("no file given; use --as, --type or --context for other content")
    }
    return shared(
      operands, isPicture: kind == "image", takesMarks: arguments.has(item),
      arguments.has(Operands.noDereference) ? .noFollow : .follow, console)
  }

  /// What files stand for: share items are items, and all other files the attachments of one.
  ///
  /// - Parameter takesMarks: whether each file is an item of its own, with what its marks say.
  /// - Returns: `nil` after saying what cannot be read.
  private static func shared(
    _ operands: ArraySlice<[UInt8]>, isPicture: Bool, takesMarks: Bool, _ links: Links,
    _ console: Console
  ) -> RuleContent? {
    var shared: [Shared] = []
    var files: [(path: FilePath, owner: Int)] = []
    var common: Int?
    for operand in operands {
      guard takesMarks || ItemInput.isNamedSo(operand) else {
        if common == nil {
          common = shared.count
          shared.append(Shared())
        }
        if let path = FilePath(bytes: operand), let common { files.append((path, common)) }
        continue
      }
      guard let input = ItemInput.read(operand, links: links, console) else { return nil }
      shared.append(Shared(item: input.whole))
      if case .marks = input, let path = FilePath(bytes: operand) {
        files.append((path, shared.count - 1))
      }
    }
    for file in files {
      guard TypeDetection.isThere(file.path, links, console) else { return nil }
      shared[file.owner].files.append((nil, file.path))
    }
    return RuleContent(form: .items(shared, isPicture: isPicture), links: links)
  }

  /// The content with the types of its files, which takes longer to find out than all else.
  ///
  /// - Returns: `nil` after saying why the type of one is not known.
  func detectingTypes(_ console: Console) -> RuleContent? {
    guard case .items(var shared, let isPicture) = form else { return self }
    let paths = shared.flatMap { $0.files.map(\.path) }
    guard !paths.isEmpty else { return self }
    guard var types = TypeDetection.types(of: paths, links: links, console)?[...] else {
      return nil
    }
    for owner in shared.indices {
      for file in shared[owner].files.indices {
        guard let type = types.popFirst() ?? nil else { return nil }
        shared[owner].files[file].type = type
      }
    }
    return RuleContent(form: .items(shared, isPicture: isPicture), links: links)
  }

  /// The types that an option names.
  static func types(
    _ option: OptionDeclaration, in arguments: Arguments
  ) throws(UsageError) -> [String] {
    try arguments.values(option).map { bytes throws(UsageError) in
      guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
        throw UsageError("--\(option.long): '\(EscapedText(bytes))' is no type identifier")
      }
      return text
    }
  }

  private static func read(_ input: InputFile, _ console: Console) -> RuleContent? {
    guard let bytes = input.read(console),
      let list = PropertyListForm(of: bytes).value(of: bytes, input.name, console)
    else { return nil }
    if case .dictionary(let dictionary) = list, ShareItem.isItem(dictionary) {
      console.fail(
        input.name, "cannot read content: it is a share item; give it as FILE, called NAME.xei")
      return nil
    }
    do throws(SharedContent.Failure) {
      let content = try SharedContent(list)
      return RuleContent(form: .content(content))
    } catch {
      console.fail(input.name, "cannot read content: \(error)")
      return nil
    }
  }

  /// The content with the types of a tree; `nil` after saying why it is none.
  func prepared(in tree: TypeTree, _ console: Console) -> PreparedContent? {
    let content: SharedContent
    switch form {
    case .content(let given): content = given
    case .types(let types): content = SharedContent(types)
    case .items(let shared, let isPicture):
      content = SharedContent(
        items: shared.map { shared in
          var item = SharedContent.Item(shared.item)
          item.attachments += shared.files.map { file in
            let type = file.type?.type(ofFileNamed: file.path.lastComponent, in: tree).identifier
            return SharedContent.Attachment(
              Self.types(of: type ?? "public.data", isPicture: isPicture))
          }
          return item
        })
    }
    do throws(SharedContent.Failure) {
      return try PreparedContent(content, in: tree)
    } catch {
      console.say("\(EscapedText(error.description))")
      return nil
    }
  }

  /// What a file is handed over as: by its type and as a file; from a library of pictures by its type
  /// alone.
  static func types(of type: String, isPicture: Bool = false) -> [String] {
    isPicture ? [type] : [type, "public.file-url"]
  }
}

/// Which files the extensions of an app are offered, each by itself.
struct RuleFilter: Sendable {
  private let rules: [(rule: PreparedRule, tree: TypeTree)]
  private let detector = TypeDetector()

  /// - Returns: `nil` after saying why the rules cannot be read.
  init?(_ operand: [UInt8], _ types: DeclaredTypes, _ console: Console) {
    guard let named = RuleSource.rules([operand], predicate: nil, console) else { return nil }
    var rules: [(rule: PreparedRule, tree: TypeTree)] = []
    for rule in named {
      let tree = types.tree(adding: rule.declarations)
      do throws(ActivationRule.Failure) {
        rules.append((PreparedRule(try ActivationRule(rule.found.value), in: tree), tree))
      } catch {
        console.fail(rule.name[...], "cannot read the rule: \(error)")
        return nil
      }
    }
    self.rules = rules
  }

  /// Whether some rule accepts a file; `nil` after saying why the file's type is not known.
  func accepts(_ path: FilePath, _ console: Console) -> Bool? {
    guard let detected = detector.type(of: path, console) else { return nil }
    return rules.contains { rule, tree in
      let type = detected.type(ofFileNamed: path.lastComponent, in: tree).identifier
      let content = SharedContent([RuleContent.types(of: type)])
      return (try? rule.matches(PreparedContent(content, in: tree))) ?? false
    }
  }
}
