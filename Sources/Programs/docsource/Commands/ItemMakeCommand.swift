import BinaryPropertyList
import CommandLineInterface
import Glibc
import LinuxSystem
import PropertyListText
import Provenance
import ShareItem
import TextFormats
import UniformType

/// `docsource item make`: builds a share item.
enum ItemMakeCommand: Command {
  private static let url = OptionDeclaration("url", value: "URL", help: "hand over URL")
  private static let text = OptionDeclaration("text", value: "TEXT", help: "hand over TEXT")
  private static let file = OptionDeclaration("file", value: "FILE", help: "hand over FILE")
  private static let type = OptionDeclaration(
    "type", value: "TYPE", help: "set the uniform type of what is handed over")
  private static let title = OptionDeclaration("title", value: "TEXT", help: "set the title")
  private static let content = OptionDeclaration(
    "content", value: "TEXT", help: "set the text that goes with the document")
  private static let tag = OptionDeclaration(
    "tag", value: "TAG", repeats: true, help: "add a tag; repeatable")
  private static let sourceURL = OptionDeclaration(
    "source-url", value: "URL", help: "set the URL that the content came from")
  private static let attach = OptionDeclaration(
    "attach", value: "ATTACHMENT", repeats: true, help: "add a file, url:URL or text:TEXT")
  private static let attachFor = OptionDeclaration(
    "attach-for", value: "ACTIVITY=ATTACHMENT", repeats: true,
    help: "attach for one activity only; repeatable")
  private static let contentFor = OptionDeclaration(
    "content-for", value: "ACTIVITY=TEXT", repeats: true,
    help: "set the text for one activity; repeatable")
  private static let custom = OptionDeclaration(
    "custom", value: "KEY=VALUE", repeats: true,
    help: "add a parameter; VALUE is JSON or text; repeatable")
  private static let from = OptionDeclaration(
    "from", value: "FILE", help: "take source and referrer from the marks of FILE")
  private static let embed = OptionDeclaration(
    "embed", help: "put the contents of files into the item, not their paths")
  private static let keepPrivate = OptionDeclaration(
    "keep-private", help: "keep what identifies you in what --from gives")
  private static let referrerApp = OptionDeclaration(
    "referrer-app", value: "ID", help: "set the name of the app to that of an application")
  private static let referrer: [(option: OptionDeclaration, field: Referrer.Field)] = [
    (OptionDeclaration("referrer-name", value: "NAME", help: "set the name of the app"), .appName),
    (
      OptionDeclaration("referrer-app-store-id", value: "TEXT", help: "set its App Store ID"),
      .appStoreID
    ),
    (
      OptionDeclaration("referrer-google-play-id", value: "TEXT", help: "set its Google Play ID"),
      .googlePlayID
    ),
    (OptionDeclaration("referrer-web-url", value: "URL", help: "set its web page"), .webURL),
    (
      OptionDeclaration("referrer-ios-app-url", value: "URL", help: "set the URL for iOS"),
      .iOSAppURL
    ),
    (
      OptionDeclaration("referrer-android-app-url", value: "URL", help: "set the URL for Android"),
      .androidAppURL
    ),
  ]

