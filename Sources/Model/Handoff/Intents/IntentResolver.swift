package import Applications
package import BinaryPropertyList
internal import CompanionProtocol
internal import JSONPropertyList
package import LinuxSystem
internal import TextFormats

/// An application that can carry a command out here, and how.
package struct IntentCandidate {
  package enum Way {
    /// A URL for an application; `nil` is the default one of its scheme.
    case url(String, application: String?)
    case program([String])
    case text(String)
  }

  package let identity: String
  package let name: String
  package fileprivate(set) var way: Way
  /// The arguments that it has no place for.
  package var leftOut: [String] = []
  /// What the URL of the application's catalogue has and nobody gets, as `NAME=VALUE`.
  package var droppedFields: [String] = []
  package var isFirstParty = false
  /// The default of the desktop.
  package var isDefault = false
  /// Whether the desktop's list of defaults can name it.
  package var isOfDesktop = false

  package init(
    identity: String, name: String, way: Way, leftOut: [String] = [], isFirstParty: Bool = false,
    isDefault: Bool = false, isOfDesktop: Bool = false
  ) {
    self.identity = identity
    self.name = name
    self.way = way
    self.leftOut = leftOut
    self.isFirstParty = isFirstParty
    self.isDefault = isDefault
    self.isOfDesktop = isOfDesktop
  }
}

