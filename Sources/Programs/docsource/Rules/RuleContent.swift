import ActivationRule
import CommandLineInterface
import LinuxSystem
import PropertyListText
import TextFormats
import UniformType

/// The content that rules are held against: files, words of the command line, or a JSON document.
struct RuleContent {
  static let context = OptionDeclaration(
    "context", value: "FILE", help: "take the content from FILE, a JSON document")
  static let kind = OptionDeclaration(
    "as", value: "KIND", choices: ["text", "url", "image", "web-page"],
    help: "what each FILE stands for, instead of a file")
  static let type = OptionDeclaration(
    "type", value: "TYPE", repeats: true, help: "the uniform type of each FILE, by its identifier")

  static let options = [context, kind, type, Operands.noDereference, DeclaredTypes.option]

  private enum Form {
    case content(SharedContent)
    /// Each operand has these types, and need not be a file.
    case types([[String]])
    case files([DetectedType], [FilePath], isPicture: Bool)
  }

  private let form: Form

  /// Reads the content that operands and options name.
  ///
  /// - Returns: `nil` after saying what cannot be read.
  static func given(
    by operands: ArraySlice<[UInt8]>, _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> RuleContent? {
    let given = [context, kind, type].filter(arguments.has)
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
    let paths = operands.compactMap { FilePath(bytes: $0) }
    let links: Links = arguments.has(Operands.noDereference) ? .noFollow : .follow
    guard let detected = TypeDetection.types(of: paths, links: links, console) else { return nil }
    let known = detected.compactMap(\.self)
    guard known.count == paths.count else { return nil }
    return RuleContent(form: .files(known, paths, isPicture: kind == "image"))
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
    case .files(let detected, let paths, let isPicture):
      content = SharedContent(
        zip(detected, paths).map { detected, path in
          Self.types(of: detected.type(of: path, in: tree).identifier, isPicture: isPicture)
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
