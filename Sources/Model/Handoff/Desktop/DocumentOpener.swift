internal import Applications
internal import CLinux
package import CompanionProtocol
internal import DocumentSource
internal import FileTree
internal import Glibc
package import LinuxSystem
internal import TextFormats

/// Opens files and URLs, also in the applications that files came from.
package struct DocumentOpener {
  /// What became of an operand, or of several.
  package enum Report {
    /// - Parameters:
    ///   - names: what the user calls the targets, if that is something else.
    ///   - originals: what was opened in the place of the files that the user named, by targets.
    case opened(
      [DesktopProtocol.Outcome], names: [[UInt8]: [UInt8]], originals: [[UInt8]: [UInt8]])
    /// The user does not want what was asked for.
    case declined
    case refused(Refusal)
    /// In words that follow the operand.
    case failed(_ operand: [UInt8], String)
    /// What has no place in the URL that is opened.
    case lost(_ operand: [UInt8], String)
    /// A file names no application that is here.
    case unopened(FilePath, String, identifier: String?, website: String?)
  }

  private let isDry: Bool
  private let services: HandoffServices
  private var targets: [[UInt8]] = []
  /// What the user calls the targets.
  private var names: [[UInt8]: [UInt8]] = [:]
  private var originals: [[UInt8]: [UInt8]] = [:]
  /// In the order of the work.
  package private(set) var reports: [Report] = []

  private var desktop: any DesktopClient { services.desktop }

  package init(isDry: Bool, _ services: HandoffServices) {
    self.isDry = isDry
    self.services = services
  }

  /// Finds the files and URLs that operands name.
  ///
  /// - Parameter translates: whether a URL that no application here knows may become another one.
  package mutating func resolve(_ operands: [[UInt8]], translates: Bool) {
    for operand in operands {
      do {
        let found = try DesktopTarget(operand)
        let target = found.place
        let isURL = target.first != UInt8(ascii: "/")
        let text = translates && isURL ? String(validating: target, as: UTF8.self) : nil
        let place = try text.map { Array(try DesktopTarget.translated($0, desktop).utf8) } ?? target
        reports += found.losses.map { .lost(operand, $0) }
        if place != target {
          reports += DesktopTarget.losses(ofPlace: text ?? "").map { .lost(operand, $0) }
        }
        names[place] = operand
        targets.append(place)
      } catch let refusal as Refusal {
        reports.append(.failed(operand, refusal.reason))
      } catch {
        reports.append(.failed(operand, "cannot open: \(error)"))
      }
    }
  }

  /// Opens what was found.
  ///
  /// - Parameter application: `nil` for the default ones.
  package mutating func open(
    in application: String?, _ options: DesktopProtocol.Options = .init(rawValue: 0)
  ) throws(DesktopFailure) {
    guard !targets.isEmpty else { return }
    let options = isDry ? options.union(.dryRun) : options
    let (services, targets) = (services, targets)
    guard
      try mayStart({ try services.programs(of: application, targets, options) })
    else { return }
    let outcomes = try desktop.launch(application, targets, options)
    reports.append(.opened(outcomes, names: names, originals: originals))
  }

  /// Whether programs may be started; `false` after reporting why not.
  ///
  /// - Parameter count: how many, if they are so many that the user is to be asked.
  private mutating func mayStart(_ count: () throws -> Int?) throws(DesktopFailure) -> Bool {
    do {
      guard let count = try count(), !isDry,
        case .cancelled = try services.asked(.programs(count), isDry: false).outcome
      else { return true }
      reports.append(.declined)
    } catch let refusal as Refusal {
      reports.append(.refused(refusal))
    } catch {
      throw error as? DesktopFailure ?? DesktopFailure("\(error)")
    }
    return false
  }

  /// The applications that open all that was found; `nil` if nothing was.
  package mutating func applications(
    others: Bool
  ) throws(DesktopFailure) -> [DesktopListing.Entry]? {
    guard !targets.isEmpty else { return nil }
    let listing = try desktop.applications(for: targets, others: others)
    reports += listing.failures.map { .failed(names[$0.target] ?? $0.target, $0.reason) }
    return listing.applications
  }
}

// In the application that a file came from.
extension DocumentOpener {
  /// Which file is opened in the application that it came from.
  package enum Choice {
    /// The file that the user names.
    case file
    /// The one that the path in its document source leads to, which must be here. Paths that are not
    /// absolute begin in `root`.
    case original(root: FilePath?)
  }

