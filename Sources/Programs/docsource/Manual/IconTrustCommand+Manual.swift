import CommandLineInterface

extension IconTrustCommand {
  static var manual: ManualText {
    ManualText(
      environment: [
        ManualText.Entry("XDG_CONFIG_HOME", "Where the list is; ~/.config if not set.")
      ],
      files: [
        ManualText.Entry(
          "$XDG_CONFIG_HOME/docsource/trusted-hosts", "The list, a host a line.")
      ])
  }
}
