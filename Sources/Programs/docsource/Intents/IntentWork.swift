import Applications
import CommandLineInterface
import ForeignFormats
import Intent
import LinuxSystem
import TextFormats

/// An application that can carry a command out here, and how.
struct IntentCandidate {
  enum Way {
    /// A URL for an application; `nil` is the default one of its scheme.
    case url(String, application: String?)
    case program([String])
    case text(String)
  }

  let identity: String
  let name: String
  let way: Way
  var isFirstParty = false
  /// The default of the desktop.
  var isDefault = false
}

/// Who can carry a command out, and who does.
struct IntentWork {
  let request: IntentRequest
  /// The user's and the system's.
  let installed: IntentCatalogue
  var linux: IntentCatalogue { IntentCatalogues.builtIn(BuiltInIntents.linux) }
  var languages: [String] { IntentCatalogues.languages }

  /// In words that stand alone.
  struct Failure: Error {
    let reason: String
  }

  private var command: String { request.command.name }

  /// All that can carry the command out on this machine.
  func candidates() throws(Failure) -> [IntentCandidate] {
    var candidates: [IntentCandidate] = []
    var waiting: [(application: IntentApplication, url: String, scheme: String)] = []
    let firstParty = installed.defaults(of: request.intent)?.firstParty
    for application in installed.applications {
      guard let way = application.way(of: command) else { continue }
      do throws(IntentFailure) {
        switch try self.way(way, of: application) {
        case .url(let url, nil):
          waiting.append((application, url, String(url.prefix { $0 != ":" })))
        case .url(let url, let identifier?):
          let entries = DesktopEntries(BaseDirectories.current())
          guard let name = FileName(DesktopLaunch.shortened(identifier)),
            let entry = entries.match(name)
          else { continue }
          candidates.append(
            candidate(application, .url(url, application: entry.identifier), firstParty))
        case .program(let words):
          let isPath = words[0].utf8.contains(UInt8(ascii: "/"))
          guard isPath || Program.installed(words[0]) != nil else { continue }
          candidates.append(candidate(application, .program(words), firstParty))
        case .text(let text): candidates.append(candidate(application, .text(text), firstParty))
        }
      } catch {
        throw Failure(reason: "\(application.identity): \(error)")
      }
    }
    let ofDesktop = urlForDesktop()
    do throws(ChildProcess.Failure) {
      let known = Set(
        try DesktopLaunch.handlers(of: Array(Set(waiting.map(\.scheme))).sorted()).map { $0[0] })
      for one in waiting where known.contains(one.scheme) {
        candidates.append(
          candidate(one.application, .url(one.url, application: nil), firstParty))
      }
      if case .success(let url)? = ofDesktop { candidates += try applications(for: url) }
    } catch {
      throw Failure(reason: error.description)
    }
    // What makes no URL is no matter where a program takes it.
    if candidates.isEmpty, case .failure(let failure)? = ofDesktop { throw failure }
    return candidates
  }

  /// The URL that the desktop's applications get; `nil` where the class has none.
  private func urlForDesktop() -> Result<String, Failure>? {
    for application in linux.applications {
      guard let way = application.way(of: command) else { continue }
      do throws(IntentFailure) {
        if case .url(let url, _) = try self.way(way, of: application) { return .success(url) }
      } catch {
        return .failure(Failure(reason: "cannot perform \(command): \(error)"))
      }
    }
    return nil
  }

  /// The installed applications that are registered for a URL.
  private func applications(
    for url: String
  ) throws(ChildProcess.Failure) -> [IntentCandidate] {
    // From a sandbox no application is seen; the portal chooses one.
    if DesktopLaunch.isSandboxed {
      return [
        IntentCandidate(
          identity: "portal", name: "Desktop portal", way: .url(url, application: nil),
          isDefault: true)
      ]
    }
    var candidates: [IntentCandidate] = []
    for record in try DesktopLaunch.applications(for: [Array(url.utf8)])
    where record.kind == .application {
      let identifier = DesktopLaunch.shortened(record[1])
      candidates.append(
        IntentCandidate(
          identity: identifier, name: record[2], way: .url(url, application: identifier),
          isDefault: record[0] == "default"))
    }
    return candidates
  }

  private func candidate(
    _ application: IntentApplication, _ way: IntentCandidate.Way, _ firstParty: String?
  ) -> IntentCandidate {
    let isFirst = firstParty != nil && application.name(in: ["en"]) == firstParty
    return IntentCandidate(
      identity: application.identity, name: application.name(in: languages), way: way,
      isFirstParty: isFirst)
  }

  /// How an application carries the command out, with the arguments in it.
  func way(
    _ way: IntentApplication.Way, of application: IntentApplication
  ) throws(IntentFailure) -> IntentCandidate.Way {
    let arguments = request.arguments
    switch way {
    case .url(let template):
      return .url(
        try application.url(template, arguments), application: application.desktopIdentifier)
    case .program(let words): return .program(try IntentApplication.words(words, arguments))
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
      return .text(text)
    }
  }

  /// The page of the web where the command can be carried out without an application.
  func fallback() throws(Failure) -> String? {
    for catalogue in [installed, linux, IntentCatalogues.builtIn(BuiltInIntents.iOS)] {
      guard let template = catalogue.defaults(of: request.intent)?.fallback(command) else {
        continue
      }
      do throws(IntentFailure) {
        let url = try template.filledForWeb(request.arguments)
        return url
      } catch {
        throw Failure(reason: "the page for '\(command)': \(error)")
      }
    }
    return nil
  }

  /// The user's default for the class, where the desktop has none.
  func stored() throws(Failure) -> String? {
    do throws(UserFile.Failure) {
      let list = try DefaultApplications.own(BaseDirectories.current())
      return try list.application(for: request.intent.name)
    } catch {
      throw Failure(reason: "\(error.path.map { "\($0): " } ?? "")\(error.reason)")
    }
  }
}

extension IntentWork {
  /// The template of `fallback()`.
  var fallbackTemplate: String? {
    [installed, linux, IntentCatalogues.builtIn(BuiltInIntents.iOS)].lazy
      .compactMap { $0.defaults(of: request.intent)?.fallback(request.command.name)?.text }.first
  }
}

extension IntentWork {
  /// Starts a program with its arguments, without a shell, and does not wait for it.
  static func start(_ words: [String]) throws(Failure) {
    do throws(Errno) {
      _ = try Program(
        FilePath(words[0]), words.map { Array($0.utf8) },
        [.searched, .usualSignals, .noDescriptors, .session]
      ).start(input: .nothing, output: .nothing, errors: .nothing)
    } catch {
      throw Failure(reason: "cannot start '\(words[0])': \(error.description.lowercased())")
    }
  }

  /// How the application of a document source opens a document by its path inside the application,
  /// where an installed catalogue knows.
  ///
  /// - Returns: `nil` where none does.
  static func openingDocument(
    _ path: String, identifier: String, _ catalogue: IntentCatalogue
  ) throws(IntentFailure) -> IntentCandidate? {
    let command = "openDocument:"
    guard let request = try IntentRequest(command, ["path": path]) else { return nil }
    let work = IntentWork(request: request, installed: catalogue)
    for application in catalogue.applications {
      let own = application.desktopIdentifier.map(DesktopLaunch.shortened) ?? application.identity
      guard own == identifier || application.identity == identifier,
        let way = application.way(of: command)
      else { continue }
      switch try work.way(way, of: application) {
      case .text: continue
      case let found: return work.candidate(application, found, nil)
      }
    }
    return nil
  }
}