  /// - Parameter report: gets why an application of the catalogue is passed over.
  package mutating func openInSource(
    _ operands: [[UInt8]], _ choice: Choice, _ catalogue: IntentCatalogue,
    in places: BaseDirectories, reporting report: (IntentResolver.Failure) -> Void
  ) throws(DesktopFailure) {
    let entries = DesktopEntries(places)
    var groups: [(application: String?, targets: [[UInt8]])] = []
    var starts: [(words: [String], of: IntentCandidate?, operand: [UInt8], document: String)] = []
    for operand in operands {
      guard let path = FilePath(bytes: operand), let source = source(of: path) else { continue }
      guard let identifier = source.identifier else {
        lack(path, "the document source has no identifier")
        continue
      }
      if case .original = choice, let path = source.path {
        do {
          var found = try IntentResolver.openingDocument(
            path, identifier: identifier, catalogue, desktop, report: report)
          var document = path
          if found != nil {
            document = try Self.judged(path, besides: FilePath(bytes: operand)?.realPath)
          }
          if document != path {
            found = try IntentResolver.openingDocument(
              document, identifier: identifier, catalogue, desktop, report: report)
          }
          switch found?.way {
          case .url(let url, let application)?:
            names[Array(url.utf8)] = operand
            originals[Array(url.utf8)] = Array(document.utf8)
            groups.append((application, [Array(url.utf8)]))
            continue
          case .program(let words)?:
            starts.append((words, found, operand, document))
            continue
          case .text?, nil: break
          }
        } catch let refusal as Refusal {
          reports.append(.failed(operand, refusal.reason))
          continue
        } catch {
          reports.append(.failed(operand, "cannot open in its application: \(error)"))
          continue
        }
      }
      guard let name = FileName(identifier), let entry = entries.match(name) else {
        reportMissing(identifier, source, path)
        continue
      }
      let place: [UInt8]
      do throws(Refusal) {
        place = try self.place(of: source, path, choice)
      } catch {
        reports.append(.failed(Array(path.bytes), error.reason))
        continue
      }
      names[place] = operand
      if DesktopTarget.absolute(path) != place { originals[place] = place }
      if let index = groups.firstIndex(where: { $0.application == entry.identifier }) {
        groups[index].targets.append(place)
      } else {
        groups.append((entry.identifier, [place]))
      }
    }
    // Each is one program at least.
    let (services, count) = (services, starts.count + groups.count)
    guard try mayStart({ try services.many(count) }) else { return }
    for one in starts { start(one.words, of: one.of, one.operand, one.document) }
    for group in groups {
      targets = group.targets
      // A file's word for an application is taken only if the application says so, too.
      try open(in: group.application, .declared)
    }
  }

  /// Starts the program by which a catalogue opens a document in its application.
  private mutating func start(
    _ words: [String], of application: IntentCandidate?, _ operand: [UInt8], _ path: String
  ) {
    if !isDry {
      do throws(IntentResolver.Failure) {
        try IntentResolver.start(words)
      } catch {
        reports.append(.failed(operand, "cannot open in its application: \(error.reason)"))
        return
      }
    }
    // What docsource-share would say of an application.
    let identity = DesktopProtocol.Application(
      identifier: application?.identity ?? "", name: application?.name ?? "")
    let outcome = DesktopProtocol.Outcome.started(
      identity, targets: [operand], isInTerminal: false, arguments: words.map { Array($0.utf8) })
    reports.append(.opened([outcome], names: [:], originals: [operand: Array(path.utf8)]))
  }

  /// `nil` after reporting that there is none.
  private mutating func source(of path: FilePath) -> DocumentSource? {
    let attribute = DocumentSourceAttribute(of: .path(path, links: .follow))
    do throws(DocumentSourceError) {
      if case .source(let source, _) = try attribute.read().content { return source }
    } catch {
      if !error.isOfUnsupportedPlace {
        reports.append(.failed(Array(error.path.bytes), error.message))
        return nil
      }
    }
    lack(path, "no document source")
    return nil
  }

