import CommandLineInterface
import DocumentSource
import LinuxSystem
import TextFormats
import Xattr

/// `docsource doctor`: whether a file can carry the attribute, and why not.
enum DoctorCommand: Command {
  private static let json = OptionDeclaration(
    "json", help: "print one JSON object per line for each path")

  static let answerOfFailure: JSONFields? = ["canStore": .null]

  static let verb = "doctor"
  static let declaration = CommandDeclaration(
    name: verb, summary: "check whether files can store the attribute, and if not, why",
    operands: "[PATH...]",
    details: """
      Shows for each path, by default the working directory, what its file system stores, how large
      a value can be, any obstacles and their remedies; then which programs keep the attribute. The
      size is tested on an unnamed file; your own files are not changed.

      Exit status: 0 the attribute can be stored; 1 it cannot; 2 a path cannot be examined.
      """,
    options: [json, Operands.noDereference, FileList.option],
    examples: ["docsource doctor", "docsource doctor --json notes.txt /mnt/usb"],
    manual: ManualText(Manual.doctor))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    let links: Links = arguments.has(Operands.noDereference) ? .noFollow : .follow
    let format = ExaminationFormat(isJSON: arguments.has(json), console: console)
    let operands = arguments.operands.compactMap { FilePath(bytes: $0) }
    var status = ExitStatus.done
    var canStoreAny = false
    for path in operands.isEmpty ? [FilePath(".")] : operands {
      do throws(Errno) {
        let examination = try Examination(path, links: links)
        format.write(examination)
        if examination.obstacles.isEmpty { canStoreAny = true }
        status = status.combined(with: examination.obstacles.isEmpty ? .done : .negative)
      } catch {
        format.write(error, of: path)
        status = .failed
      }
    }
    if canStoreAny && !format.isJSON { format.writeTools() }
    return status
  }
}

/// How `doctor` prints what it has found.
private struct ExaminationFormat {
  let isJSON: Bool
  let console: Console

  func write(_ examination: Examination) {
    if isJSON {
      console.output.writeLine(Self.fields(examination).text)
    } else {
      block(examination)
    }
  }

  /// Reports that a file cannot be examined.
  func write(_ errno: Errno, of path: FilePath) {
    let isLink = errno == .noSuchFile && (try? FileStatus(path, links: .noFollow)) != nil
    let error = XattrError(
      operation: .list, path: path, attribute: nil, errno: errno,
      circumstance: isLink ? .danglingLink : .ordinary)
    console.fail(path.bytes, "cannot examine: \(error.reason)")
  }

  /// Lists the programs that keep or lose the attribute when they copy or move a file.
  func writeTools() {
    console.output.writeLine("When a file moves")
    list("Kept by", MovingTool.installed(MovingTool.keeping))
    list(
      "Lost by",
      MovingTool.installed(MovingTool.losing)
        + ["mail", "uploads", "editors that save by renaming"])
    row("Instead", "'docsource export' writes a manifest, 'import' restores it")
  }

  /// A row whose value is wrapped at 80 columns.
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
      row(
        "Stored now",
        "\(stored.bytes.count) \(stored.bytes.count == 1 ? "byte" : "bytes")\(carrier)")
    } else if let failure = examination.unreadable {
      row("Stored now", "unknown: \(failure.reason)")
    } else if status.kind.carriesAttributes {
      row("Stored now", "nothing")
    }
    room(examination)
    for obstacle in examination.obstacles {
      row("Obstacle", obstacle.words)
      if let help = obstacle.help { row("Remedy", help) }
    }
  }

  private func room(_ examination: Examination) {
    guard let bytes = examination.room.bytes else { return }
    let left = examination.stored.map { ", \(max(0, bytes - $0.bytes.count)) left" } ?? ""
    let source =
      switch examination.room {
      case .measured:
        examination.status.kind == .directory
          ? "tested on an unnamed file in the directory"
          : "tested on an unnamed file in the same directory"
      default: "as on every \(examination.type.name) file system"
      }
    row("Room", "\(bytes) bytes\(left), \(source)")
  }

  private func row(_ label: String, _ value: String) { console.writeRow(label, value) }

  private static func fields(_ examination: Examination) -> JSONFields {
    let (status, mount, stored) = (examination.status, examination.mount, examination.stored)
    let isMeasured = if case .measured = examination.room { true } else { false }
    let room = examination.room.bytes
    return [
      "file": .path(examination.path.bytes), "canStore": .flag(examination.obstacles.isEmpty),
      "kind": .text(status.kind.rawValue), "mode": .text(Obstacle.octal(status.mode)),
      "owner": .number(Int(status.owner)), "group": .number(Int(status.group)),
      "fileSystem": .object([
        "type": .text(examination.type.name), "mountPoint": .path(mount?.point.bytes),
        "device": .text(mount?.source), "options": mount.map { .texts($0.options) },
      ]),
      "stored": .number(stored?.bytes.count),
      "storedError": .text(examination.unreadable?.reason),
      "carrier": .text(stored?.carrier.attributeName.description), "room": .number(room),
      "isMeasured": room == nil ? nil : .flag(isMeasured),
      "left": .number(room.map { max(0, $0 - (stored?.bytes.count ?? 0)) }),
      "obstacles": .objects(
        examination.obstacles.map {
          ["code": .text($0.code), "reason": .text($0.words), "help": .text($0.help)]
        }),
    ]
  }
}

/// Tools that copy or move a file, by what becomes of its user attributes: their calls as the user
/// types them, which begin with the program's name. MovingToolTests run the tools.
private enum MovingTool {
  static let keeping = [
    "cp -a", "mv", "rsync -X", "tar --xattrs (to pack and to unpack)", "gio copy",
  ]
  static let losing = [
    "cp", "install", "rsync -a", "tar", "zip", "gzip", "git", "scp", "sed -i",
  ]

  /// The calls of the installed tools.
  static func installed(_ calls: [String]) -> [String] {
    calls.filter { InstalledProgram(String($0.prefix { $0 != " " })) != nil }
  }
}

extension Obstacle {
  /// What would remove the obstacle; `nil` if nothing would.
  fileprivate var help: String? {
    switch self {
    case .kind(.link): "omit --no-dereference to examine the target of the link"
    case .kind: nil
    case .fileSystem(_, let help):
      help ?? "use ext4, xfs, btrfs or tmpfs, or keep the source with 'docsource export'"
    case .readOnlyMount(let point): "as root: mount -o remount,rw " + (point ?? "MOUNTPOINT")
    case .immutable: "as root: chattr -i"
    case .appendOnly: "as root: chattr -a"
    case .permission(let owner, _, let user):
      owner == user ? "chmod u+w" : "ask the owner, or root"
    case .stickyDirectory: "ask the owner, or root"
    case .refusal: "check getfacl and the system log"
    case .noRoom: "free space, or remove other attributes of the file"
    }
  }
}
