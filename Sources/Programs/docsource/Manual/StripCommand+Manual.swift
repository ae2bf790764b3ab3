import CommandLineInterface

extension StripCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Attributes go in every form: native, as Samba keeps streams, and as the kernel shows those \
        of a Mac's file system. Of files beside FILE, those called FILE:NAME and those of Netatalk \
        go that hold a mark. From the AppleDouble file ._FILE, and those below __MACOSX, the marks \
        are taken; if nothing else is in it the file goes, otherwise it is written anew at once.
        """,
        """
        The kinds that --keep takes are source, the document source; creator, user.creator and \
        com.apple.provenance; download, the quarantine, kMDItemWhereFroms, kMDItemDownloadedDate, \
        user.xdg.origin.url and user.xdg.referrer.url; zone, Windows' Zone.Identifier; notes, tags \
        of macOS, the other user.xdg.* and user.dublincore.*; type, user.mime_type; and use, the \
        date of last use.
        """,
        """
        What the content of a file says, as the metadata of a photo or document, stays; and so do \
        attributes that are no marks of origin.
        """,
      ] + BulkChange.manual,
      exitStatus: [.failed: BulkChange.failures],
      seeAlso: ["docsource-trace(1)", "docsource-remove(1)", "exiftool(1)"])
  }
}
