import CommandLineInterface
import CompanionProtocol
import Glibc
import Handoff
import LinuxSystem

/// The desktop, asked by docsource-share, which links GIO.
struct ShareCompanion: DesktopClient {
  var isSandboxed: Bool {
    unsafe InstalledFile(path: FilePath("/.flatpak-info")).exists
      || getenv("SNAP_NAME") != nil && getenv("SNAP_REVISION") != nil
  }

  func applications(
    for targets: [[UInt8]], others: Bool
  ) throws(DesktopFailure) -> DesktopListing {
    let options: LaunchOptions = others ? .all : []
    return DesktopListing(try ask(.applications, [Array(options.word.utf8)] + targets))
  }

  func handlers(of keys: [String]) throws(DesktopFailure) -> [String: Application] {
    var handlers: [String: Application] = [:]
    var rest = keys.map { Array($0.utf8) }[...]
    while !rest.isEmpty {
      var size = 0
      let batch = rest.prefix { key in
        defer { size += key.count + 1 }
        return size == 0 || size + key.count < Self.batchLimit
      }
      rest = rest.dropFirst(batch.count)
      for case .handler(let key, let application) in try ask(.handler, Array(batch)) {
        handlers[key] = application
      }
    }
    return handlers
  }

  /// The most bytes of schemes and types in one command line: an untrusted catalogue may have any
  /// number, and Linux passes 128 KiB with the environment wherever the stack is small.
  private static let batchLimit = 64 << 10

  func launch(
    _ application: String?, _ targets: [[UInt8]], _ options: LaunchOptions
  ) throws(DesktopFailure) -> [LaunchOutcome] {
    let entry = application.map { $0.hasPrefix("/") ? $0 : Application.entry($0) } ?? ""
    if !options.contains(.dryRun), !options.contains(.portal) { Self.reportMissingDisplay() }
    return outcomes(of: try ask(.launch, [options.word, entry].map { Array($0.utf8) } + targets))
  }

  /// Says before applications are started that those with windows will fail.
  private static func reportMissingDisplay() {
    let variables = ["DISPLAY", "WAYLAND_DISPLAY"]
    guard variables.allSatisfy({ variable(of: $0).isEmpty }) else { return }
    let errors = OutputStream.standardError()
    errors.writeLine(
      "\(Tool.name): there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set; applications"
        + " with windows cannot start")
    errors.flush()
  }

  private static func variable(of name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
  }

  func compose(
    mail fields: [(name: String, value: [UInt8])]
  ) throws(DesktopFailure) -> [LaunchOutcome] {
    let words = fields.flatMap { [Array($0.name.utf8), $0.value] }
    return outcomes(of: try records(try handover(.mail, HandoffProtocol.request(words))))
  }

  func bookmarks(in list: [UInt8]) throws(DesktopFailure) -> [Bookmark] {
    let texts = try message(try handover(.bookmarks, HandoffProtocol.request([], list: list)))
    let count = texts.fields.count
    return stride(from: 0, to: count - count % 3, by: 3).map {
      Bookmark(url: texts.text($0), title: texts.text($0 + 1), description: texts.text($0 + 2))
    }
  }

  func adding(_ page: Bookmark, to list: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    let words = [page.url, page.title, page.description, "text/html"]
    return try changed(.bookmark, words, list)
  }

  func removing(url: String, from list: [UInt8]) throws(DesktopFailure) -> [UInt8] {
    try changed(.removal, [url], list)
  }

  /// The list with a change.
  private func changed(
    _ job: HandoffProtocol.Job, _ texts: [String], _ list: [UInt8]
  ) throws(DesktopFailure) -> [UInt8] {
    let request = HandoffProtocol.request(texts.map { Array($0.utf8) }, list: list)
    guard let changed = try message(try handover(job, request)).fields.first else {
      throw Self.otherVersion
    }
    return changed
  }

  /// The one message of an answer.
  private func message(_ bytes: [UInt8]) throws(DesktopFailure) -> CompanionMessage {
    guard let messages = try? CompanionMessage.all(in: bytes), messages.count == 1 else {
      throw Self.otherVersion
    }
    return messages[0]
  }

  private static let otherVersion = DesktopFailure("docsource-share has a different version")

  private func ask(
    _ job: DesktopProtocol.Job, _ words: [[UInt8]]
  ) throws(DesktopFailure) -> [DesktopProtocol.Record] {
    let ending = try end([Array(job.rawValue.utf8)] + words)
    guard ending.status == .done else { throw Self.otherVersion }
    return try records(ending.output)
  }

  private func records(_ bytes: [UInt8]) throws(DesktopFailure) -> [DesktopProtocol.Record] {
    guard let records = DesktopProtocol.records(bytes) else { throw Self.otherVersion }
    return records
  }

  private func outcomes(of records: [DesktopProtocol.Record]) -> [LaunchOutcome] {
    records.compactMap { if case .outcome(let outcome) = $0 { outcome } else { nil } }
  }

  /// What docsource-share answers to a request on its standard input.
  private func handover(
    _ job: HandoffProtocol.Job, _ request: CompanionMessage
  ) throws(DesktopFailure) -> [UInt8] {
    let ending = try end([Array(job.rawValue.utf8)], request.bytes)
    guard ending.status == .done else {
      guard job != .mail else { throw Self.otherVersion }
      // What docsource-share says begins with the tool's name, as this program's message does.
      let words = String(decoding: ending.errors, as: UTF8.self).split(separator: "\n").last ?? ""
      let lead = "\(Tool.name): "
      throw DesktopFailure(
        "cannot be read: \(words.hasPrefix(lead) ? words.dropFirst(lead.count) : words)")
    }
    return ending.output
  }

  private func end(
    _ words: [[UInt8]], _ input: [UInt8] = []
  ) throws(DesktopFailure) -> ChildProcess.Ending {
    do throws(ChildProcess.Failure) {
      return try CompanionProgram.desktop.start(words, input: input).wait()
    } catch {
      throw DesktopFailure(error.description)
    }
  }
}

extension HandoffServices {
  /// Those of this program.
  static func ofProgram(
    asking ask: @escaping @Sendable (HandoffQuestion) -> HandoffAnswer
  ) -> HandoffServices {
    HandoffServices(
      desktop: ShareCompanion(),
      list: PropertyListForm.list,
      write: { OutputFile.failure(ofWriting: $0, to: $1) }, ask: ask)
  }
}
