import BinaryPropertyList
import CommandLineInterface
import CompanionProtocol
import Handoff
import JSONPropertyList
import LinuxSystem
import TextFormats

/// `docsource item container`: the directory and settings that an app and its targets share.
enum ItemContainerCommand: Command {
  private static let create = OptionDeclaration("create", help: "create the directory")
  private static let settings = OptionDeclaration(
    "settings", help: "print the shared settings as JSON")
  private static let set = OptionDeclaration(
    "set", value: "KEY=VALUE", repeats: true, help: "set a setting; VALUE is JSON or text")
  private static let unset = OptionDeclaration(
    "unset", value: "KEY", repeats: true, help: "remove a setting; repeatable")
  private static let importing = OptionDeclaration(
    "import", value: "FILE", help: "add the settings in a property list")

  private static let secret = OptionDeclaration(
    "secret", value: "ACCOUNT", help: "print the secret of ACCOUNT")
  private static let storeSecret = OptionDeclaration(
    "store-secret", value: "ACCOUNT", help: "store the secret of ACCOUNT, read from stdin")
  private static let removeSecret = OptionDeclaration(
    "remove-secret", value: "ACCOUNT", help: "remove the secret of ACCOUNT")
  private static let service = OptionDeclaration(
    "service", value: "NAME", help: "say what the secret is for (default: GROUP)")

  static let verb = "container"
  static let declaration = CommandDeclaration(
    name: "item container", summary: "show and change what a group of programs shares",
    operands: "GROUP", kinds: [.text],
    details:
      "Without options, prints the path of the directory of GROUP, whose form is group.NAME.",
    options: [
      create, settings, set, unset, importing, secret, storeSecret, removeSecret, service,
    ],
    examples: [
      "docsource item container --create group.com.example.app",
      "docsource item container --set theme=dark group.com.example.app",
    ],
    manual: ManualText(Manual.itemContainer))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1 else { throw UsageError("give one group") }
    let group = try AttachedFiles.text(arguments.operands[0], create)
    let changes = try self.changes(arguments)
    let container: SharedContainer
    do throws(SharedContainer.Failure) {
      container = try SharedContainer(group, in: BaseDirectories.current())
    } catch {
      throw UsageError("'\(EscapedText(group))': \(error.reason)")
    }
    if let status = try secrets(of: group, arguments, console) { return status }
    var imported: PropertyList.Dictionary?
    if let file = arguments.bytes(importing) {
      guard let read = settings(in: file, console) else { return .failed }
      imported = read
    }
    do throws(SharedContainer.Failure) {
      if arguments.has(create) { try container.create() } else { try container.check() }
      if imported != nil || !changes.isEmpty {
        try container.editSettings { settings in
          for entry in imported?.entries ?? [] { settings[entry.key] = entry.value }
          for (key, value) in changes { settings[key] = value }
        }
      }
      if arguments.has(settings) {
        try write(container.settings(), console)
      } else if imported == nil, changes.isEmpty {
        console.output.write(Array(container.path.bytes) + [UInt8(ascii: "\n")])
      }
      return .done
    } catch {
      console.report((error.path ?? container.path).bytes, "\(EscapedText(error.reason))")
      return .failed
    }
  }

  /// Does what options ask for with a secret; `nil` if none asks for one.
  private static func secrets(
    of group: String, _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> ExitStatus? {
    let verbs: [(OptionDeclaration, SecretProtocol.Verb)] = [
      (secret, .lookup), (storeSecret, .store), (removeSecret, .remove),
    ]
    let given = verbs.filter { arguments.has($0.0) }
    guard let (option, verb) = given.first else {
      if arguments.has(service) { throw UsageError("--service is for secrets") }
      return nil
    }
    guard given.count == 1,
      ![create, settings, set, unset, importing].contains(where: arguments.has)
    else { throw UsageError("--\(option.long) cannot be combined with other options") }
    let account = try arguments.text(option) ?? ""
    guard !account.isEmpty else { throw UsageError("--\(option.long): no account given") }
    var bytes: [UInt8] = []
    if verb == .store {
      guard let read = InputFile(path: nil).read(console) else { return .failed }
      // The line end of echo is none of a password.
      bytes = read.last == UInt8(ascii: "\n") ? read.dropLast() : read
    }
    switch SecretService.ask(
      verb, group: group, service: try arguments.text(service) ?? group, account: account,
      secret: bytes)
    {
    case .done(let found):
      if verb == .lookup { console.output.write(found + [UInt8(ascii: "\n")]) }
      return .done
    case .none:
      console.say("\(EscapedText(group)): no secret for '\(EscapedText(account))'")
      return .negative
    case .failed(let reason):
      console.say("\(EscapedText(group)): \(EscapedText(reason))")
      return .failed
    }
  }

  /// The settings to set, and those to remove.
  private static func changes(
    _ arguments: Arguments
  ) throws(UsageError) -> [(key: String, value: PropertyList?)] {
    var changes: [(key: String, value: PropertyList?)] = []
    for (key, value) in try arguments.pairs(set) {
      changes.append((key, try ItemMakeCommand.parameter(value, set)))
    }
    for bytes in arguments.values(unset) {
      changes.append((try AttachedFiles.text(bytes, unset), nil))
    }
    return changes
  }

  /// - Returns: `nil` after reporting why the file is no list of settings.
  private static func settings(
    in file: [UInt8], _ console: Console
  ) -> PropertyList.Dictionary? {
    guard let input = InputFile.named([file]).first, let bytes = input.read(console),
      let value = PropertyListForm(of: bytes).value(of: bytes, input.name, console)
    else { return nil }
    guard case .dictionary(let dictionary) = value else {
      console.report(input.name, "cannot import settings: not a dictionary")
      return nil
    }
    return dictionary
  }

  private static func write(_ settings: PropertyList.Dictionary, _ console: Console) {
    try? JSONPropertyListWriter.write(.dictionary(settings)) { console.output.write($0) }
    console.output.writeLine("")
  }
}
