import Applications
import CommandLineInterface
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// `docsource link`: links that say which app shared them.
enum LinkCommand: Command {
  static let verb = "link"
  static var members: [any Command.Type] {
    [
      LinkMakeCommand.self, LinkParseCommand.self, LinkCheckCommand.self, LinkCanCommand.self,
      LinkApplyCommand.self,
    ]
  }

  static let declaration = CommandDeclaration(
    name: verb, summary: "make and read links that say which app shared them", operands: "",
    members: members.map { $0.declaration },
    examples: [
      "docsource link make --app com.example.reader --url https://example.com/a",
      "docsource link parse 'com.example.app://extensionsave?url=https%3A%2F%2Fe.org'",
    ],
    manual: ManualText(
      Manual.link,
      ["length-limit": "\(LinkCheck.lengthLimit)", "pair-limit": "\(LinkCheck.pairLimit)"]))
}

/// What the verbs of `link` have in common.
enum LinkInput {
  static let lenient = OptionDeclaration(
    "lenient", help: "accept nearly anything, as Pocket did")
  static let anyURL = OptionDeclaration("any-url", help: "allow URLs other than http and https")

  static func rule(_ arguments: Arguments) -> LinkCheck.URLRule {
    arguments.has(anyURL) ? .anyScheme : .web
  }

  /// The links that operands give; `-` is a list on standard input, one on each line. `nil` after
  /// reporting why that cannot be read.
  static func links(
    _ operands: [[UInt8]], _ console: Console
  ) throws(UsageError) -> [[UInt8]]? {
    guard !operands.isEmpty else { throw UsageError("no link given") }
    var links: [[UInt8]] = []
    for operand in operands {
      guard operand == [UInt8(ascii: "-")] else {
        links.append(operand)
        continue
      }
      guard let bytes = InputFile(path: nil).read(console) else { return nil }
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        links.append(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
      }
    }
    return links
  }

  /// Reads a link, and reports what is doubtful; `nil` after reporting what is wrong with it.
  static func link(
    _ bytes: [UInt8], _ arguments: Arguments, _ console: Console
  ) -> AttributedLink? {
    if arguments.has(lenient) {
      if let text = String(validating: bytes, as: UTF8.self),
        let link = AttributedLink(lenient: text)
      {
        return link
      }
      fail(bytes, "not an attributed link", [], console)
      return nil
    }
    let check = LinkCheck(bytes, urls: rule(arguments))
    guard let link = check.link else {
      let errors = check.findings.filter { $0.severity == .error }
      fail(bytes, errors.map(\.description).joined(separator: "; "), check.findings, console)
      return nil
    }
    for warning in check.findings { console.report(shown(bytes), warning.description) }
    return link
  }

  private static func fail(
    _ bytes: [UInt8], _ words: String, _ findings: [LinkFinding], _ console: Console
  ) {
    if console.writesObjects {
      console.write(
        ["link": .path(bytes), "findings": Self.findings(findings), "error": .text(words)])
    }
    console.report(shown(bytes), words)
  }

  /// A link that is not longer than anybody wants to read in a message.
  static func shown(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.count <= 200 ? bytes[...] : (bytes[..<200] + "...".utf8)[...]
  }

  static func findings(_ findings: [LinkFinding]) -> JSONFields.Field {
    .objects(findings.map { $0.code.fields(["offset": .number($0.offset)]) })
  }
}

/// `docsource link parse`: prints what links say.
enum LinkParseCommand: Command {
  static let answerOfFailure: JSONFields? = [:]
  static let readsStandardInput = true

