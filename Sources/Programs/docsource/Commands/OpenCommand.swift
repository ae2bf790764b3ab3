import Applications
import CommandLineInterface
import CompanionProtocol
import Handoff
import LinuxSystem
import TextFormats

/// `docsource open`: opens files, also in the application that they came from.
enum OpenCommand: Command {
  private static let source = OptionDeclaration(
    "source", short: "s", help: "open in the application that FILE came from")
  private static let with = OptionDeclaration(
    "with", value: "APP", kind: .identifier, help: "open in APP, an identifier or a name")
  private static let list = OptionDeclaration(
    "list", short: "l", help: "only list the applications that open all FILEs")
  private static let all = OptionDeclaration(
    "all", help: "with --list: include applications for other types")
  private static let portal = OptionDeclaration(
    "portal", help: "let the desktop portal open FILE, as in a sandbox")
  private static let ask = OptionDeclaration(
    "ask", help: "with --portal: let the user choose the application")
  private static let root = OptionDeclaration(
    "root", value: "DIR", help: "with --source: open DIR/PATH, the original of FILE")
  private static let original = OptionDeclaration(
    "original", help: "with --source: open the original that FILE names")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "open"
  static let declaration = CommandDeclaration(
    name: verb, summary: "open files, also in the application they came from",
    operands: "FILE|URL...", kinds: [.file],
    details: """
      Opens each FILE in its default application, or with --source in the application that its \
      document source names, if that is installed here.
      """,
    options: [
      source, original, root, with, list, all, portal, ask, Confirmation.option, BulkChange.dryRun,
      BulkChange.quiet, BulkChange.json, FileList.option,
    ],
    examples: [
      "docsource open --source notes.txt", "docsource open --with org.gnome.TextEditor notes.txt",
    ],
    manual: ManualText(Manual.open))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard !arguments.operands.isEmpty else { throw UsageError("no file given") }
    let modes = [source, with, list, portal].filter(arguments.has)
    guard modes.count <= 1 else {
      throw UsageError(
        "\(modes.map { "--" + $0.long }.joined(separator: " and ")) cannot be combined")
    }
    for (option, needed) in [(all, list), (ask, portal), (root, source), (original, source)]
    where arguments.has(option) && !arguments.has(needed) {
      throw UsageError("--\(option.long) needs --\(needed.long)")
    }
    var application: String?
    if let word = arguments.bytes(with) {
      application = try installedApplication(word, console)
      if application == nil { return .failed }
    }
    let isDry = arguments.has(BulkChange.dryRun)
    var opener = DocumentOpener(
      isDry: isDry, .ofProgram(asking: Confirmation.asking(arguments, console)))
    var listed: [DesktopListing.Entry]?
    var failure: DesktopFailure?
    do throws(DesktopFailure) {
      if arguments.has(source) {
        try opener.openInSource(
          arguments.operands, choice(arguments),
          IntentOperands.installed([], console) ?? IntentCatalogue(), in: .current(),
          reporting: IntentOperands.report(console))
      } else {
        opener.resolve(arguments.operands, translates: application == nil)
        if arguments.has(list) {
          listed = try opener.applications(others: arguments.has(all))
        } else if application != nil {
          try opener.open(in: application)
        } else if arguments.has(portal) || ShareCompanion().isSandboxed {
          try opener.open(in: nil, arguments.has(ask) ? [.portal, .ask] : .portal)
        } else {
          try opener.open(in: nil)
        }
      }
    } catch {
      failure = error
    }
    let launches = LaunchReport(isDry: isDry, isQuiet: arguments.has(BulkChange.quiet), console)
    let status = opener.reports.reduce(ExitStatus.done) {
      $0.combined(with: write($1, launches, console))
    }
    if let failure {
      console.say(failure.description)
      return .failed
    }
    guard let listed else { return status }
    for entry in listed { write(entry, console) }
    return listed.isEmpty ? status.combined(with: .negative) : status
  }

  private static func choice(_ arguments: Arguments) -> DocumentOpener.Choice {
    let root = arguments.bytes(root).flatMap { FilePath(bytes: $0) }
    return root != nil || arguments.has(original) ? .original(root: root) : .file
  }

  private static func write(
    _ report: DocumentOpener.Report, _ launches: LaunchReport, _ console: Console
  ) -> ExitStatus {
    switch report {
    case .opened(let outcomes, let names, let originals):
      return launches.write(outcomes, names: names, originals: originals)
    case .declined:
      console.say("cancelled")
      return .negative
    case .refused(let refusal):
      console.say("\(EscapedText(refusal.message))")
      return .failed
    case .failed(let operand, let reason):
      console.fail(operand[...], reason)
      return .failed
    case .lost(let operand, let what):
      console.report(operand[...], "left out: \(EscapedText(what))")
      return .done
    case .unopened(let path, let reason, let identifier, let website):
      if console.writesObjects {
        console.write([
          "file": .path(path.bytes), "outcome": "unchanged", "reason": .text(reason),
          "identifier": .text(identifier), "website": .text(website),
        ])
      } else {
        console.report(path.bytes, "\(EscapedText(reason))")
      }
      return .negative
    }
  }

  private static func write(_ entry: DesktopListing.Entry, _ console: Console) {
    let (identifier, name) = (entry.application.identifier, entry.application.name)
    let role = entry.role.rawValue
    if console.writesObjects {
      console.write([
        "identifier": .text(identifier), "name": .text(name), "role": .text(role),
        "icon": entry.icon.isEmpty ? nil : .text(entry.icon),
      ])
    } else {
      console.output.writeLine("\(EscapedText(identifier))\t\(EscapedText(name))\t\(role)")
    }
  }
}

