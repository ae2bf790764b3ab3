import Applications
import CommandLineInterface
import ForeignFormats
import Glibc
import Handoff
import LinuxSystem
import TextFormats

/// Asks docsource-share, which links GIO, about applications, and has it start them.
enum DesktopLaunch {
  typealias Record = LaunchConversation.Record
  typealias Options = LaunchConversation.Options

  /// Has applications started.
  ///
  /// - Parameters:
  ///   - application: its desktop entry's identifier, with or without `.desktop`; `nil` for the
  ///     default application of each target.
  ///   - entry: the absolute path of an entry instead.
  ///   - targets: absolute paths and URIs.
  static func launch(
    _ application: String?, entry: String? = nil, _ targets: [[UInt8]], _ options: Options
  ) throws(ChildProcess.Failure) -> [Record] {
    let ending = ".desktop"
    let named = application.map { $0.hasSuffix(ending) ? $0 : $0 + ending }
    let identifier = named ?? entry ?? ""
    let words = [options.word, identifier].map { Array($0.utf8) }
    return try ask(.launch, words + targets)
  }

  /// The applications that open all targets.
  static func applications(
    for targets: [[UInt8]], _ options: Options = []
  ) throws(ChildProcess.Failure) -> [Record] {
    try ask(.applications, [Array(options.word.utf8)] + targets)
  }

  /// The default applications of schemes and MIME types, in their order, without those that have
  /// none.
  static func handlers(of schemes: [String]) throws(ChildProcess.Failure) -> [Record] {
    schemes.isEmpty ? [] : try ask(.handler, schemes.map { Array($0.utf8) })
  }

  private static func ask(
    _ job: LaunchConversation.Job, _ words: [[UInt8]]
  ) throws(ChildProcess.Failure) -> [Record] {
    let ending = try CompanionProgram.desktop.start([Array(job.rawValue.utf8)] + words).wait()
    guard ending.status == .done, let records = LaunchConversation.records(ending.output) else {
      throw ChildProcess.Failure(description: "docsource-share has a different version")
    }
    return records
  }

  /// Whether this process is in a sandbox, from which only a portal reaches the applications of the
  /// user: flatpak's or snap's.
  static var isSandboxed: Bool {
    unsafe InstalledFile(path: FilePath("/.flatpak-info")).exists
      || getenv("SNAP_NAME") != nil && getenv("SNAP_REVISION") != nil
  }

  /// Writes what was done, or would be, and reports what failed.
  ///
  /// - Parameter names: what the user calls the targets, where that is something else.
  static func write(
    _ records: [Record], names: [[UInt8]: [UInt8]], isDry: Bool, isQuiet: Bool,
    _ console: Console
  ) -> ExitStatus {
    var status = ExitStatus.done
    var targets: [[UInt8]] = []
    func name(_ target: [UInt8]) -> [UInt8] { names[target] ?? target }
    for record in records {
      switch record.kind {
      case .targets: targets = Array(record.texts.dropFirst())
      case .started, .called:
        let words = Array(record.texts.dropFirst(record.kind == .started ? 3 : 2))
        if console.writesObjects {
          console.write(members(of: record, words, targets.map(name), isDry: isDry))
        } else if isDry {
          let place = record[2] == "terminal" && record.kind == .started ? " in a terminal" : ""
          let shown = words.map { "\(EscapedText(word: $0))" }.joined(separator: " ")
          let what =
            record.kind == .started
            ? "start\(place)" : "call \(EscapedText(shortened(record[0]))) with"
          console.output.writeLine("would \(what): \(shown)")
        } else if !isQuiet {
          for target in targets {
            console.output.writeLine(
              "\(EscapedText(name(target))): opened in \(EscapedText(record[1]))"
                + " (\(EscapedText(shortened(record[0]))))")
          }
        }
      case .portal:
        status = status.combined(with: write(portal: record, name, isDry, isQuiet, console))
      case .failed:
        status = .failed
        if record.texts.first?.isEmpty == false {
          console.fail(name(record.texts[0])[...], record[1])
        } else if targets.isEmpty {
          console.say("\(EscapedText(record[1]))")
        } else {
          for target in targets { console.fail(name(target)[...], record[1]) }
        }
      case .type, .application, .handler: continue
      }
    }
    return status
  }

  /// The identifier as docsource has it elsewhere.
  static func shortened(_ identifier: String) -> String {
    identifier.hasSuffix(".desktop") ? String(identifier.dropLast(".desktop".count)) : identifier
  }