  static let verb = "parse"
  static let declaration = CommandDeclaration(
    name: "link parse", summary: "print what attributed links say", operands: "LINK...",
    details: "If LINK is -, links are read from standard input, one on each line.",
    options: [LinkInput.lenient, LinkInput.anyURL, BulkChange.json],
    examples: [
      "docsource link parse 'com.example.app://extensionsave?url=https%3A%2F%2Fe.org'"
    ],
    manual: ManualText(Manual.linkParse))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard let links = try LinkInput.links(arguments.operands, console) else { return .failed }
    return links.reduce(.done) { status, bytes in
      guard let link = LinkInput.link(bytes, arguments, console) else { return .failed }
      write(link, bytes, isLabelled: links.count > 1, console)
      return status
    }
  }

  private static func write(
    _ link: AttributedLink, _ bytes: [UInt8], isLabelled: Bool, _ console: Console
  ) {
    if console.writesObjects {
      let parameters = link.parameters.map {
        (key: $0.name, value: JSONFields.Field.text($0.value))
      }
      return console.write([
        "link": .path(bytes), "app": .text(link.app), "parameters": .object(JSONFields(parameters)),
        "canonical": .text(link.text),
      ])
    }
    if isLabelled { console.output.writeLine("\(EscapedText(LinkInput.shown(bytes))):") }
    let rows = link.parametersWithApp
    let width = rows.map { EscapedText($0.name).description.utf8.count }.max() ?? 0
    for row in rows {
      let name = EscapedText(row.name).description
      let gap = String(repeating: " ", count: width - name.utf8.count + 2)
      console.output.writeLine("\(name)\(gap)\(EscapedText(quoting: row.value))")
    }
  }
}

/// `docsource link check`: reports all that is wrong with links.
enum LinkCheckCommand: Command {
  static let answerOfFailure: JSONFields? = [:]
  static let readsStandardInput = true

  static let verb = "check"
  static let declaration = CommandDeclaration(
    name: "link check", summary: "report everything that is wrong with attributed links",
    operands: "LINK...",
    details: "If LINK is -, links are read from standard input, one on each line.",
    options: [LinkInput.anyURL, BulkChange.quiet, BulkChange.json],
    examples: ["docsource link check - < links.txt"],
    manual: ManualText(Manual.linkCheck))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard let links = try LinkInput.links(arguments.operands, console) else { return .failed }
    let isQuiet = arguments.has(BulkChange.quiet)
    return links.reduce(.done) { status, bytes in
      let check = LinkCheck(bytes, urls: LinkInput.rule(arguments))
      if console.writesObjects {
        if !isQuiet || !check.isValid {
          console.write([
            "link": .path(bytes), "valid": .flag(check.isValid),
            "findings": LinkInput.findings(check.findings),
          ])
        }
      } else {
        for finding in check.findings where !isQuiet || finding.severity == .error {
          console.report(LinkInput.shown(bytes), finding.description)
        }
        if check.isValid, !isQuiet {
          console.output.writeLine("\(EscapedText(LinkInput.shown(bytes))): valid")
        }
      }
      return check.isValid ? status : .failed
    }
  }
}

/// `docsource link can`: says which activities understand links.
enum LinkCanCommand: Command {
  private static let app = OptionDeclaration(
    "app", value: "APP", kind: .identifier, repeats: true,
    help: "ask about the extensions of an app; repeatable")
  private static let quiet = OptionDeclaration(
    "quiet", short: "q", help: "print nothing; only set the exit status")

  static let answerOfFailure: JSONFields? = [:]