/// Who can carry a command out, and who does.
package struct IntentResolver {
  package let request: IntentRequest
  /// The user's and the system's.
  package let installed: IntentCatalogue
  package let desktop: any DesktopClient
  /// Gets why an application or a page of a catalogue is passed over: it cannot be used, or not
  /// with these values.
  package var report: (Failure) -> Void = { _ in }
  package var languages: [String] { MessageLocale.languageTags }

  package init(
    request: IntentRequest, installed: IntentCatalogue, desktop: any DesktopClient
  ) {
    self.request = request
    self.installed = installed
    self.desktop = desktop
  }

  /// In words that stand alone.
  package struct Failure: Error {
    package let reason: String
    /// Whether the command line names an application that nobody knows.
    package var isUnknownApplication = false
    /// Whether the application is not here, but it is known what it would get.
    package fileprivate(set) var canBeShown = false
    /// Whether a value of the command line is wrong.
    package private(set) var isBadValue = false
    /// What the failure is about, such as an application of a catalogue; `nil` if `reason` alone
    /// says it.
    package private(set) var subject: String?

    package init(reason: String, isUnknownApplication: Bool = false) {
      (self.reason, self.isUnknownApplication) = (reason, isUnknownApplication)
    }

    /// - Parameter lead: what the failure is about.
    package init(_ failure: IntentFailure, of lead: String) {
      reason = "\(lead): \(failure)"
      subject = lead
      switch failure {
      case .badArgument, .noURL, .option, .unknownArgument: isBadValue = true
      // The template of a catalogue is wrong.
      case .missingArgument, .noScheme, .longScheme, .refusedScheme: break
      }
    }
  }

  private var command: String { request.command.name }

  /// Why an application of a catalogue is passed over.
  private typealias Flaw = (identity: String, failure: Failure)

  /// All that can carry the command out on this machine, and what is passed over.
  private func found() throws(Failure) -> (candidates: [IntentCandidate], flaws: [Flaw]) {
    var candidates: [IntentCandidate] = []
    var flaws: [Flaw] = []
    var waiting: [(candidate: IntentCandidate, scheme: String)] = []
    let firstParty = installed.defaults(of: request.intent)?.firstParty
    for application in installed.applications {
      guard let way = application.way(of: command), !way.isInsecure(for: command) else { continue }
      do throws(IntentFailure) {
        var candidate = try candidate(application, way, firstParty)
        switch candidate.way {
        case .url(let url, nil):
          waiting.append((candidate, url.prefix { $0 != ":" }.lowercased()))
          continue
        case .url(let url, let identifier?):
          let entries = DesktopEntries(BaseDirectories.current())
          guard let entry = entries.match(word: identifier) else { continue }
          candidate.way = .url(url, application: entry.identifier)
        case .program(let words): guard Program.installed(words[0]) != nil else { continue }
        case .text: break
        }
        candidates.append(candidate)
      } catch {
        // Whoever wrote a catalogue does not keep the other applications from the command.
        flaws.append((application.identity, Failure(error, of: application.identity)))
      }
    }
    let ofDesktop = urlForDesktop()
    do throws(DesktopFailure) {
      let known = try desktop.handlers(of: Array(Set(waiting.map(\.scheme))).sorted())
      candidates += waiting.filter { known[$0.scheme] != nil }.map(\.candidate)
      if case .success(let (url, leftOut))? = ofDesktop {
        candidates += try applications(for: url, leftOut)
      }
    } catch {
      throw Failure(reason: error.description)
    }
    // What makes no URL is no matter where a program takes it.
    if candidates.isEmpty, case .failure(let failure)? = ofDesktop { throw failure }
    return (candidates, flaws)
  }

  /// All that can carry the command out on this machine.
  package func candidates() throws(Failure) -> [IntentCandidate] {
    let (candidates, flaws) = try found()
    for flaw in flaws { report(flaw.failure) }
    return candidates
  }

  /// The URL that the desktop's applications get; `nil` if the class has none.
  private func urlForDesktop() -> Result<(url: String, leftOut: [String]), Failure>? {
    for application in IntentCatalogue.linux.applications {
      guard let way = application.way(of: command) else { continue }
      do throws(IntentFailure) {
        let candidate = try candidate(application, way)
        if case .url(let url, _) = candidate.way { return .success((url, candidate.leftOut)) }
      } catch {
        return .failure(Failure(error, of: "cannot perform \(request.command.lead)"))
      }
    }
    return nil
  }

  /// The installed applications that are registered for a URL.
  private func applications(
    for url: String, _ leftOut: [String]
  ) throws(DesktopFailure) -> [IntentCandidate] {
    // From a sandbox no application is seen; the portal chooses one.
    if desktop.isSandboxed {
      return [
        IntentCandidate(
          identity: "portal", name: "Desktop portal", way: .url(url, application: nil),
          leftOut: leftOut, isDefault: true)
      ]
    }
    return try desktop.applications(for: [Array(url.utf8)], others: false).applications.map {
      IntentCandidate(
        identity: $0.application.identifier, name: $0.application.name,
        way: .url(url, application: $0.application.identifier), leftOut: leftOut,
        isDefault: $0.role == .standard, isOfDesktop: true)
    }
  }

  /// The arguments that were asked for and that an application has no place for, such as a mode.
  package func leftOut(of way: IntentApplication.Way, _ application: IntentApplication) -> [String]
  {
    let arguments = request.arguments.filter { request.given.contains($0.key) }
    switch way {
    case .url(let template): return application.leftOut(template, arguments)
    case .program(let words):
      let used = words.flatMap(\.keys)
      return arguments.keys.filter { !used.contains($0) }.sorted()
    case .text: return []
    }
  }

  /// An application with the way in which it carries the command out, with the arguments in it.
  private func candidate(
    _ application: IntentApplication, _ way: IntentApplication.Way, _ firstParty: String? = nil
  ) throws(IntentFailure) -> IntentCandidate {
    let filled = try filled(way, of: application)
    var candidate = IntentCandidate(
      identity: application.identity, name: application.name(in: languages), way: filled.way,
      leftOut: leftOut(of: way, application),
      isFirstParty: firstParty != nil && application.name(in: ["en"]) == firstParty)
    candidate.droppedFields = filled.dropped
    return candidate
  }

  private func filled(
    _ way: IntentApplication.Way, of application: IntentApplication
  ) throws(IntentFailure) -> (way: IntentCandidate.Way, dropped: [String]) {
    let arguments = request.arguments
    guard !way.isInsecure(for: command) else {
      throw .noURL("its template would open a secure address by http:")
    }
    switch way {
    case .url(let template):
      let url = try application.url(template, arguments)
      do throws(ActivityURL.Failure) {
        let opened = try ActivityURL.opened(url)
        return (.url(opened.url, application: application.desktopIdentifier), opened.leftOut)
      } catch {
        throw .noURL("\(error)")
      }
    case .program(let words): return (.program(try IntentApplication.words(words, arguments)), [])
    case .text:
      // What IntentKit's sheets show before the user sends it.
      let text =
        switch command {
        case "openHttpURL:": "http://\(arguments["url"] ?? "")"
        case "openHttpsURL:": "https://\(arguments["url"] ?? "")"
        case "sendMailTo:":
          "To: \(arguments["recipient"] ?? "")\nSubject: \(arguments["subject"] ?? "")\n\n"
            + (arguments["messageBody"] ?? "")
        default: request.command.arguments.compactMap { arguments[$0] }.joined(separator: "\n")
        }
      return (.text(text), [])
    }
  }

  /// The page of the web where the command can be carried out without an application, and the
  /// arguments that it has no place for. As in IntentKit, a page that nobody opens with a callback is
  /// opened without.
  package func fallback() -> (url: String, leftOut: [String])? {
    if command == Self.openingWithCallback, let url = request.arguments["url"] {
      return (url, ["callback", "source"].filter(request.given.contains))
    }
    for catalogue in [installed, IntentCatalogue.linux, .iOS] {
      do throws(IntentFailure) {
        if let defaults = catalogue.defaults(of: request.intent),
          let page = try defaults.page(for: command, request.arguments)
        {
          return (page.url, page.leftOut.filter(request.given.contains))
        }
      } catch {
        report(Failure(error, of: "the page for '\(command)'"))
      }
    }
    return nil
  }

  /// The user's default for the class, where the desktop has none.
  package func stored() throws(Failure) -> String? {
    try standard { (places) throws(UserFile.Failure) in
      try DefaultApplications.own(places).application(for: request.intent.name)
    }
  }

  /// Whether the class is the desktop's and the user has set no default: the desktop's is then the first
  /// application that is registered.
  package func isWithoutOwnDefault() throws(Failure) -> Bool {
    guard let scheme = request.intent.schemes.first else { return false }
    return try standard { (places) throws(UserFile.Failure) in
      try DefaultApplications.ofDesktop(places).application(for: "x-scheme-handler/\(scheme)")
    } == nil
  }

  private func standard(
    _ read: (BaseDirectories) throws(UserFile.Failure) -> String?
  ) throws(Failure) -> String? {
    do throws(UserFile.Failure) {
      return try read(BaseDirectories.current())
    } catch {
      throw Failure(reason: "\(error.path.map { "\($0): " } ?? "")\(error.reason)")
    }
  }
}

