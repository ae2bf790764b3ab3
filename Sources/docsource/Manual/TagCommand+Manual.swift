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
        --app takes identifier, name and URL from what docsource-apps(1) lists, by an identifier or \
        by a name that one application alone has; letters match in either case. What is not known \
        of the application is removed from the file, the path apart, and values that are given \
        count instead.
        """,
        """
        With --root each file's path is its real path below DIR, without links, and a file that \
        is not below DIR fails. With --recursive the files below a directory are tagged, the \
        directories are not. No symbolic link is followed there, and a directory that is swapped \
        for a link meanwhile leads nowhere else. A symbolic link that is named itself is \
        followed; with --no-dereference it fails, since links carry no user attributes.
        """,
      ],
      exitStatus: [.noSource: ""], environment: AppsCommand.environment,
      files: AppsCommand.files, seeAlso: ["docsource-apps(1)", "setfattr(1)", "xattr(7)"])
  }
}