  private mutating func lack(
    _ path: FilePath, _ reason: String, identifier: String? = nil, website: String? = nil
  ) {
    reports.append(.unopened(path, reason, identifier: identifier, website: website))
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
      identifier: identifier, website: website)
  }

  /// The host of a page of the web.
  package static func website(_ url: String) -> String? {
    guard let url = try? AbsoluteURL(url), ["http", "https"].contains(url.scheme) else {
      return nil
    }
    return url.authority.host
  }

  /// What the application is to open.
  ///
  /// Whoever wrote the attribute chose the path: it is judged by where it really leads.
  ///
  /// - Throws: `Refusal` for an original that is not here, or that a file's word alone must not open.
  private func place(
    of source: DocumentSource, _ file: FilePath, _ choice: Choice
  ) throws(Refusal) -> [UInt8] {
    let own = try DesktopTarget(Array(file.bytes)).place
    guard case .original(let root) = choice else { return own }
    guard let text = source.path, let path = FilePath(bytes: Array(text.utf8)) else {
      throw Refusal(reason: "cannot open the original: the document source has no path")
    }
    if path.bytes.first == UInt8(ascii: "/") {
      let named = file.realPath
      if let original = try Self.original(path, text, besides: named) { return original }
      // The path may be that of the file itself.
      guard named != nil, path.realPath?.bytes == named?.bytes else {
        throw Self.absence(of: path, text)
      }
      return own
    }
    guard let root else {
      throw Refusal(
        reason: "cannot open the original \(EscapedText(quoting: text)): the path is not absolute")
    }
    guard !Self.hasHiddenComponent(path.bytes) else {
      throw Refusal(reason: Self.hidden(text))
    }
    do {
      let found = try TreeLookup(below: root).find(path)
      let held = try HeldFile(found.reference)
      defer { extendLifetime(held) }
      let status = try FileStatus(of: .held(held))
      guard let real = status.realPath else { throw Errno.invalidArgument }
      guard status.kind == .file, !FileSystemType.isOfKernel(status.magic) else {
        throw Refusal(reason: "cannot open '\(text)' below \(root): \(Self.special)")
      }
      return Array(real.bytes)
    } catch let refusal as Refusal {
      throw refusal
    } catch let refusal as TreeLookup.Refusal {
      throw Refusal(reason: "cannot open '\(text)' below \(root): \(refusal.reason)")
    } catch {
      throw Refusal(reason: "cannot open '\(text)' below \(root): \(error)")
    }
  }

  /// The regular file that an absolute path leads to; `nil` if there is none, or if it is the one that
  /// the user names.
  private static func original(
    _ path: FilePath, _ text: String, besides named: FilePath?
  ) throws(Refusal) -> [UInt8]? {
    let descriptor = unsafe path.withCString { unsafe clinux_file_reach(AT_FDCWD, $0) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let status = try? FileStatus(of: .descriptor(descriptor, path: path)),
      status.kind == .file, let real = status.realPath, real.bytes != named?.bytes
    else { return nil }
    guard !hasHiddenComponent(real.bytes) else { throw Refusal(reason: hidden(text)) }
    guard !FileSystemType.isOfKernel(status.magic) else {
      throw Refusal(
        reason: "cannot open the original \(EscapedText(quoting: text)): the kernel generates it")
    }
    return Array(real.bytes)
  }

  private static let special = "no regular file of the user's"

  /// Why an absolute path leads to no original.
  private static func absence(of path: FilePath, _ text: String) -> Refusal {
    var reason = special
    do throws(Errno) {
      _ = try FileStatus(path, links: .follow)
    } catch {
      reason = error.description.lowercased()
    }
    return Refusal(reason: "cannot open the original \(EscapedText(quoting: text)): \(reason)")
  }

  /// The path by which an application finds its document: of a file that is here, the one that it
  /// really has.
  private static func judged(
    _ text: String, besides named: FilePath?
  ) throws(Refusal) -> String {
    guard let path = FilePath(bytes: Array(text.utf8)), path.bytes.first == UInt8(ascii: "/") else {
      guard !hasHiddenComponent(text.utf8) else { throw Refusal(reason: hidden(text)) }
      return text
    }
    if let real = try original(path, text, besides: named) {
      return String(decoding: real, as: UTF8.self)
    }
    if named != nil, path.realPath?.bytes == named?.bytes { return text }
    guard !hasHiddenComponent(text.utf8) else { throw Refusal(reason: hidden(text)) }
    // What is not here is a path of the application's own.
    guard (try? FileStatus(path, links: .noFollow)) == nil else {
      throw Refusal(reason: "cannot open the original \(EscapedText(quoting: text)): \(special)")
    }
    return text
  }

  /// Where users keep settings and keys.
  private static func hasHiddenComponent(_ path: some Collection<UInt8>) -> Bool {
    path.split(separator: UInt8(ascii: "/")).contains {
      $0.first == UInt8(ascii: ".") && !$0.elementsEqual(".".utf8)
    }
  }

  private static func hidden(_ path: String) -> String {
    "cannot open the original \(EscapedText(quoting: path)): a name in its path begins with a dot;"
      + " open it by naming it"
  }
}