extension IntentResolver {
  /// The work on a command with arguments of no meaning, to see who would do it.
  package init?(
    sampleOf command: IntentClass.Command, of intent: IntentClass, _ installed: IntentCatalogue,
    _ desktop: any DesktopClient
  ) {
    let words = Dictionary(
      command.arguments.map { argument in
        let word =
          switch argument {
          case "mode": "driving"
          case "number": "0"
          case "recipient": intent.name == "message" ? "0" : "ann@example.org"
          default: "example.org"
          }
        return (argument, word)
      }
    ) { one, _ in one }
    guard let request = try? IntentRequest(command.name, words) else { return nil }
    self.init(request: request, installed: installed, desktop: desktop)
  }

  /// Whether an application of a catalogue can carry out commands of a class here.
  package static func isAble(
    _ application: IntentApplication, _ intent: IntentClass, _ installed: IntentCatalogue,
    _ desktop: any DesktopClient
  ) throws(Failure) -> Bool {
    let command = intent.commands.first { application.way(of: $0.name) != nil }
    guard let command, let work = IntentResolver(sampleOf: command, of: intent, installed, desktop)
    else {
      return false
    }
    return try work.candidates().contains { $0.identity == application.identity }
  }

  /// Who carries the command out.
  package enum Decision {
    case perform(IntentCandidate)
    /// No application can: the page of the web that stands for the command, and the arguments that it
    /// has no place for.
    case open(url: String, leftOut: [String])
    /// The user chooses, and is asked whether the choice becomes the default.
    case choose([IntentCandidate], remembers: Bool)
    case nobody
  }

