import CommandLineInterface

extension ShowCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Only what is a string counts as a field, as for the apps that write the attribute; \
        another type is told on standard error. A value without any of the four fields is no \
        document source. A value that is no property list is damaged: that is a failure, and \
        --raw still gives its bytes.
        """,
        """
        With --json each file is an object on a line of its own with these members: file, and \
        fileBase64 where the name is not UTF-8; source, an object of the fields that are there, or \
        null; carrier, the attribute it was read from; and where there is no source, reason or \
        error.
        """,
        """
        --field app-info-url is taken for appInfoURL. --xml and --raw give the whole value, keys \
        that are not among the four included.
        """,
      ],
      exitStatus: [
        .noSource: """
        Some file has no document source or, with --field, none with that field. With \
        --recursive: no file has one.
        """
      ],
      seeAlso: ["getfattr(1)"])
  }
}
