import CommandLineInterface

extension EmitCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        --apple-double writes ._FILE beside FILE, which takes x-document-source, all attributes \
        that begin with com.apple., and from where FILE was downloaded to a Mac. The attributes \
        are those of FILE in any form; Finder information is taken from \
        user.com.apple.FinderInfo. Copy both files to a disk that stores no attributes. A file \
        that is there is written anew at once: what it holds besides, such as a resource fork, \
        stays.
        """,
        """
        --xdg writes user.xdg.origin.url and user.xdg.referrer.url, and into user.creator the \
        identifier, or else the name, of the application by the document source.
        """,
        """
        --zone writes user.Zone.Identifier, which ntfs-3g stores as the stream that Windows looks \
        for: the zone that another mark tells, or the Internet's where FILE was downloaded, with \
        its URL and that of the page.
        """,
        "What they say comes from all marks that docsource-trace(1) shows, in its order.",
      ],
      exitStatus: [
        .noSource: "Some file has no mark that could be written in a form that was asked for.",
        .failed: """
        Something could not be written, or says something else already and --force is not given. \
        The rest is done.
        """,
      ],
      seeAlso: ["docsource-trace(1)", "docsource-adopt(1)"])
  }
}
