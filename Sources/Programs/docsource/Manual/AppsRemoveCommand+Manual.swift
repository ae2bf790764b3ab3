import CommandLineInterface

extension AppsRemoveCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Installed applications, and those known otherwise, stay known. The list is replaced at \
        once, as docsource-apps-add(1) has it.
        """
      ],
      exitStatus: [
        .noSource: "Some identifier was not on the list; the others are removed.",
        .failed: "The list cannot be read or written; it is as it was.",
      ],
      environment: [AppsCommand.list], files: [AppsCommand.listFile])
  }
}