  static let verb = "can"
  static let declaration = CommandDeclaration(
    name: "link can", summary: "say whether an activity understands attributed links",
    operands: "[ACTIVITY...]",
    details: "ACTIVITY is the identifier of a share extension, or a name as in docsource-item(1).",
    options: [app, quiet, BulkChange.json],
    examples: ["docsource link can \(AttributedLink.activityType)"],
    manual: ManualText(
      Manual.linkCan,
      ["activity-type": AttributedLink.activityType, "receiver": AttributedLink.receiver]))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let apps = arguments.values(app)
    guard !arguments.operands.isEmpty || !apps.isEmpty else {
      throw UsageError("no activity given")
    }
    for bytes in apps where !bytes.elementsEqual(AttributedLink.receiver.utf8) {
      let word = try ApplicationWord(bytes)
      guard let known = KnownApplications.ofUser(console) else { return .failed }
      do throws(ApplicationWord.Failure) {
        _ = try word.application(among: known)
      } catch {
        throw UsageError("--app: \(error.reason)")
      }
    }
    var status = ExitStatus.done
    func write(_ bytes: [UInt8], _ key: String, _ canUse: Bool) {
      if !canUse { status = .negative }
      if console.writesObjects {
        console.write([key: .path(bytes), "canUse": .flag(canUse)])
      } else if !arguments.has(quiet) {
        let verdict = canUse ? "understands attributed links" : "does not understand them"
        console.output.writeLine("\(EscapedText(bytes)): \(verdict)")
      }
    }
    for bytes in arguments.operands {
      let activity = String(validating: bytes, as: UTF8.self)
      let identifier = activity.flatMap { ActivityType(named: $0)?.rawValue }
      write(bytes, "activity", identifier.map(AttributedLink.canUse) ?? false)
    }
    for bytes in apps {
      write(bytes, "app", bytes.elementsEqual(AttributedLink.receiver.utf8))
    }
    return status
  }
}

/// `docsource link make`: builds a link.
enum LinkMakeCommand: Command {
  private static let app = OptionDeclaration(
    "app", value: "APP", kind: .identifier, help: "set the identifier of the app")
  private static let url = OptionDeclaration("url", value: "URL", help: "set the URL to share")
  private static let tweet = OptionDeclaration(
    "tweet-id", value: "NUMBER", help: "set the number of the tweet with the URL")
  private static let attribution = OptionDeclaration(
    "attribution", value: "TEXT", help: "set attribution_detail")
  private static let parameter = OptionDeclaration(
    "parameter", value: "KEY=VALUE", repeats: true, help: "add another parameter; repeatable")
  private static let from = OptionDeclaration(
    "from", value: "FILE", help: "take app and URL from the marks of FILE")
  private static let keepPrivate = OptionDeclaration(
    "keep-private", help: "keep user name and password in the URL of FILE")

