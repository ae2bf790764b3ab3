import CommandLineInterface
import CompanionProtocol
import Glibc
import Handoff
import LinuxSystem
import TextFormats

/// `docsource intent perform`: has a command carried out.
enum IntentPerformCommand: Command {
  private static let app = OptionDeclaration(
    "app", value: "APP", help: "use APP, an identifier or a name")
  private static let print = OptionDeclaration(
    "print", help: "only print the URL or the command line")
  private static let ask = OptionDeclaration(
    "ask", help: "ask which application to use, even if there is a default")
  private static let noFallback = OptionDeclaration(
    "no-fallback", help: "open no web page if no application can do it")
  private static let showFirstParty = OptionDeclaration(
    "show-first-party", help: "include the applications that a catalogue hides as first-party")
  private static let noInApp = OptionDeclaration(
    "no-in-app", help: "leave out commands that docsource would carry out itself")
  private static let remember = OptionDeclaration(
    "remember", help: "make the application used the default")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "perform"
  static let declaration = CommandDeclaration(
    name: "intent perform", summary: "carry out a command in an application",
    operands: "COMMAND [ARG=VALUE...]",
    kinds: [.choice(IntentClass.all.flatMap(\.commands).map(\.name))],
    options: [
      app, print, ask, remember, noFallback, showFirstParty, noInApp, IntentOperands.catalogue,
      BulkChange.dryRun, BulkChange.json,
    ],
    examples: [
      "docsource intent perform searchForLocation: query='Brandenburg Gate'",
      "docsource intent perform --print --app=Tweetbot showTimeline",
    ],
    manual: ManualText(Manual.intentPerform))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let request = try request(arguments.operands)
    let application = try arguments.text(app)
    guard let installed = IntentOperands.installed(arguments, console) else { return .failed }
    var work = IntentResolver(
      request: request, installed: installed, desktop: ShareCompanion())
    work.report = IntentOperands.report(console)
    let performance = Performance(
      work: work, isPrinting: arguments.has(print), isDry: arguments.has(BulkChange.dryRun),
      asks: arguments.has(ask), remembers: arguments.has(remember), console: console)
    do throws(IntentResolver.Failure) {
      if let end = request.intent.end, !arguments.has(print) {
        throw IntentResolver.Failure(reason: "cannot perform \(request.command.lead): \(end)")
      }
      if let application { return try performance.run(in: application) }
      var choice = IntentChoice()
      choice.usesFallback = !arguments.has(noFallback)
      choice.alwaysAsks = arguments.has(ask)
      choice.showsFirstParty = arguments.has(showFirstParty)
      choice.hidesInApp = arguments.has(noInApp)
      return try performance.run(choice)
    } catch {
      if error.isUnknownApplication {
        throw UsageError("--app: \(EscapedText(error.reason))")
      }
      if error.isBadValue { throw UsageError("\(EscapedText(error.reason))") }
      if console.writesObjects {
        console.write([
          "command": .text(request.command.name), "outcome": "failed", "error": .text(error.reason),
        ])
      }
      console.say("\(EscapedText(error.reason))")
      return .failed
    }
  }

  private static func request(_ operands: [[UInt8]]) throws(UsageError) -> IntentRequest {
    guard let word = operands.first else { throw UsageError("no command given") }
    let values = try IntentOperands.arguments(operands.dropFirst())
    let name = String(decoding: word, as: UTF8.self)
    let request: IntentRequest?
    do throws(IntentFailure) {
      request = try IntentRequest(name, values)
    } catch {
      let lead = IntentClass.Command.lead(name)
      throw UsageError("\(EscapedText(lead)): \(EscapedText("\(error)"))")
    }
    if let request { return request }
    let hint = Spelling.nearest(to: name, among: IntentClass.all.flatMap(\.commands).map(\.name))
    throw UsageError(
      "unknown command '\(EscapedText(word))'"
        + (hint.map { "; did you mean '\($0)'?" } ?? "; \(IntentOperands.reference)"))
  }
}

/// Carries one command out.
private struct Performance {
  let work: IntentResolver
  let isPrinting: Bool
  let isDry: Bool
  /// Whether the user chooses even if there is a default.
  let asks: Bool
  /// Whether who does it becomes the default without a question.
  let remembers: Bool
  /// What was left out of the URL before.
  var leftOut: [String] = []
  let console: Console

  /// Lets an application do it that the user has named.
  func run(in name: String) throws(IntentResolver.Failure) -> ExitStatus {
    do throws(IntentResolver.Failure) {
      return try perform(work.candidate(named: name, shows: isPrinting), remembering: remembers)
    } catch {
      guard error.canBeShown else { throw error }
      throw IntentResolver.Failure(reason: "\(error.reason); --print shows what it would get")
    }
  }

  /// Finds out who does it.
  func run(_ choice: IntentChoice) throws(IntentResolver.Failure) -> ExitStatus {
    switch try work.decision(choice) {
    case .perform(let one): return try perform(one, remembering: remembers)
    case .open(let url, let leftOut): return try open((url, leftOut))
    case .choose(let offered, let remembers): return try choose(offered, remembers)
    case .nobody:
      throw IntentResolver.Failure(
        reason: "no application here can do \(work.request.command.name)")
    }
  }

  /// Opens the command's web page.
  private func open(
    _ page: (url: String, leftOut: [String])
  ) throws(IntentResolver.Failure) -> ExitStatus {
    report(page.leftOut, of: work, by: DocumentOpener.website(page.url) ?? page.url)
    if isPrinting {
      return write(
        IntentCandidate(
          identity: "", name: "", way: .url(page.url, application: nil), leftOut: page.leftOut))
    }
    guard let request = try? IntentRequest("openURL:", ["url": page.url]) else {
      throw IntentResolver.Failure(reason: "the page cannot be opened: \(page.url)")
    }
    var opening = IntentResolver(
      request: request, installed: work.installed, desktop: work.desktop)
    opening.report = work.report
    let browser = Performance(
      work: opening, isPrinting: false, isDry: isDry, asks: asks, remembers: false,
      leftOut: page.leftOut, console: console)
    var choice = IntentChoice()
    choice.usesFallback = false
    choice.alwaysAsks = asks
    return try browser.run(choice)
  }

