import CommandLineInterface

extension RemoveCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Both forms go, the attribute user.x-document-source and the stream that Samba keeps. A \
        file that carries neither is told and counts in the status. No symbolic link is followed \
        below a directory.
        """
      ],
      seeAlso: ["setfattr(1)"])
  }
}
