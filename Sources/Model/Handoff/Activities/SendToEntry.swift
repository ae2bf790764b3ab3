package import Applications
package import LinuxSystem
internal import TextFormats

/// A program in the menus by which file managers send files: Thunar's "Send To", or an action of Nemo.
package struct SendToEntry: Sendable {
  package enum Menu: String, Sendable {
    case thunar = "Thunar"
    case nemo = "Nemo"
  }

  /// The name of the file without its ending.
  package let identifier: String
  /// Of the file, by which it is started.
  package let path: FilePath
  package let menu: Menu
  package let name: String
  package let icon: String?
  private let mediaTypes: [String]
  /// Of Nemo: in lower case, or `any`, `none`, `dir` and `nodirs`.
  private let extensions: [String]
  /// Of Nemo: `s`, `m`, `any`, `notnone`, `none` or a number.
  private let selection: String?
  /// Why it is never offered.
  private let flaw: String?

  /// - Returns: `nil` for a file that is none, or that takes no files at all.
  init?(
    _ content: [UInt8], identifier: String, path: FilePath, menu: Menu, locale: MessageLocale
  ) {
    let file = KeyFile(content)
    let group = menu == .thunar ? "Desktop Entry" : "Nemo Action"
    func value(_ key: String) -> String? { file.string(key, in: group) }
    let active = value("Active").map { $0.lowercased() == "true" } ?? true
    guard active, value("Hidden") != "true", let command = value("Exec"),
      let name = locale.text("Name", value)
    else { return nil }
    var codes: Set<Character> = []
    let line = ExecLine(command) { code in
      codes.insert(code)
      return []
    }
    let isFilled = !codes.isDisjoint(with: menu == .thunar ? ["f", "F", "u", "U"] : ["F", "U"])
    // Thunar adds the files where the line does not say where they go; GIO does not.
    guard isFilled else { return nil }
    self.identifier = identifier
    self.path = path
    self.menu = menu
    self.name = String(name.filter { $0 != "_" || menu == .thunar })
    icon = value("Icon") ?? value("Icon-Name")
    mediaTypes =
      file.list("MimeType", in: group) + file.list("Mimetypes", in: group)
    extensions =
      menu == .nemo ? file.list("Extensions", in: group).map { $0.lowercased() } : []
    selection = menu == .nemo ? value("Selection") ?? "any" : nil
    let script = menu == .nemo ? Self.script(of: command, in: path) : nil
    let programs =
      [value("TryExec")].compactMap(\.self) + file.list("Dependencies", in: group)
      + [script ?? line.words.first].compactMap(\.self)
    if menu == .thunar, value("Type") != "Application" {
      flaw = "it is no application"
    } else if !line.isClosed {
      flaw = "a quotation mark in its command is not closed"
    } else if menu == .nemo, script == nil, command.contains(where: { "<>".contains($0) }) {
      flaw = "its command has a form that only Nemo knows"
    } else if let selection, !Self.selections.contains(selection), Int(selection) == nil {
      flaw = "its selection \(EscapedText(quoting: selection)) is for Nemo alone"
    } else if let missing = programs.first(where: { Program.installed($0) == nil }) {
      flaw = "\(missing) is not installed"
    } else if let condition = file.list("Conditions", in: group).first {
      flaw = "its condition '\(condition)' is for Nemo alone"
    } else if menu == .nemo, !codes.isSubset(of: ["F", "U", "%"]) {
      flaw = "its command has fields that only Nemo fills in"
    } else {
      flaw = nil
    }
  }

  private static let selections = ["s", "m", "any", "notnone", "none"]

  /// The script beside a description of Nemo's that `<NAME ARGUMENTS>` stands for; `nil` for a command
  /// of another form.
  private static func script(of command: String, in path: FilePath) -> String? {
    guard command.utf8.first == UInt8(ascii: "<"), command.utf8.last == UInt8(ascii: ">") else {
      return nil
    }
    let name = command.dropFirst().dropLast().prefix { $0 != " " }
    guard !name.isEmpty, !name.contains(where: { "<>".contains($0) }) else { return nil }
    return ReplacedFile(path: path).directory.appending(FilePath(String(name))).description
  }

  /// Why the entry is not offered for what is shared; `nil` if it is.
  package func refusal(of things: [SharedThing]) -> String? {
    if let flaw { return flaw }
    let isOfFiles = things.allSatisfy { $0.file.flatMap(FilePath.init(bytes:)) != nil }
    guard !things.isEmpty, isOfFiles else { return "it takes files only" }
    let count = things.count
    switch selection {
    case "s" where count > 1: return "it takes one file"
    case "m" where count == 1: return "it takes several files"
    case "none": return "it takes no files"
    default:
      if let number = selection.flatMap({ Int($0) }), number != count {
        return "it takes \(number) files"
      }
    }
    let isTaken = things.allSatisfy { thing in
      if menu == .nemo, extensions.isEmpty, mediaTypes.isEmpty { return true }
      let (mediaType, isDirectory) = (thing.mediaType ?? "", thing.mediaType == "inode/directory")
      let path = String(decoding: thing.file ?? [], as: UTF8.self)
      let suffix = CustomActivity.pathExtension(path) ?? ""
      let isByName = extensions.contains { known in
        switch known {
        case "any": true
        case "none": suffix.isEmpty
        case "dir": isDirectory
        case "nodirs": !isDirectory
        default: known == suffix
        }
      }
      return isByName || matchesMediaType(mediaType, mediaTypes)
        || menu == .thunar && mediaTypes.isEmpty
    }
    return isTaken ? nil : "it takes other types of files"
  }

  /// All that are installed, Thunar's first, each menu's after the directories that cannot be read.
  package static func all(
    in places: BaseDirectories, locale: MessageLocale
  ) -> [Result<SendToEntry, DescriptionFlaw>] {
    let menus: [(Menu, String, String)] = [
      (.thunar, "Thunar/sendto", ".desktop"), (.nemo, "nemo/actions", ".nemo_action"),
    ]
    return menus.flatMap { menu, directory, ending in
      DescriptionFiles(below: directory, in: places, ending: ending).read {
        SendToEntry($0, identifier: $1, path: $2, menu: menu, locale: locale)
      }.compactMap { entry in
        switch entry {
        case .success(let found): found.map { .success($0) }
        case .failure(let flaw): .failure(flaw)
        }
      }
    }
  }
}