  static let verb = "make"
  static let declaration = CommandDeclaration(
    name: "item make", summary: "build a share item", operands: "",
    details: """
      Give one of --url, --text and --file, or --from alone. The item goes to standard output unless
      --output is given. --attach and --attach-for take the path of a file, url:URL or text:TEXT.
      """,
    options: [url, text, file, type, title, content, tag, sourceURL, referrerApp]
      + referrer.map(\.option) + [
        attach, attachFor, contentFor, custom, from, embed, keepPrivate, BulkChange.dryRun,
        OutputFile.option,
      ],
    examples: [
      "docsource item make --url https://example.com/a --title Apples -o apples.xei",
      "docsource item make --from photo.jpg --file photo.jpg --embed -o photo.xei",
    ],
    manual: manual)

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
      base = ItemOrigin.item(marks, report)
      if !arguments.has(keepPrivate) {
        let (item, losses) = base.withoutPrivateParts()
        base = item
        for loss in losses { console.report(file[...], EscapedText("\(loss)").description) }
      }
    }
    let files = AttachedFiles(
      embeds: arguments.has(embed), output: arguments.bytes(OutputFile.option))
    guard let item = try item(of: base, arguments, files, console) else { return .failed }
    guard !item.userInfo.isEmpty else {
      console.report(arguments.bytes(from)?[...] ?? [], "its marks say nothing for a share item")
      return .noSource
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
    guard let application = try ApplicationOption(arguments, console, by: referrerApp) else {
      return nil
    }
    if let name = application.shownName { item.referrer.appName = name }
    try setFields(&item, arguments)
    guard try setActivities(&item, arguments, files, console) else { return nil }
    for (key, text) in try arguments.pairs(custom) {
      let parameters = AnyParameters(unchecked: [key: try parameter(text, custom)])
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
    let type = try arguments.text(type)
    if type?.isEmpty == true { throw UsageError("--type: a uniform type cannot be empty") }
    var attachment: ShareItem.Attachment
    if option.long == file.long {
      guard let value = arguments.bytes(file), let made = try files.file(value, file, type, console)
      else { return .failed }
      return .given(made)
    }
    let value = try arguments.text(option) ?? ""
    if option.long == url.long {
      try requireURL(value, url)
      attachment = .url(value)
    } else {
      attachment = .text(value)
    }
    if let type, let typed = try? ShareItem.Attachment(attachment.content, types: [type]) {
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

  /// - Returns: `false` after reporting which file cannot be attached.
  private static func setActivities(
    _ item: inout ShareItem, _ arguments: Arguments, _ files: AttachedFiles, _ console: Console
  ) throws(UsageError) -> Bool {
    for (name, text) in try arguments.pairs(contentFor) {
      let activity = try ItemActivity.named(name, contentFor)
      var parts = item.parts(for: activity)
      parts.contentText = try AttachedFiles.text(text, contentFor)
      item.setParts(parts, for: activity)
    }
    for (name, rest) in try arguments.pairs(attachFor) {
      let activity = try ItemActivity.named(name, attachFor)
      guard let attachment = try files.attachment(rest, attachFor, console) else { return false }
      var parts = item.parts(for: activity)
      parts.additions = (parts.additions ?? []) + [attachment]
      item.setParts(parts, for: activity)
    }
    return true
  }

  private static func requireURL(_ text: String, _ option: OptionDeclaration) throws(UsageError) {
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

  private static let manual = ManualText(
    """
    --file and --attach record the path of a file relative to the directory of the output file if the
    file is below it, and otherwise the absolute path; with --embed, the item has the content of the
    file and its name. Paths must be UTF-8. --attach takes FILE, file:FILE, url:URL or text:TEXT; so
    does --attach-for, where the attachments replace those of --attach for that activity. ACTIVITY is
    the identifier of a share extension, such as com.example.App.Share.

    --from takes from FILE the item in user.x-extension-item and its other attributes, and for what
    they do not say the URL of the download, the page with the link and the application as
    docsource-trace(1) tells them. Options override what --from gives. What identifies you is left
    out, and reported on standard error; --keep-private keeps it.

    --referrer-app takes the name, in the user's language, from the applications that
    docsource-apps(1) lists; --referrer-name overrides it.

    --custom adds a key of an application; VALUE is a JSON value, or text if it is not JSON. Keys ought
    to begin with the reversed domain of the application. The keys of all items are refused.

    With --dry-run, the item is shown as by 'item show' and not written.
    """,
    exitStatus: [
      .noSource: "The marks of FILE say nothing, and no other option does.",
      .failed: "A file could not be read, or the item not be written.",
    ],
    seeAlso: ["docsource-item(1)", "docsource-trace(1)"])
}

/// What is known of a file makes an item.
enum ItemOrigin {
  /// The item of the file's attributes; the short answer of all marks for what it does not say.
  static func item(_ marks: FileItem, _ report: ProvenanceReport) -> ShareItem {
    var item = marks.merged
    if item.sourceURL == nil, let url = report.text(.url), AbsoluteURL.hasScheme(url) {
      item.sourceURL = url
    }
    if item.referrer.webURL == nil, let url = report.text(.referrer), AbsoluteURL.hasScheme(url) {
      item.referrer.webURL = url
    }
    if item.referrer.appName == nil {
      item.referrer.appName = report.text(.name) ?? report.text(.identifier)
    }
    return item
  }
}

/// Makes attachments of what the command line names.
struct AttachedFiles {
  /// Whether an item has the contents of files, rather than their paths.
  let embeds: Bool
  /// Where the item goes; `nil` for standard output.
  let output: [UInt8]?

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
      value.starts(with: lead) ? Array(value.dropFirst(lead.count)) : value, option, nil, console)
  }

  /// - Parameter type: `nil` to find out.
  func file(
    _ bytes: [UInt8], _ option: OptionDeclaration, _ type: String?, _ console: Console
  ) throws(UsageError) -> ShareItem.Attachment? {
    guard let path = FilePath(bytes: bytes), !bytes.isEmpty else {
      throw UsageError("--\(option.long): no file given")
    }
    guard let status = try? FileStatus(path, links: .follow), let real = path.realPath else {
      console.report(path.bytes, "cannot attach: no such file or directory")
      return nil
    }
    guard status.kind == .file || status.kind == .directory && !embeds else {
      console.report(path.bytes, "cannot attach: not a regular file")
      return nil
    }
    guard let name = String(validating: real.lastComponent, as: UTF8.self) else {
      console.report(path.bytes, "cannot attach: the path is not UTF-8, which an item requires")
      return nil
    }
    let known =
      type
      ?? AttachmentType.uniformType(
        of: real, isDirectory: status.kind == .directory, console)
    if embeds {
      guard let content = InputFile(path: path).read(console) else { return nil }
      return try? ShareItem.Attachment(
        .data(content), types: [known ?? ShareItem.Attachment.WellKnownType.data],
        suggestedName: name)
    }
    guard let recorded = String(validating: recorded(real), as: UTF8.self) else {
      console.report(path.bytes, "cannot attach: the path is not UTF-8, which an item requires")
      return nil
    }
    return .file(recorded, type: known, suggestedName: name)
  }

  /// The path below the directory of the output, else the absolute one.
  private func recorded(_ real: FilePath) -> [UInt8] {
    guard let output, output != [UInt8(ascii: "-")], let path = FilePath(bytes: output),
      let directory = ReplacedFile(path: path).directory.realPath
    else { return Array(real.bytes) }
    var lead = Array(directory.bytes)
    FilePath.addSlash(to: &lead)
    return real.bytes.starts(with: lead)
      ? Array(real.bytes.dropFirst(lead.count)) : Array(real.bytes)
  }
}

/// The uniform types of files that an item names.
enum AttachmentType {
  /// By the desktop's database; where that does not work, which has been said, by the ending of the
  /// name. `nil` where nothing tells it.
  static func uniformType(
    of path: FilePath, isDirectory: Bool, _ console: Console
  ) -> String? {
    if isDirectory { return "public.folder" }
    if let detected = TypeDetection.types(of: [path], links: .follow, console)?.first ?? nil {
      return detected.type(of: path, in: .builtIn).identifier
    }
    let name = path.lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let ending = String(decoding: name[(dot + 1)...], as: UTF8.self)
    return TypeTree.builtIn.types(withExtension: ending).first
  }

  /// The ending for a file with an attachment's content.
  static func ending(of attachment: ShareItem.Attachment) -> String? {
    let declared = attachment.mediaType.map { TypeTree.builtIn.type(ofMIME: $0).identifier }
    return (attachment.typeIdentifiers + [declared].compactMap(\.self)).lazy
      .compactMap { TypeTree.builtIn.extensions(of: $0).first }.first
  }
}
