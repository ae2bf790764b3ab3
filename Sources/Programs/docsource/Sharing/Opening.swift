import Applications
import CommandLineInterface
import CompanionProtocol
import DocumentSource
import FileTree
import Glibc
import Handoff
import LinuxSystem
import TextFormats

/// The application that a word of the command line means, by the identifier of its desktop entry.
///
/// - Throws: `UsageError` where none is meant, or several are.
func installedApplication(
  _ word: [UInt8], _ console: Console
) throws(UsageError) -> String? {
  let entries = DesktopEntries(BaseDirectories.current())
  let text = String(decoding: word, as: UTF8.self)
  if let name = FileName(DesktopProtocol.Application.shortened(text)),
    let entry = entries.match(name)
  {
    return entry.identifier
  }
  guard let known = KnownApplications.ofUser(console) else { return nil }
  let application: KnownApplication
  do throws(ApplicationWord.Failure) {
    application = try ApplicationWord(text: text).application(among: known)
  } catch {
    throw UsageError(error.reason)
  }
  if let name = FileName(application.identifier), let entry = entries.entry(name) {
    return entry.identifier
  }
  throw UsageError("'\(EscapedText(application.identifier))' is not installed here")
}

/// The work of `docsource open`.
struct Opening {
  let isDry: Bool
  let isQuiet: Bool
  let console: Console
  var desktop: any DesktopClient = ShareCompanion()

  private(set) var status = ExitStatus.done
  private var targets: [[UInt8]] = []
  /// What the user calls the targets.
  private var names: [[UInt8]: [UInt8]] = [:]

  init(isDry: Bool, isQuiet: Bool, console: Console) {
    self.isDry = isDry
    self.isQuiet = isQuiet
    self.console = console
  }

  /// Finds the files and URLs that operands name, after reporting those that are not there.
  ///
  /// - Parameter translates: whether a URL that no application here knows may become another one.
  mutating func resolve(_ operands: [[UInt8]], translates: Bool) {
    for operand in operands {
      do {
        let target = try DesktopTarget.target(operand)
        let text = translates ? String(validating: target, as: UTF8.self) : nil
        let place = try text.map { Array(try DesktopTarget.translated($0, desktop).utf8) } ?? target
        if place != target {
          for loss in DesktopTarget.losses(ofPlace: text ?? "") {
            console.report(operand[...], "left out: \(EscapedText(loss))")
          }
        }
        names[place] = operand
        targets.append(place)
      } catch let refusal as Refusal {
        console.fail(operand[...], refusal.reason)
        status = .failed
      } catch {
        console.fail(operand[...], "cannot open: \(error)")
        status = .failed
      }
    }
  }

  /// Opens what was found.
  ///
  /// - Parameter application: `nil` for the default ones.
  mutating func open(
    in application: String?, _ options: DesktopProtocol.Options = []
  ) throws(DesktopFailure) {
    guard !targets.isEmpty else { return }
    let outcomes = try desktop.launch(
      application, targets, isDry ? options.union(.dryRun) : options)
    status = status.combined(
      with: LaunchReport.write(
        outcomes, names: names, isDry: isDry, isQuiet: isQuiet, console))
  }

  /// Lists the applications that open all that was found.
  mutating func list(all: Bool) throws(DesktopFailure) {
    guard !targets.isEmpty else { return }
    let listing = try desktop.applications(for: targets, others: all)
    for (target, reason) in listing.failures {
      status = .failed
      console.fail((names[target] ?? target)[...], reason)
    }
    for entry in listing.applications {
      let (identifier, name) = (entry.application.identifier, entry.application.name)
      let role = entry.role.rawValue
      if console.writesObjects {
        var members = JSONText.member("identifier", identifier)
        members += JSONText.member("name", name) + JSONText.member("role", role)
        console.write(members + (entry.icon.isEmpty ? [] : JSONText.member("icon", entry.icon)))
      } else {
        console.output.writeLine("\(EscapedText(identifier))\t\(EscapedText(name))\t\(role)")
      }
    }
    if listing.applications.isEmpty { status = status.combined(with: .noSource) }
  }
}

// In the application that a file came from.
extension Opening {
  /// - Parameter root: where paths of documents begin.
  mutating func openInSource(
    _ operands: [[UInt8]], root: FilePath?
  ) throws(DesktopFailure) {
    let entries = DesktopEntries(BaseDirectories.current())
    let catalogue = IntentCatalogues.installed([], console) ?? IntentCatalogue()
    var groups: [(application: String?, targets: [[UInt8]])] = []
    for operand in operands {
      guard let path = FilePath(bytes: operand), let source = source(of: path),
        let identifier = source.identifier ?? lacking(path, "the document source has no identifier")
      else { continue }
      if let path = source.path {
        do throws(IntentFailure) {
          let found = try IntentResolver.openingDocument(
            path, identifier: identifier, catalogue, desktop)
          switch found?.way {
          case .url(let url, let application)?:
            names[Array(url.utf8)] = operand
            groups.append((application, [Array(url.utf8)]))
            continue
          case .program(let words)?:
            start(words, of: found, operand)
            continue
          case .text?, nil: break
          }
        } catch {
          console.fail(operand[...], "cannot open in its application: \(error)")
          status = .failed
          continue
        }
      }
      guard let name = FileName(identifier), let entry = entries.match(name) else {
        reportMissing(identifier, source, path)
        continue
      }
      guard let place = place(of: source, path, root) else {
        status = .failed
        continue
      }
      names[place] = operand
      if let index = groups.firstIndex(where: { $0.application == entry.identifier }) {
        groups[index].targets.append(place)
      } else {
        groups.append((entry.identifier, [place]))
      }
    }
    for group in groups {
      targets = group.targets
      // A stranger's word for an application is taken only where the application says so, too.
      try open(in: group.application, .declared)
    }
  }

