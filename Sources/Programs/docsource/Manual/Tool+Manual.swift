import CommandLineInterface

extension Tool {
  static var manual: ManualText {
    ManualText(
      [
        """
        A file does not say which application it came from. docsource keeps that with the file, \
        in the extended attribute that apps such as Working Copy give their documents: the \
        application's identifier and name, the document's path inside the application, and the \
        URL of a list of the application's icons.
        """,
        """
        The attribute is called user.x-document-source. Its value is a binary property list, a \
        dictionary of the strings identifier, name, path and appInfoURL; any of them may be \
        missing. Other keys are kept when it is written again. Where a file carries the stream \
        user.DosStream.x-document-source:$DATA, which Samba keeps for its clients, that is read \
        when the attribute is missing, and both are kept in step on writing.
        """,
        """
        A verb stands first, options and files follow in any order. Long options may be cut short \
        while they stay unique, and whatever follows -- is a file. Paths are bytes and need not be \
        UTF-8. Data goes to standard output and words to standard error. In what is for people, \
        control characters and characters that hide or turn the direction of writing are spelled \
        out; with --json and -0 everything is exact. A file that fails does not stop the rest.
        """,
        """
        User attributes need a file system that stores them: ext4, xfs, btrfs and tmpfs do, FAT \
        and exFAT do not. Only regular files and directories carry them. A value has room up to \
        about 4000 bytes on ext4, where all attributes of a file share it, 16206 on btrfs, and \
        65536 on xfs and tmpfs. cp without -a, editors that save by renaming, git, zip and most \
        transfers lose attributes; cp -a, mv, rsync -X and tar --xattrs keep them.
        """,
        """
        What the attribute says is a claim of whoever wrote it, no proof of origin. Only \
        'docsource icon' reaches the network.
        """,
      ],
      environment: [
        noColor
      ],
      files: [
        ManualText.Entry(
          "../libexec/docsource",
          """
          Seen from the directory of the executable, where docsource-archive, docsource-fetch and \
          docsource-xml are that it runs, unless they are beside it.
          """)
      ],
      seeAlso: ["getfattr(1)", "setfattr(1)", "xattr(7)"])
  }

  static let noColor = ManualText.Entry(
    "NO_COLOR", "Where it is set and not empty, nothing is shown in colours.")
}
