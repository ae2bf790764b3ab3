import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Xattr

/// How `doctor` tells what it has found.
struct ExaminationFormat {
  let isJSON: Bool
  let console: Console

  func write(_ examination: Examination) {
    if isJSON {
      console.output.writeLine(JSONText.object(Self.members(examination)))
    } else {
      block(examination)
    }
  }

  /// Says that a file cannot be examined; with `--json` on both streams.
  func write(_ errno: Errno, of path: FilePath) {
    let isLink = errno == .noSuchFile && (try? FileStatus(path, links: .noFollow)) != nil
    let error = XattrError(
      operation: .list, path: path, attribute: nil, errno: errno,
      circumstance: isLink ? .danglingLink : .ordinary)
    let message = "cannot examine: \(error.reason)"
    if isJSON {
      console.output.writeLine(
        JSONText.object(
          JSONText.path(path.bytes) + [
            ("canStore", "null"), ("error", JSONText.string(message)),
          ]))
    }
    console.report(path.bytes, message)
  }

  /// Which programs keep the attribute when they copy or move a file.
  func writeTools() {
    console.output.writeLine("When a file moves")
    list("Kept by", MovingTool.calls(.keeps))
    list(
      "Lost by", MovingTool.calls(.loses) + ["mail", "uploads", "editors that save by renaming"])
    row("Instead", "'docsource export' writes a manifest, 'import' restores it")
  }

  /// Wraps it at 80 columns.
  private func list(_ label: String, _ calls: [String]) {
    var (label, line) = (label, "")
    for (position, call) in calls.enumerated() {
      let item = position + 1 < calls.count ? call + "," : call
      if !line.isEmpty, 15 + line.count + 1 + item.count > 80 {
        row(label, line)
        (label, line) = ("", "")
      }
      line += line.isEmpty ? item : " " + item
    }
    if !line.isEmpty { row(label, line) }
  }

  private func block(_ examination: Examination) {
    let status = examination.status
    let verdict = examination.obstacles.isEmpty ? "can" : "cannot"
    console.output.writeLine(
      "\(EscapedText(examination.path.bytes)): the attribute \(verdict) be stored")
    let isLink = status.kind == .link
    let mode = isLink ? "" : ", mode \(Obstacle.octal(status.mode))"
    row("File", "\(status.kind.rawValue)\(mode), owner \(Obstacle.name(status.owner))")
    var system = examination.type.name
    if let mount = examination.mount {
      system += " at \(EscapedText(mount.point.bytes)), \(mount.options.joined(separator: ","))"
    }
    row("File system", system)
    if let stored = examination.stored {
      let carrier = stored.carrier == .native ? "" : " in \(stored.carrier.attributeName)"
      row("Stored now", "\(stored.bytes.count) bytes\(carrier)")
    } else if let failure = examination.unreadable {
      row("Stored now", "unknown: \(failure.reason)")
    } else if status.kind.carriesAttributes {
      row("Stored now", "nothing")
    }
    room(examination)
    for obstacle in examination.obstacles {
      row("Obstacle", obstacle.words)
      if let help = obstacle.help { row("What helps", help) }
    }
  }

  private func room(_ examination: Examination) {
    guard let bytes = examination.room.bytes else { return }
    let left = examination.stored.map { ", \(max(0, bytes - $0.bytes.count)) left" } ?? ""
    let source =
      switch examination.room {
      case .measured:
        examination.status.kind == .directory
          ? "tried on a file without name in it" : "tried on a file without name beside it"
      default: "as on every \(examination.type.name)"
      }
    row("Room", "\(bytes) bytes\(left), \(source)")
  }

  private func row(_ label: String, _ value: String) {
    let gap = String(repeating: " ", count: max(1, 13 - label.count))
    console.output.writeLine("  \(label)\(gap)\(EscapedText(value))")
  }

  private static func members(_ examination: Examination) -> [(key: String, value: String)] {
    let status = examination.status
    var system = [("type", JSONText.string(examination.type.name))]
    if let mount = examination.mount {
      let options = mount.options.map { JSONText.string($0) as String }
      system += JSONText.path(mount.point.bytes, key: "mountPoint")
      system += [
        ("source", JSONText.string(mount.source)),
        ("options", "[" + options.joined(separator: ",") + "]"),
      ]
    }
    let obstacles = examination.obstacles.map { obstacle in
      JSONText.object([
        ("code", JSONText.string(obstacle.code)), ("reason", JSONText.string(obstacle.words)),
        ("help", JSONText.string(obstacle.help)),
      ])
    }
    let isMeasured = if case .measured = examination.room { "true" } else { "false" }
    let stored = examination.stored
    let bytes = examination.room.bytes
    let left = bytes.map { max(0, $0 - (stored?.bytes.count ?? 0)) }
    return JSONText.path(examination.path.bytes) + [
      ("canStore", "\(examination.obstacles.isEmpty)"),
      ("kind", JSONText.string(status.kind.rawValue)),
      ("mode", JSONText.string(Obstacle.octal(status.mode))), ("owner", "\(status.owner)"),
      ("group", "\(status.group)"), ("fileSystem", JSONText.object(system)),
      ("stored", stored.map { "\($0.bytes.count)" } ?? "null"),
      ("storedError", JSONText.string(examination.unreadable?.reason)),
      ("carrier", JSONText.string(stored?.carrier.attributeName.description)),
      ("room", bytes.map { "\($0)" } ?? "null"), ("isMeasured", isMeasured),
      ("left", left.map { "\($0)" } ?? "null"),
      ("obstacles", "[" + obstacles.joined(separator: ",") + "]"),
    ]
  }
}
