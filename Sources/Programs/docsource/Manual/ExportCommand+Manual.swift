import CommandLineInterface

extension ExportCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Where one directory alone is named, its own attribute is listed under the path '.'. With \
        several operands, or a file, paths lead from the working directory; --root says another \
        one, and what is not below it is reported. What is left out of directories are .git, .hg, \
        .svn, .bzr, .jj, _darcs and CVS; named as an operand they are listed.
        """,
        """
        The manifest has a line for each file, sorted by the bytes of the paths and in ASCII only, \
        so that it changes only where the tree does. Each is a JSON object: file, the path, and \
        fileBase64 where that is not UTF-8; source, an object of the fields, for people, unless \
        the value has none; and value, the bytes of the attribute in Base64. Whoever edits source \
        takes value out. A damaged value is listed as well. What is only in the stream that Samba \
        keeps is listed as if it were in the attribute.
        """,
        """
        --format getfattr writes what 'setfattr --restore' reads, in the directory that the paths \
        lead from.
        """,
        """
        With --output, a regular file is replaced when the manifest is complete: readers see the \
        old one or the new one, and a full disk leaves the old one. Owner, mode and attributes \
        stay. A file with several names, what a symbolic link leads to, and a file in a directory \
        that may not be written are written in place.
        """,
      ],
      exitStatus: [
        .noSource: "There is nothing to list; the manifest is empty.",
        .failed: """
        Something could not be read, and is not in the manifest; or the manifest cannot be written.
        """,
      ],
      files: [
        ManualText.Entry(
          ImportCommand.manifestName, "The manifest that docsource-import(1) reads by itself.")
      ],
      seeAlso: ["docsource-import(1)", "getfattr(1)", "setfattr(1)"])
  }
}
