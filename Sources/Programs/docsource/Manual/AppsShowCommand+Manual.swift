import CommandLineInterface

extension AppsShowCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Each value is told with where it comes from. The members of --json are those of \
        docsource-apps-list(1). Where nothing is known by a word, the nearest identifier is \
        suggested.
        """
      ],
      exitStatus: [
        .noSource: "Some word means no application that is known, or several.",
        .failed: "Your list cannot be read.",
      ],
      environment: AppsCommand.environment + AppsCommand.languages, files: AppsCommand.files)
  }
}
