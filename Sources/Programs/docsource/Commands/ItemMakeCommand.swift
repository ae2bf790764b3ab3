import BinaryPropertyList
import CommandLineInterface
import Glibc
import Handoff
import JSONPropertyList
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import UniformType

/// `docsource item make`: builds a share item.
enum ItemMakeCommand: Command {
  private static let url = OptionDeclaration(
    "url", value: "URL", help: "make URL the main attachment")
  private static let text = OptionDeclaration(
    "text", value: "TEXT", help: "make TEXT the main attachment")
  private static let file = OptionDeclaration(
    "file", value: "FILE", help: "make FILE the main attachment")
  private static let type = OptionDeclaration(
    "type", value: "TYPE", repeats: true,
    help: "set the uniform type of the main attachment; repeatable")
  private static let title = OptionDeclaration("title", value: "TEXT", help: "set the title")
  private static let content = OptionDeclaration(
    "content", value: "TEXT", help: "set the text that goes with the attachments")
  private static let tag = OptionDeclaration(
    "tag", value: "TAG", repeats: true, help: "add a tag; repeatable")
  private static let sourceURL = OptionDeclaration(
    "source-url", value: "URL", help: "set the URL that the content came from")
  private static let attach = OptionDeclaration(
    "attach", value: "ATTACHMENT", repeats: true, help: "add a file, url:URL or text:TEXT")
  private static let custom = OptionDeclaration(
    "custom", value: "KEY=VALUE", repeats: true,
    help: "add a parameter; VALUE is JSON or text; repeatable")
  private static let from = OptionDeclaration(
    "from", value: "FILE", help: "take URL, app and text from the marks of FILE")
  private static let embed = OptionDeclaration(
    "embed", help: "put the contents of files into the item, not their paths")
  private static let keepPrivate = OptionDeclaration(
    "keep-private", help: "with --from: keep what identifies you")
  private static let referrerApp = OptionDeclaration(
    "referrer-app", value: "ID", help: "set the referrer's name to that of an application")
  private static let referrer: [(option: OptionDeclaration, field: Referrer.Field)] = [
    (OptionDeclaration("referrer-name", value: "NAME", help: "set the referrer's name"), .appName),
    (
      OptionDeclaration(
        "referrer-app-store-id", value: "TEXT", help: "set the referrer's App Store ID"),
      .appStoreID
    ),
    (
      OptionDeclaration(
        "referrer-google-play-id", value: "TEXT", help: "set the referrer's Google Play ID"),
      .googlePlayID
    ),
    (
      OptionDeclaration("referrer-web-url", value: "URL", help: "set the referrer's web page"),
      .webURL
    ),
    (
      OptionDeclaration(
        "referrer-ios-app-url", value: "URL", help: "set the referrer's URL for iOS"),
      .iOSAppURL
    ),
    (
      OptionDeclaration(
        "referrer-android-app-url", value: "URL", help: "set the referrer's URL for Android"),
      .androidAppURL
    ),
  ]

  static let readsStandardInput = true