/// Says what became of launches.
struct LaunchReport {
  private let isDry: Bool
  private let isQuiet: Bool
  private let console: Console

  init(isDry: Bool, isQuiet: Bool, _ console: Console) {
    (self.isDry, self.isQuiet, self.console) = (isDry, isQuiet, console)
  }

  /// Writes what was done, or would be, and reports what failed.
  ///
  /// - Parameters:
  ///   - names: what the user calls the targets, if that is something else.
  ///   - originals: what was opened in the place of the files that the user named, by targets.
  func write(
    _ outcomes: [DesktopProtocol.Outcome], names: [[UInt8]: [UInt8]] = [:],
    originals: [[UInt8]: [UInt8]] = [:]
  ) -> ExitStatus {
    var status = ExitStatus.done
    func name(_ target: [UInt8]) -> [UInt8] { names[target] ?? target }
    /// What was opened in an application, or how it would be.
    func opened(
      _ targets: [[UInt8]], _ application: DesktopProtocol.Application,
      _ intention: @autoclosure () -> String, _ fields: @autoclosure () -> JSONFields
    ) {
      if console.writesObjects {
        let all: JSONFields = [
          "files": texts(targets.map(name)), "identifier": .text(application.identifier),
          "name": .text(application.name), "outcome": "opened",
          "originals": originals.isEmpty ? nil : texts(targets.compactMap { originals[$0] }),
        ]
        console.write(isDry ? all + ["dryRun": true] + fields() : all)
      } else if isDry {
        console.output.writeLine(intention())
      } else if !isQuiet {
        for target in targets {
          console.output.writeLine(
            "\(EscapedText(name(target))): opened in \(EscapedText(application.name))"
              + " (\(EscapedText(application.identifier)))"
              + (originals[target].map { ": \(EscapedText($0))" } ?? ""))
        }
      }
    }
    for outcome in outcomes {
      switch outcome {
      case .started(let application, let targets, let isInTerminal, let words):
        opened(
          targets, application, DryRunText.run(words, inTerminal: isInTerminal),
          ["terminal": .flag(isInTerminal), "arguments": .words(words)])
      case .called(let application, let targets, let uris):
        opened(
          targets, application, DryRunText.call(application, uris), ["call": texts(uris)])
      case .portal(let method, let target, let answer):
        status = status.combined(
          with: write(method, target, name(target), answer))
      case .failed(let targets, let reason):
        status = .failed
        if targets.isEmpty { console.say("\(EscapedText(reason))") }
        for target in targets { console.fail(name(target)[...], reason) }
      }
    }
    return status
  }

  private func texts(_ words: [[UInt8]]) -> JSONFields.Field {
    .texts(words.map { String(decoding: $0, as: UTF8.self) })
  }

  private func write(
    _ method: String, _ target: [UInt8], _ name: [UInt8], _ answer: DesktopProtocol.PortalAnswer?
  ) -> ExitStatus {
    guard answer != .failed else {
      console.fail(name[...], "the portal could not open it")
      return .failed
    }
    let isCancelled = answer == .cancelled
    if console.writesObjects {
      console.write([
        "files": texts([name]), "portal": .text(method),
        "outcome": isCancelled ? "cancelled" : "opened", "dryRun": isDry ? true : nil,
        "call": isDry ? texts([target]) : nil,
      ])
    } else if isDry {
      console.output.writeLine(DryRunText.portal(method, target))
    } else if isCancelled {
      console.report(name[...], "cancelled")
    } else if !isQuiet {
      console.output.writeLine("\(EscapedText(name)): opened by the portal")
    }
    return isCancelled ? .negative : .done
  }
}