  package func decision(_ choice: IntentChoice) throws(Failure) -> Decision {
    let (candidates, flaws) = try found()
    let own = request.intent.schemes.isEmpty ? try stored() : nil
    let fallback = candidates.isEmpty ? fallback() : nil
    let outcome = choice.outcome(
      candidates.map {
        var isText = false
        if case .text = $0.way { isText = true }
        return IntentChoice.Candidate(
          $0.identity, isFirstParty: $0.isFirstParty, isInApp: isText)
      }, stored: own ?? candidates.first(where: \.isDefault)?.identity, system: nil,
      hasFallback: fallback != nil)
    if case .nothing = outcome, let wrong = flaws.lazy.map(\.failure).first(where: \.isBadValue) {
      throw wrong
    }
    for flaw in flaws { report(flaw.failure) }
    switch outcome {
    case .perform(let identity):
      return candidates.first { $0.identity == identity }.map { .perform($0) } ?? .nobody
    case .fallback: return fallback.map { .open(url: $0.url, leftOut: $0.leftOut) } ?? .nobody
    case .choose(let identities, let remembers):
      let isFree = try isWithoutOwnDefault()
      return .choose(
        candidates.filter { identities.contains($0.identity) }, remembers: remembers || isFree)
    case .nothing: return .nobody
    }
  }

  /// The application that a name means.
  ///
  /// - Parameter shows: whether one that is not here, such as those of iOS, is an answer, too.
  package func candidate(named name: String, shows: Bool) throws(Failure) -> IntentCandidate {
    let (candidates, flaws) = try found()
    let word = DesktopProtocol.Application.shortened(name)
    let found = candidates.meant(by: word, identifier: \.identity) { [$0.name] }.first
    if let found { return found }
    let known = installed.applications + IntentCatalogue.iOS.applications
    guard let application = known.meant(by: word, identifier: \.identity, names: { _ in [] }).first
    else {
      let known = candidates.map(\.identity).joined(separator: ", ")
      throw Failure(
        reason: "no application '\(name)' can do it here"
          + (known.isEmpty ? "" : "; these can: \(known)"), isUnknownApplication: true)
    }
    if !shows, let flaw = flaws.first(where: { $0.identity == application.identity }) {
      throw flaw.failure
    }
    guard let way = application.way(of: command) else {
      throw Failure(reason: "\(application.identity) does not know \(command)")
    }
    guard shows else {
      var failure = Failure(reason: "\(application.identity) is not installed here")
      failure.canBeShown = true
      throw failure
    }
    do throws(IntentFailure) {
      return try candidate(application, way)
    } catch {
      throw Failure(error, of: application.identity)
    }
  }

  private static let openingWithCallback = "openURL:withCallback:"

  /// The template of `fallback()`.
  package var fallbackTemplate: String? {
    if request.command.name == Self.openingWithCallback { return "{{{url}}}" }
    return [installed, IntentCatalogue.linux, .iOS].lazy
      .compactMap { $0.defaults(of: request.intent)?.fallback(request.command.name)?.text }.first
  }
}

extension IntentResolver {
  /// Starts a program with its arguments, without a shell, and does not wait for it.
  package static func start(_ words: [String]) throws(Failure) {
    let bytes = words.map { Array($0.utf8) }
    do throws(Errno) {
      _ = try Program(
        FilePath(words[0]), bytes,
        [.searched, .usualSignals, .noDescriptors, .session]
      ).start(input: .null, output: .null, errors: .null)
    } catch {
      throw Failure(
        reason: "cannot start '\(words[0])': \(Program.reason(of: error, starting: bytes))")
    }
  }

