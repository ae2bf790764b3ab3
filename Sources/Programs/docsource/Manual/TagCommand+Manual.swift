import CommandLineInterface

extension TagCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        A write is one system call: a reader sees the old value or the new one. Content, times, \
        mode and other attributes of the file stay as they are. Keys of the value that are not \
        among the four stay too, unless --replace is given. A value that would not change is not \
        written.
        """,
        """
        Values must be UTF-8 without NUL. An identifier that is not in reverse-DNS form, like \
        com.example.editor, is warned about and written. A URL must be absolute and https, unless \
        --insecure-url is given. When no field would be left, the file fails; docsource-remove(1) \
        removes the attribute.
        """,
        """
        --app takes identifier, name and URL from what docsource-apps(1) lists, by an identifier \
        or by a name that one application alone has; letters match in either case. What is not \
        known of the application is removed from the file, the path apart, and values that are \
        given count instead.
        """,
        """
        With --root each file's path is its real path below DIR, without links, and a file that \
        is not below DIR fails. A symbolic link that is named itself is followed; with \
        --no-dereference it fails, since links carry no user attributes.
        """,
        """
        With --recursive the files below a directory are tagged, the directories are not, unless \
        --type=d asks for them. No symbolic link is followed there, and a directory that is \
        swapped for a link meanwhile leads nowhere else. What begins with a period is tagged \
        too, unless --no-hidden is given.
        """,
        """
        A filter leaves files as they are that do not meet it, named ones as well. A file must \
        meet all that are given, and of one that is given several times, one; --untagged and \
        --damaged exclude --if-identifier, --if-name and --if-path. The GLOB is that of \
        docsource-find(1), and matches the value before the change.
        """,
      ] + BulkChange.manual,
      exitStatus: [.noSource: "", .failed: BulkChange.failures],
      environment: AppsCommand.environment, files: AppsCommand.files,
      seeAlso: ["docsource-apps(1)", "docsource-find(1)", "setfattr(1)", "xattr(7)"])
  }
}