  /// Starts the program by which a catalogue opens a document in its application.
  private mutating func start(
    _ words: [String], of application: IntentCandidate?, _ operand: [UInt8]
  ) {
    if !isDry {
      do throws(IntentResolver.Failure) {
        try IntentResolver.start(words)
      } catch {
        console.fail(operand[...], "cannot open in its application: \(error.reason)")
        status = .failed
        return
      }
    }
    // What docsource-share would say of an application.
    let identity = DesktopProtocol.Application(
      identifier: application?.identity ?? "", name: application?.name ?? "")
    let outcome = DesktopProtocol.Outcome.started(
      identity, targets: [operand], isInTerminal: false, arguments: words.map { Array($0.utf8) })
    status = status.combined(
      with: LaunchReport.write([outcome], names: [:], isDry: isDry, isQuiet: isQuiet, console))
  }

  /// `nil` after reporting that there is none.
  private mutating func source(of path: FilePath) -> DocumentSource? {
    let attribute = DocumentSourceAttribute(
      of: .path(path, links: .follow), converting: XMLValue.binary)
    do throws(DocumentSourceError) {
      if case .source(let source, _) = try attribute.read().content { return source }
    } catch {
      if !error.isOfUnsupportedPlace {
        console.fail(error.path.bytes, error.message)
        status = .failed
        return nil
      }
    }
    _ = lacking(path, "no document source")
    return nil
  }

  private mutating func lacking(_ path: FilePath, _ reason: String) -> String? {
    lack(path, reason, [])
    return nil
  }

  private mutating func lack(
    _ path: FilePath, _ reason: String, _ members: [(key: String, value: String)]
  ) {
    status = status.combined(with: .noSource)
    if console.writesObjects {
      console.write(
        JSONText.path(path.bytes) + JSONText.member("outcome", "unchanged")
          + JSONText.member("reason", reason) + members)
    } else {
      console.report(path.bytes, "\(EscapedText(reason))")
    }
  }

  /// Says where the application may be found: nothing is opened that the user did not ask for.
  private mutating func reportMissing(
    _ identifier: String, _ source: DocumentSource, _ path: FilePath
  ) {
    let name = source.name.map { "\(EscapedText(quoting: $0)) " } ?? ""
    let website = source.appInfoURL.flatMap { Self.website($0) }
    lack(
      path,
      "says it comes from \(name)(\(EscapedText(quoting: identifier))), which is not"
        + " installed here" + (website.map { "; its website is \($0)" } ?? ""),
      JSONText.member("identifier", identifier) + JSONText.member("website", website))
  }

  /// The host of a page of the web.
  static func website(_ url: String) -> String? {
    guard let url = try? AbsoluteURL(url), ["http", "https"].contains(url.scheme) else {
      return nil
    }
    return url.authority.host
  }

  /// What the application is to open: the original, where the path leads to one that is here; else
  /// the file itself. `nil` after reporting why there is neither.
  private func place(
    of source: DocumentSource, _ file: FilePath, _ root: FilePath?
  ) -> [UInt8]? {
    let own: [UInt8]?
    do throws(Refusal) {
      own = try DesktopTarget.target(Array(file.bytes))
    } catch {
      console.fail(file.bytes, error.reason)
      own = nil
    }
    guard let text = source.path, let path = FilePath(bytes: Array(text.utf8)) else { return own }
    if path.bytes.first == UInt8(ascii: "/") {
      // What these lead to is another thing for another process.
      let isOfKernel = ["/dev/", "/proc/", "/sys/"].contains { path.bytes.starts(with: $0.utf8) }
      let status = try? FileStatus(path, links: .follow)
      return status?.kind == .file && !isOfKernel ? Array(path.bytes) : own
    }
    guard let root else { return own }
    do {
      let found = try TreeLookup(below: root).find(path)
      let held = try HeldFile(found.reference)
      defer { extendLifetime(held) }
      if let real = FilePath("/proc/self/fd/\(held.descriptor)").linkTarget {
        return Array(real.bytes)
      }
    } catch let refusal as TreeLookup.Refusal {
      console.fail(
        file.bytes, "cannot open '\(text)' below \(root): \(refusal.reason)")
    } catch {
      console.fail(file.bytes, "cannot open '\(text)' below \(root): \(error)")
    }
    return nil
  }
}