  static let verb = "make"
  static let declaration = CommandDeclaration(
    name: "link make", summary: "build an attributed link", operands: "",
    details: "Give --app and --url, or --from. The link is printed in its canonical form.",
    options: [
      app, url, tweet, attribution, parameter, from, keepPrivate, LinkInput.anyURL,
    ],
    examples: [
      "docsource link make --app com.example.reader --url https://example.com/a",
      "docsource link make --from article.html",
    ],
    manual: ManualText(Manual.linkMake))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.isEmpty else {
      throw UsageError("unexpected operand '\(EscapedText(arguments.operands[0]))'")
    }
    var base = ShareItem()
    var source: String?
    if let file = arguments.bytes(from) {
      guard let path = FilePath(bytes: file),
        case .marks(let marks, let report)? = ItemInput.marks(path, .follow, console)
      else { return .failed }
      base = marks.completed(by: report)
      if !arguments.has(keepPrivate) { base = base.withoutPrivateParts(keeping: .wholeURLs).item }
      source = report.text(.identifier)
    }
    var parameters = try arguments.pairs(parameter).map { key, value throws(UsageError) in
      AttributedLink.Parameter(name: key, value: try Arguments.text(value, of: parameter))
    }
    for (option, name) in [
      (tweet, AttributedLink.Name.tweetIdentifier), (attribution, AttributedLink.Name.attribution),
    ] {
      if let text = try arguments.text(option) {
        parameters.append(.init(name: name, value: text))
      }
    }
    let given = (app: try arguments.text(app), url: try arguments.text(url))
    // Letters of other scripts are percent-encoded by whoever opens the URL.
    let ascii = given.url.map { String($0.map { $0.isASCII ? $0 : "x" }) }
    if let flaw = ascii.flatMap(AbsoluteURL.characterFlaw) {
      throw UsageError("--url: \(flaw.reason)")
    }
    var names = Set(given.url == nil ? [] : [AttributedLink.Name.url])
    for parameter in parameters where !names.insert(parameter.name).inserted {
      throw UsageError("the parameter '\(EscapedText(parameter.name))' is given twice")
    }
    if let app = given.app, let flaw = AttributedLink.schemeFlaw(app) {
      throw UsageError(
        "--app: \(EscapedText(quoting: app)) cannot be the scheme of a URL: \(flaw)")
    }
    if !arguments.has(from) {
      guard given.app != nil else {
        throw UsageError("--app is missing: it becomes the scheme of the link")
      }
      let isGiven = given.url != nil || parameters.contains { $0.name == AttributedLink.Name.url }
      guard isGiven else { throw UsageError("--url is missing") }
    }
    let link: AttributedLink
    do throws(AttributedLink.Failure) {
      link = try base.link(app: given.app ?? source, url: given.url, parameters: parameters)
    } catch {
      guard let file = arguments.bytes(from) else { throw UsageError("\(error)") }
      console.report(file[...], "cannot make a link: \(error)")
      return .negative
    }
    return write(link, arguments, console)
  }

  /// A link that would be refused is not made; what is wrong with it is said of the arguments.
  private static func write(
    _ link: AttributedLink, _ arguments: Arguments, _ console: Console
  ) -> ExitStatus {
    let check = LinkCheck(link.text, urls: LinkInput.rule(arguments))
    for finding in check.findings {
      console.say(
        "\(subject(of: finding.code, in: link, arguments)): \(finding.severity.rawValue)"
          + " \(finding.code.rawValue): \(finding.code.meaning)")
    }
    guard check.isValid else { return .failed }
    console.output.writeLine(link.text)
    return .done
  }

  /// Where the value that a finding is about has come from, and the value.
  private static func subject(
    of code: LinkFinding.Code, in link: AttributedLink, _ arguments: Arguments
  ) -> String {
    let file = arguments.bytes(from).map { "\(EscapedText($0)): " } ?? ""
    func value(_ option: OptionDeclaration, _ name: String, _ value: String?) -> String {
      let lead = arguments.has(option) || file.isEmpty ? "--\(option.long)" : "\(file)\(name)"
      return "\(lead) \(EscapedText(quoting: value ?? ""))"
    }
    switch code {
    case .badScheme, .reservedScheme, .notReverseDNS: return value(app, "app", link.app)
    case .missingURL, .invalidURL: return value(url, "URL", link.url)
    case .badTweetIdentifier:
      return value(tweet, "tweet_id", link[AttributedLink.Name.tweetIdentifier])
    default: return "\(file)the link"
    }
  }
}

/// `docsource link apply`: keeps with files what a link says of them.
enum LinkApplyCommand: Command {
  private static let tweet = OptionDeclaration(
    "tweet", help: "write the address of the tweet to user.xdg.referrer.url")

  static let answerOfFailure = ChangeObject.ofFailure
  static let operandsBeforeFiles = 1

  static let verb = "apply"
  static let declaration = CommandDeclaration(
    name: "link apply", summary: "write what an attributed link says to attributes of files",
    operands: "LINK FILE...",
    details: """
      Writes user.x-extension-item, the URL to user.xdg.origin.url, and the app to
      user.xdg.publisher. Existing values that differ are not overwritten.
      """,
    options: [tweet, LinkInput.lenient, LinkInput.anyURL] + ItemApplication.options,
    examples: [
      "docsource link apply 'com.example.a://extensionsave?url=https%3A%2F%2Fe.org' f"
    ],
    manual: ManualText(Manual.linkApply))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard let bytes = arguments.operands.first else { throw UsageError("no link given") }
    guard arguments.operands.count > 1 else { throw UsageError("no file given") }
    let operands = try Operands(
      arguments.with(operands: Array(arguments.operands.dropFirst())))
    guard let link = LinkInput.link(bytes, arguments, console),
      let work = ItemApplication(
        ShareItem(link, showsTweet: arguments.has(tweet)), named: LinkInput.shown(bytes),
        identifier: link.app, arguments, console)
    else { return .failed }
    return work.run(operands, console)
  }
}