  static let verb = "make"
  static let declaration = CommandDeclaration(
    name: "item make", summary: "build a share item", operands: "",
    details: """
      Give at most one of --url, --text and --file; without any of these, give --from. The item goes to
      standard output unless --output is given.
      """,
    options: [url, text, file, type, title, content, tag, sourceURL, referrerApp]
      + referrer.map(\.option) + [
        attach, custom, from, embed, ItemLimit.option, keepPrivate,
      ] + PrivatePartsOptions.ofMarks + ItemParts.options + [BulkChange.dryRun, OutputFile.option],
    examples: [
      "docsource item make --url https://example.com/a --title Apples -o apples.xei",
      "docsource item make --from photo.jpg --file photo.jpg --embed -o photo.xei",
    ],
    manual: ManualText(Manual.itemMake))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.isEmpty else {
      throw UsageError("unexpected operand '\(EscapedText(arguments.operands[0]))'")
    }
    let isDry = arguments.has(BulkChange.dryRun)
    if !isDry, console.output.isTerminal, !arguments.has(OutputFile.option) {
      throw UsageError("cannot write a share item to a terminal; use -o FILE or -o -")
    }
    var base = ShareItem()
    if let file = arguments.bytes(from) {
      guard let path = FilePath(bytes: file),
        case .marks(let marks, let report)? = ItemInput.marks(path, .follow, console)
      else { return .failed }
      if arguments.has(keepPrivate) {
        base = marks.completed(by: report)
      } else {
        let (item, losses) = ItemInput.marks(marks, report).handedOn(
          keeping: PrivatePartsOptions.given(in: arguments), isCompleted: true)
        base = item
        for loss in losses { console.report(file[...], EscapedText("\(loss)").description) }
      }
    }
    let files = AttachedFiles(
      embeds: arguments.has(embed), output: arguments.bytes(OutputFile.option),
      itemLimit: try ItemLimit.given(in: arguments))
    guard let item = try item(of: base, arguments, files, console) else { return .failed }
    guard !item.userInfo.isEmpty else {
      console.report(arguments.bytes(from)?[...] ?? [], "its marks say nothing for a share item")
      return .negative
    }
    guard !isDry else {
      ItemFormat.write(item, console)
      return .done
    }
    do throws(ItemFailure) {
      let bytes = try item.encoded()
      return OutputFile.write(bytes, to: arguments.bytes(OutputFile.option), console)
    } catch {
      console.say("cannot make share item: \(EscapedText("\(error)"))")
      return .failed
    }
  }

  /// - Returns: `nil` after reporting what keeps the item from being made.
  private static func item(
    of base: ShareItem, _ arguments: Arguments, _ files: AttachedFiles, _ console: Console
  ) throws(UsageError) -> ShareItem? {
    var item = base
    let main = try mainDocument(arguments, files, console)
    if case .failed = main { return nil }
    var attachments: [ShareItem.Attachment] = []
    if case .given(let attachment) = main { attachments.append(attachment) }
    for value in arguments.values(attach) {
      guard let attachment = try files.attachment(value, attach, console) else { return nil }
      attachments.append(attachment)
    }
    if !attachments.isEmpty { item.attachments = attachments }
    guard let application = try ApplicationOption(arguments, console, by: referrerApp, remedy: "")
    else {
      return nil
    }
    if let name = application.shownName { item.referrer.appName = name }
    try setFields(&item, arguments)
    guard try ItemParts.set(&item, arguments, files, console) else { return nil }
    for (key, text) in try arguments.pairs(custom) {
      let parameters = AnyParameters(unchecked: [key: try parameter(text, custom)])
      let tumblr = TumblrParameters(parameters.dictionary)
      if key == TumblrParameters.postTypeKey, tumblr.postType == nil {
        console.say(
          "warning: --custom: '\(EscapedText(text))' is no type of post, a number from 0 to 6")
      }
      do throws(ItemFailure) {
        try item.add(parameters)
      } catch {
        throw UsageError("--custom: \(EscapedText("\(error.reason)"))")
      }
    }
    return item
  }

  private enum Main {
    case none, failed
    case given(ShareItem.Attachment)
  }

  private static func mainDocument(
    _ arguments: Arguments, _ files: AttachedFiles, _ console: Console
  ) throws(UsageError) -> Main {
    let given = [url, text, file].filter { arguments.has($0) }
    guard given.count <= 1 else { throw UsageError("give only one of --url, --text and --file") }
    guard let option = given.first else {
      if arguments.has(from) { return .none }
      throw UsageError("nothing to hand over: give --url, --text, --file or --from")
    }
    let types = try arguments.values(type).map { bytes throws(UsageError) in
      let text = try AttachedFiles.text(bytes, type)
      try AttachmentType.check(text, type, console)
      return text
    }
    var attachment: ShareItem.Attachment
    if option.long == file.long {
      let value = arguments.bytes(file) ?? []
      let made =
        value == [UInt8(ascii: "-")]
        ? try AttachedFiles.standardInput(types, console)
        : try files.file(value, file, types, console)
      return made.map { .given($0) } ?? .failed
    }
    let value = try arguments.text(option) ?? ""
    if option.long == url.long {
      try requireURL(value, url)
      attachment = .url(value)
    } else {
      attachment = .text(value)
    }
    if let typed = try? ShareItem.Attachment(attachment.content, types: types) {
      attachment = typed
    }
    return .given(attachment)
  }

  private static func setFields(
    _ item: inout ShareItem, _ arguments: Arguments
  ) throws(UsageError) {
    if let value = try arguments.text(title) { item.title = value }
    if let value = try arguments.text(content) { item.contentText = value }
    let tags = try arguments.values(tag).map { bytes throws(UsageError) in
      try AttachedFiles.text(bytes, tag)
    }
    if !tags.isEmpty { item.tags = tags }
    if let value = try arguments.text(sourceURL) {
      try requireURL(value, sourceURL)
      item.sourceURL = value
    }
    for (option, field) in referrer {
      guard let value = try arguments.text(option) else { continue }
      if field.isURL { try requireURL(value, option) }
      item.referrer[field] = value
    }
  }

  static func requireURL(_ text: String, _ option: OptionDeclaration) throws(UsageError) {
    guard AbsoluteURL.hasScheme(text) else {
      throw UsageError("--\(option.long): '\(EscapedText(text))' is not an absolute URL")
    }
  }

  /// A number, truth value, array or object in JSON, else the text.
  static func parameter(
    _ bytes: [UInt8], _ option: OptionDeclaration
  ) throws(UsageError) -> PropertyList {
    let text = try Arguments.text(bytes, of: option)
    if let value = try? JSONPropertyListReader.read(bytes), value != .null { return value }
    return .string(text)
  }
}

