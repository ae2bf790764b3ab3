import CommandLineInterface

extension RemoveCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Both forms go, the attribute user.x-document-source and the stream that Samba keeps. A \
        file that is named and carries neither is told and counts in the status; on a walk such \
        files are the rule and counted as unchanged. With --recursive the directories are worked \
        on as well as the files, unless --type=f is given. No symbolic link is followed below a \
        directory. What begins with a period is not left out, unless --no-hidden is given.
        """,
        """
        A filter leaves files as they are that do not meet it, named ones as well. A file must \
        meet all that are given, and of one that is given several times, one; --damaged excludes \
        --identifier, --name and --path. The GLOB is that of docsource-find(1).
        """,
      ] + BulkChange.manual,
      exitStatus: [
        .noSource: "Some file that was named has no attribute to remove.",
        .failed: BulkChange.failures,
      ],
      seeAlso: ["docsource-find(1)", "setfattr(1)"])
  }
}