  /// How the application of a document source opens a document by its path inside the application,
  /// where an installed catalogue knows.
  ///
  /// - Parameter report: gets why an application of the catalogue is passed over.
  /// - Returns: `nil` if none does.
  /// - Throws: `IntentFailure` for what is no path, or would be an option.
  package static func openingDocument(
    _ path: String, identifier: String, _ catalogue: IntentCatalogue,
    _ desktop: any DesktopClient, report: (Failure) -> Void
  ) throws(IntentFailure) -> IntentCandidate? {
    let command = "openDocument:"
    guard let request = try IntentRequest(command, ["path": path]) else { return nil }
    let work = IntentResolver(request: request, installed: catalogue, desktop: desktop)
    for application in catalogue.applications {
      let own =
        application.desktopIdentifier.map(DesktopProtocol.Application.shortened)
        ?? application.identity
      guard own == identifier || application.identity == identifier,
        let way = application.way(of: command)
      else { continue }
      do throws(IntentFailure) {
        let found = try work.candidate(application, way)
        if case .text = found.way { continue }
        return found
      } catch {
        // What the file says would become an option for this application, which is here.
        if case .option = error { throw error }
        report(Failure(error, of: application.identity))
      }
    }
    return nil
  }
}

extension IntentCatalogue {
  /// More bytes than any catalogue has.
  package static let sizeLimit = 1 << 20
  /// How deep below a directory catalogues are looked for: IntentKit has one directory for each.
  fileprivate static let depthLimit = 3

  /// The files of catalogues in a place, and what of it cannot be read.
  package struct Files {
    package fileprivate(set) var paths: [FilePath] = []
    package fileprivate(set) var unread: [(path: FilePath, errno: Errno)] = []
  }

  /// Those of the user's and the system's catalogues, in the order in which they count.
  package static func installedFiles(in places: BaseDirectories) -> Files {
    var files = Files()
    for data in places.homeAndSystemData {
      files.add(below: data.appending(FilePath("docsource/intents.d")), depth: depthLimit)
    }
    return files
  }

  /// A file, or the catalogues below a directory.
  package static func files(at path: FilePath) -> Files {
    var files = Files()
    do throws(Errno) {
      let isDirectory = try FileStatus(path, links: .follow).kind == .directory
      if isDirectory { files.add(below: path, depth: 0) } else { files.paths = [path] }
    } catch {
      files.unread = [(path, error)]
    }
    return files
  }

  /// Reads the content of a file.
  package init(_ value: PropertyList, at path: FilePath) {
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    self.init(value, name: name.split(separator: ".").first.map(String.init) ?? name)
  }

  /// What Linux has for each class.
  package static let linux = builtIn(BuiltInIntents.linux)
  /// The applications of iOS that IntentKit knows.
  package static let iOS = builtIn(BuiltInIntents.iOS)

  private static func builtIn(_ json: String) -> IntentCatalogue {
    guard let value = try? JSONPropertyListReader.read(Array(json.utf8)) else {
      return IntentCatalogue()
    }
    return IntentCatalogue(value, name: "")
  }
}

extension IntentCatalogue.Files {
  fileprivate mutating func add(below directory: FilePath, depth: Int) {
    do throws(Errno) {
      for name in try InstalledDirectory(path: directory).listed() {
        let path = directory.appending(FilePath(name))
        if name.hasSuffix(".plist") || name.hasSuffix(".json") {
          paths.append(path)
        } else if depth < IntentCatalogue.depthLimit, InstalledDirectory(path: path).exists {
          add(below: path, depth: depth + 1)
        }
      }
    } catch {
      unread.append((directory, error))
    }
  }
}

extension MessageLocale {
  /// The user's languages as BCP 47 names them, the preferred one first.
  package static let languageTags = MessageLocale.current().languages.map { language in
    let plain = language.prefix { $0 != "@" }
    return String(plain.map { $0 == "_" ? "-" : $0 })
  }
}
