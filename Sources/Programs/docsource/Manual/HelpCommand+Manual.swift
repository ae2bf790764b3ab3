import CommandLineInterface

extension HelpCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Without VERB, the verbs are listed. Where a verb gathers others, as 'plist' does 'plist \
        show', the words follow each other. 'docsource VERB --help' shows the same.
        """
      ],
      exitStatus: [.noSource: ""], seeAlso: ["man(1)"])
  }
}