/// Makes attachments of what the command line names.
struct AttachedFiles {
  /// Whether an item has the contents of files, rather than their paths.
  let embeds: Bool
  /// Where the item goes; `nil` for standard output.
  let output: [UInt8]?
  /// The most bytes of an item that is read.
  let itemLimit: Int

  static func text(_ bytes: [UInt8], _ option: OptionDeclaration) throws(UsageError) -> String {
    try Arguments.text(bytes, of: option)
  }

  /// - Returns: `nil` after reporting why a file cannot be attached.
  func attachment(
    _ value: [UInt8], _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) -> ShareItem.Attachment? {
    func rest(_ lead: String) throws(UsageError) -> String? {
      guard value.starts(with: lead.utf8) else { return nil }
      return try Self.text(Array(value.dropFirst(lead.utf8.count)), option)
    }
    if let text = try rest("text:") { return .text(text) }
    if let url = try rest("url:") {
      guard AbsoluteURL.hasScheme(url) else {
        throw UsageError("--\(option.long): '\(EscapedText(url))' is not an absolute URL")
      }
      return .url(url)
    }
    let lead = Array("file:".utf8)
    return try file(
      value.starts(with: lead) ? Array(value.dropFirst(lead.count)) : value, option, [], console)
  }

  /// - Parameter types: the preferred one first; none to find out.
  func file(
    _ bytes: [UInt8], _ option: OptionDeclaration, _ types: [String], _ console: Console
  ) throws(UsageError) -> ShareItem.Attachment? {
    let path = try path(bytes, option)
    return made(of: path, console) { maker throws(Refusal) in try maker.file(path, types) }
  }

  /// What is made of a file; `nil` after reporting why there is nothing.
  private func made<Product>(
    of path: FilePath, _ console: Console,
    _ make: (AttachmentMaker) throws(Refusal) -> Product?
  ) -> Product? {
    let target = output == [UInt8(ascii: "-")] ? nil : output.flatMap { FilePath(bytes: $0) }
    let maker = AttachmentMaker(embeds: embeds, output: target) { path in
      let detected = TypeDetection.types(of: [path], links: .follow, console)?.first ?? nil
      return detected?.type(ofFileNamed: path.lastComponent, in: .builtIn).identifier
    } content: { path in
      InputFile(path: path).read(console)
    }
    do throws(Refusal) {
      return try make(maker)
    } catch {
      console.report(path.bytes, error.reason)
      return nil
    }
  }

  /// - Throws: `UsageError` for no path, and for standard input.
  private func path(
    _ bytes: [UInt8], _ option: OptionDeclaration
  ) throws(UsageError) -> FilePath {
    guard let path = FilePath(bytes: bytes), !bytes.isEmpty else {
      throw UsageError("--\(option.long): no file given")
    }
    guard bytes != [UInt8(ascii: "-")] else {
      throw UsageError(
        "--\(option.long): only --file can be standard input; write ./- for a file of that name")
    }
    return path
  }

  /// What standard input has, as a document of the item.
  ///
  /// - Throws: `UsageError` for no type: nothing tells the type of data.
  static func standardInput(
    _ types: [String], _ console: Console
  ) throws(UsageError) -> ShareItem.Attachment? {
    guard !types.isEmpty else {
      throw UsageError("--file: standard input needs --type, such as --type public.data")
    }
    guard let content = InputFile(path: nil).read(console) else { return nil }
    return try? ShareItem.Attachment(.data(content), types: types)
  }

  /// The item in a file, its paths as they are recorded here, or its files embedded.
  func item(
    _ bytes: [UInt8], _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) -> ShareItem? {
    let path = try path(bytes, option)
    guard let input = ItemInput.read(bytes, limit: itemLimit, console) else { return nil }
    guard case .item(let item) = input else {
      console.report(path.bytes, "no share item")
      return nil
    }
    return made(of: path, console) { maker throws(Refusal) in try maker.item(item, of: path) }
  }

  /// - Returns: `nil` after reporting that the file is no thumbnail.
  func thumbnail(
    _ bytes: [UInt8], _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) -> ShareItem.Thumbnail? {
    let path = try path(bytes, option)
    return made(of: path, console) { maker throws(Refusal) in try maker.thumbnail(path) }
  }
}

/// The uniform types of files that an item names.
enum AttachmentType {
  /// Warns of a type that is neither known nor has the form of one.
  ///
  /// - Throws: `UsageError` for no text.
  static func check(
    _ type: String, _ option: OptionDeclaration, _ console: Console
  ) throws(UsageError) {
    guard !type.isEmpty else {
      throw UsageError("--\(option.long): a uniform type cannot be empty")
    }
    guard !TypeTree.builtIn.contains(type), !ActivityType.isReverseDNS(type) else { return }
    console.say(
      "warning: --\(option.long): '\(EscapedText(type))' is not a uniform type such as public.png"
        + " or com.example.format")
  }
}