  private static func members(
    of record: Record, _ words: [[UInt8]], _ files: [[UInt8]], isDry: Bool
  ) -> [(key: String, value: String)] {
    var members = [("files", texts(files))]
    members += JSONText.member("identifier", shortened(record[0]))
    members += JSONText.member("name", record[1])
    members += JSONText.member("outcome", "opened")
    guard isDry else { return members }
    members.append(("dryRun", "true"))
    guard record.kind == .started else { return members + [("call", texts(words))] }
    members.append(("terminal", record[2].isEmpty ? "false" : "true"))
    members.append(("arguments", texts(words)))
    if words.contains(where: { String(validating: $0, as: UTF8.self) == nil }) {
      let exact = words.map { JSONText.string(Base64.text(of: $0[...])) }
      members.append(("argumentsBase64", JSONText.array(exact)))
    }
    return members
  }

  private static func texts(_ words: [[UInt8]]) -> String {
    JSONText.array(words.map { JSONText.string(String(decoding: $0, as: UTF8.self)) })
  }

  private static func write(
    portal record: Record, _ name: ([UInt8]) -> [UInt8], _ isDry: Bool, _ isQuiet: Bool,
    _ console: Console
  ) -> ExitStatus {
    let target = record.texts.count > 1 ? record.texts[1] : []
    let outcome =
      switch record[2] {
      case "", "0": "opened"
      case "1": "cancelled"
      default: "failed"
      }
    if outcome == "failed" {
      console.fail(name(target)[...], "the portal could not open it")
      return .failed
    }
    if console.writesObjects {
      var members = [("files", texts([name(target)]))] + JSONText.member("portal", record[0])
      members += JSONText.member("outcome", outcome)
      if isDry { members += [("dryRun", "true"), ("call", texts([target]))] }
      console.write(members)
    } else if isDry {
      console.output.writeLine(
        "would call the portal's \(record[0]) with: \(EscapedText(word: target))")
    } else if outcome == "cancelled" {
      console.report(name(target)[...], "cancelled")
    } else if !isQuiet {
      console.output.writeLine("\(EscapedText(name(target))): opened by the portal")
    }
    return outcome == "cancelled" ? .noSource : .done
  }
}

/// What a word of the command line means to the desktop: a file, or a URL.
enum DesktopTarget {
  /// The absolute path of a file, or the URL; `nil` after reporting that there is neither.
  static func target(_ operand: [UInt8], _ console: Console) -> [UInt8]? {
    guard let path = FilePath(bytes: operand), !operand.isEmpty else {
      console.fail(operand[...], "no such file or directory")
      return nil
    }
    var status = stat()
    if unsafe path.withCString({ unsafe stat($0, &status) }) == 0 {
      if let absolute = absolute(path) { return absolute }
    } else if isURL(operand) {
      return Array(ActivityURL.withoutSlashes(String(decoding: operand, as: UTF8.self)).utf8)
    }
    let reason = Errno.current.description.lowercased()
    let isFileURL = operand.prefix(5).map { $0 | 0x20 }.elementsEqual("file:".utf8)
    console.fail(
      operand[...],
      "cannot open: \(isFileURL ? "a URL of a file is not followed; give its path" : reason)")
    return nil
  }

  /// What Apple's systems alone know is translated, unless somebody here knows it: a URL of `maps:`
  /// becomes one of `geo:`.
  ///
  /// - Throws: `ChildProcess.Failure`, or `ActivityURL.Failure` for a URL that says no place.
  static func translated(_ url: String) throws -> String {
    guard isMaps(url), try DesktopLaunch.handlers(of: ["maps"]).isEmpty else { return url }
    return try ActivityURL.geo(url)
  }

  static func isMaps(_ url: String) -> Bool { hasScheme("maps", url) }

  /// Whether a text begins with a scheme, whatever its length.
  private static func hasScheme(_ scheme: String, _ text: String) -> Bool {
    let lead = text.utf8.prefix(scheme.utf8.count + 1)
    return String(decoding: lead, as: UTF8.self).lowercased() == scheme + ":"
  }

  /// Whether a word is a URL that applications are registered for. One of a file is none: what it
  /// names need not be there.
  static func isURL(_ operand: [UInt8]) -> Bool {
    guard let text = String(validating: operand, as: UTF8.self), AbsoluteURL.hasScheme(text) else {
      return false
    }
    return !hasScheme("file", text)
      && operand.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }

  /// The path without `.` and, where it has `..`, without links: what comes before may be one.
  private static func absolute(_ path: FilePath) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    var parts = path.bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    if parts.contains(where: { $0.elementsEqual("..".utf8) }) {
      return path.realPath.map { Array($0.bytes) }
    }
    if path.bytes.first != slash {
      guard let directory = FilePath(".").realPath else { return nil }
      parts = directory.bytes.split(separator: slash) + parts
    }
    return [slash] + parts.joined(separator: CollectionOfOne(slash))
  }
}
