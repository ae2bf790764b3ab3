import CommandLineInterface

/// `docsource help [VERB|TOPIC]`.
enum HelpCommand: Command {
  private static let man = OptionDeclaration(
    "man", help: "print the manual page as roff, for 'man -l -'")
  private static let all = OptionDeclaration(
    "all", short: "a", help: "list all verbs, not only those of every day")
  private static let list = OptionDeclaration(
    "list", help: "print the names of all verbs, one per line")
  private static let topics = OptionDeclaration(
    "topics", help: "print the names of all topics, each with its manual page")

  static let verb = "help"
  static let declaration = CommandDeclaration(
    name: verb, summary: "show the help of a verb or topic", operands: "[VERB...|TOPIC]",
    options: [all, man, list, topics],
    examples: ["docsource help marks", "docsource help --man plist show | man -l -"],
    manual: ManualText(Manual.help))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    for listing in [list, topics] where arguments.has(listing) {
      guard arguments.operands.isEmpty, !arguments.has(man), !arguments.has(all),
        !(arguments.has(list) && arguments.has(topics))
      else {
        throw UsageError("--\(listing.long) cannot be combined with anything else")
      }
      let tool = Tool.declaration
      let names =
        listing == list
        ? tool.allCommands.map(\.name)
        : tool.topics.map { "\($0.name) \($0.page).\($0.section)" }
      for name in names { console.output.writeLine(name) }
      return .done
    }
    if arguments.has(all), !arguments.operands.isEmpty || arguments.has(man) {
      throw UsageError("--\(all.long) cannot be combined with anything else")
    }
    guard !arguments.operands.isEmpty else {
      let tool = Tool.declaration
      console.output.write(
        arguments.has(man)
          ? ManualPage.of(tool) : HelpText.of(tool, isWhole: arguments.has(all)))
      return .done
    }
    if arguments.operands == [Array("topics".utf8)], !arguments.has(man) {
      console.output.write(HelpText.ofTopics(in: Tool.declaration))
      return .done
    }
    if let topic = topic(named: arguments.operands) {
      console.output.write(
        arguments.has(man) ? ManualPage.of(topic, in: Tool.declaration) : HelpText.of(topic))
      return .done
    }
    let command = try Tool.command(named: arguments.operands).declaration
    console.output.write(
      arguments.has(man)
        ? ManualPage.of(command, in: Tool.declaration) : HelpText.of(command, in: Tool.declaration))
    return .done
  }

  private static func topic(named words: [[UInt8]]) -> TopicDeclaration? {
    guard words.count == 1 else { return nil }
    return Tool.declaration.topics.first { words[0].elementsEqual($0.name.utf8) }
  }
}

/// The manual pages that belong to no verb.
enum Topics {
  static let all = [
    TopicDeclaration(
      name: "marks", page: "docsource-marks", section: 7,
      summary: "marks of origin: what they say and where they are stored",
      manual: ManualText(Manual.marks)),
    TopicDeclaration(
      name: "sharing", page: "docsource-sharing", section: 7,
      summary: "share items, rules, activities, links and intents: how they belong together",
      manual: ManualText(Manual.sharing)),
    TopicDeclaration(
      name: "file-managers", page: "docsource-file-managers", section: 7,
      summary: "see source applications in Nautilus, Nemo, Caja, Thunar and Dolphin",
      manual: ManualText(Manual.fileManagers)),
    TopicDeclaration(
      name: "library", page: "documentsource", section: 3,
      summary: "read and write which application a file came from",
      manual: ManualText(Manual.library)),
  ]
}
