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
        With --root each file's path is its real path below DIR, without links, and a file that \
        is not below DIR fails. With --recursive the files below a directory are tagged, the \
        directories are not. No symbolic link is followed there, and a directory that is swapped \
        for a link meanwhile leads nowhere else. A symbolic link that is named itself is \
        followed; with --no-dereference it fails, since links carry no user attributes.
        """,
      ],
      exitStatus: [.noSource: ""], seeAlso: ["setfattr(1)", "xattr(7)"])
  }
}
