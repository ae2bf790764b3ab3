import CommandLineInterface

extension TraceCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Where a mark stands is told as --raw takes it: the name of an attribute, or the path of \
        another file from the directory of FILE, and where that holds several marks, a colon and \
        the mark's name. Looked for are attributes under their own names, as Samba keeps streams \
        (user.DosStream.NAME:$DATA) and as the kernel shows those of a Mac's file system \
        (osx.NAME); the AppleDouble file ._FILE, also below __MACOSX beside FILE or above; what \
        Netatalk keeps below .AppleDouble; streams as ntfs-3g shows them (FILE:NAME); and files \
        called FILE:Zone.Identifier.
        """,
        """
        The marks are x-document-source; com.apple.quarantine, kMDItemWhereFroms, \
        kMDItemDownloadedDate, tags, the date of last use and com.apple.provenance of macOS; \
        Windows' Zone.Identifier; user.xdg.origin.url and its like, as curl, wget and browsers \
        write them; user.dublincore.*, user.mime_type and user.creator; and which application \
        used the file last by recently-used.xbel.
        """,
        """
        None of them proves anything. What stands on the file itself, whoever wrote or sent the \
        file can have set. What stands in another file may be of a former file of that name; what \
        the desktop has recorded goes by the path. Where such a file belongs to another user than \
        the file, you or root, it is shown but does not count for the short answer.
        """,
        """
        With --json each file is an object on a line of its own with these members: file, and \
        fileBase64 where the name is not UTF-8; origin, an object of what the short answer goes \
        by, or null; marks, an array of objects with mark, carrier, form (attribute, sambaStream, \
        hfsplus, appleDouble, macArchive, netatalk, stream, sibling or desktop), trust (claim, \
        beside, foreign or record), value, or null with reason and offset or error, and bytes in \
        Base64; contradictions, with subject and claims; and flaws, what could not be read. With \
        --recursive objects follow with summary (application, otherApplications, host, \
        otherHosts, marked or unmarked) and count.
        """,
        """
        With --recursive hidden files are traced as well, carriers only with the files they belong \
        to, and no symbolic link is followed. Several files are worked on at a time, in no order; \
        with --threads 1 it is that of the directories.
        """,
      ],
      exitStatus: [
        .noSource: """
        Some file has no mark of origin, or with --raw not this one. With --recursive: no file has \
        one.
        """
      ],
      files: [
        ManualText.Entry(
          "$XDG_DATA_HOME/recently-used.xbel", "What the desktop has recorded of files in use.")
      ],
      seeAlso: ["docsource-show(1)", "getfattr(1)"])
  }
}