  /// Says what gets lost.
  private func report(_ leftOut: [String], of work: IntentResolver, by name: String) {
    for argument in leftOut {
      let value = work.request.arguments[argument] ?? ""
      console.say(
        "\(EscapedText(name)) cannot take \(argument)=\(EscapedText(word: Array(value.utf8))),"
          + " which is left out")
    }
  }

  private func choose(
    _ candidates: [IntentCandidate], _ remembers: Bool
  ) throws(IntentResolver.Failure) -> ExitStatus {
    guard TerminalMenu.isPossible, !console.writesObjects else {
      let known = candidates.map(\.identity).joined(separator: ", ")
      throw IntentResolver.Failure(
        reason: "several applications can do it; choose with --app: \(known)")
    }
    console.output.flush()
    let chosen = TerminalMenu.choose(
      "Which application?", among: candidates.map { "\($0.name) (\($0.identity))" })
    guard let chosen else {
      console.say("cancelled")
      return .negative
    }
    let one = candidates[chosen]
    guard remembers, !self.remembers, !isPrinting, !isDry, IntentDefaultCommand.canName(one, work)
    else { return try perform(one, remembering: self.remembers) }
    let answer = TerminalMenu.choose(
      "Use \(EscapedText(one.name)) from now on?", among: ["Only this time", "From now on"])
    guard let answer else {
      console.say("cancelled")
      return .negative
    }
    return try perform(one, remembering: answer == 1)
  }

  private func perform(
    _ one: IntentCandidate, remembering: Bool
  ) throws(IntentResolver.Failure) -> ExitStatus {
    let status = try perform(one)
    guard remembering, status == .done, !isPrinting, !isDry else { return status }
    return status.combined(with: IntentDefaultCommand.remember(one, work, console))
  }

  private func perform(_ one: IntentCandidate) throws(IntentResolver.Failure) -> ExitStatus {
    report(one.leftOut, of: work, by: one.name)
    for field in one.droppedFields {
      console.say(
        "\(EscapedText(quoting: field)) in the URL of \(EscapedText(one.name)) is left out")
    }
    if isPrinting { return write(one) }
    switch one.way {
    case .text: return write(one)
    case .url(let url, let application):
      let isSandboxed = work.desktop.isSandboxed
      var options: DesktopProtocol.Options = isDry ? .dryRun : []
      if isSandboxed { options.insert(.portal) }
      let outcomes: [DesktopProtocol.Outcome]
      do throws(DesktopFailure) {
        outcomes = try work.desktop.launch(
          isSandboxed ? nil : application, [Array(url.utf8)], options)
      } catch {
        throw IntentResolver.Failure(reason: error.description)
      }
      guard console.writesObjects else {
        return LaunchReport(isDry: isDry, isQuiet: true, console).write(outcomes)
      }
      return try write(one, outcomes)
    case .program(let words):
      if isDry { return write(one) }
      try IntentResolver.start(words)
      return console.writesObjects ? write(one) : .done
    }
  }

  /// Writes the object of a URL that was handed over, or of one that the user has turned down.
  private func write(
    _ one: IntentCandidate, _ outcomes: [DesktopProtocol.Outcome]
  ) throws(IntentResolver.Failure) -> ExitStatus {
    for outcome in outcomes {
      switch outcome {
      case .failed(_, let reason): throw IntentResolver.Failure(reason: reason)
      case .portal(_, _, .cancelled):
        _ = write(one, outcome: "cancelled")
        return .negative
      case .portal(_, _, .failed):
        throw IntentResolver.Failure(reason: "the portal could not open it")
      case .portal, .started, .called: continue
      }
    }
    return write(one)
  }

  /// A text of several lines, each escaped but for its tabs.
  private static func lines(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      let isEnded = line.last == UInt8(ascii: "\r") && line.endIndex < text.utf8.endIndex
      return (isEnded ? line.dropLast() : line)
        .split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { "\(EscapedText(Array($0)))" }.joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Writes what is done, or only shown.
  private func write(_ one: IntentCandidate, outcome: String? = nil) -> ExitStatus {
    if console.writesObjects {
      let way: JSONFields =
        switch one.way {
        case .url(let url, _): ["url": .text(url)]
        case .program(let words): ["arguments": .texts(words)]
        case .text(let text): ["text": .text(text)]
        }
      let leftOut = leftOut + one.leftOut + one.droppedFields
      let start: JSONFields = [
        "command": .text(work.request.command.name), "class": .text(work.request.intent.name),
        "identifier": one.identity.isEmpty ? nil : .text(one.identity),
        "name": one.identity.isEmpty ? nil : .text(one.name),
      ]
      let end: JSONFields = [
        "outcome": .text(outcome ?? (isPrinting ? "printed" : "performed")),
        "leftOut": leftOut.isEmpty ? nil : .texts(leftOut), "dryRun": isDry ? true : nil,
      ]
      console.write(start + way + end)
      return .done
    }
    switch one.way {
    case .url(let url, _): console.output.writeLine("\(EscapedText(url))")
    case .text(let text): console.output.writeLine(Self.lines(text))
    case .program(let words):
      let words = words.map { Array($0.utf8) }
      console.output.writeLine(
        isPrinting ? "\(EscapedText(words: words))" : DryRunText.run(words))
    }
    return .done
  }
}
