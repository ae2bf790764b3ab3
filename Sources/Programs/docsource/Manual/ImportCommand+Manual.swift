import CommandLineInterface

extension ImportCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        The first line tells the format: a line of JSON begins with {, a dump with #. Lines may \
        stand in any order; of two for one file the later counts. A line of JSON is an object with \
        the members file, and fileBase64 where the path is not UTF-8; value, the bytes of the \
        attribute in Base64; or source, an object of the fields, of which the value is made. Where \
        both are there and disagree, the line fails. What 'docsource show --json' prints does too, \
        where it has a source.
        """,
        """
        A file whose attribute has the value already is not written. What is there is replaced, \
        unless --keep-existing is given; then a file with any value keeps it. The stream that \
        Samba keeps is kept in step.
        """,
        """
        No component of a path may be a symbolic link, and nobody who swaps one in meanwhile leads \
        the writing elsewhere; --root itself may lead through links. With --allow-outside, paths \
        that are absolute, or that lead upwards, are taken, still without following links. \
        Without MANIFEST, the one in DIR must be a regular file and no link.
        """,
        """
        At the end a line on standard error counts the files added, changed, unchanged, kept, \
        missing and failed. On a terminal that does not show a line for each file, how far the \
        work has come is shown after a second. After 100 lines that cannot be read the rest is left.
        """,
      ],
      exitStatus: [
        .noSource: "",
        .failed: """
        The manifest or some of its lines cannot be read, or some file is missing or cannot be \
        written. The rest is done.
        """,
        .usage: "The command line was wrong, or DIR cannot be opened; nothing is done.",
      ],
      files: [
        ManualText.Entry(manifestName, "The manifest in DIR that is read where none is named.")
      ],
      seeAlso: ["docsource-export(1)", "getfattr(1)", "setfattr(1)"])
  }
}
