import CommandLineInterface

extension AppsAddCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        The list is replaced at once: readers see the old one or the new one, and several that \
        change it wait for each other. Where it is a symbolic link, the file that it leads to is \
        replaced. An identifier that is not in reverse-DNS form is warned about and added.
        """
      ],
      exitStatus: [
        .done: "The list has the values, whether they were new or not.", .noSource: "",
        .failed: "The list cannot be read or written; it is as it was.",
      ],
      environment: [AppsCommand.list], files: [AppsCommand.listFile])
  }
}
