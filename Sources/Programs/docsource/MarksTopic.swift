import CommandLineInterface

/// docsource-marks(7): what marks of origin there are, and where they are stored.
enum MarksTopic {
  static let declaration = TopicDeclaration(
    name: "marks", page: "docsource-marks", section: 7,
    summary: "marks of origin: what they say and where they are stored", manual: manual)

  private static let manual = ManualText(
    """
    A mark of origin is a piece of metadata that says where a file came from. docsource writes one
    mark of its own, the document source, and knows the marks that macOS, iOS, Windows, Samba,
    download programs and Linux desktops leave. This page describes the marks, the places where they
    are stored, and how far to trust them.
    """,
    sections: [
      ManualText.Section(
        "THE DOCUMENT SOURCE",
        """
        The extended attribute user.x-document-source holds a binary property list. The list is a
        dictionary with at least one of these strings:

          identifier  the application, such as com.appliedphasor.working-copy
          name        its name for people, such as Working Copy
          path        the path of the document inside the application
          appInfoURL  the https URL of a JSON file with the application's icons

        Values are UTF-8. Other keys of the dictionary are kept when docsource rewrites the value. A
        write is one system call: readers see either the old value or the new one, and the content,
        modification time, mode and other attributes of the file stay as they are. If two processes
        change the value at the same moment, the later write replaces the earlier one completely.

        On Apple's systems the attribute is called x-document-source: on Linux, attributes of users begin
        with user. There, the app that provides a document writes the attribute when it grants another
        app access; here, docsource-tag(1), docsource-watch(1), the C library and its Python and Swift
        interfaces write it. iCloud Drive shows the name of an app's container; Linux has no containers
        of apps, so name is all that people see.

        Samba keeps the attributes that its clients write as streams. If a file has the stream
        user.DosStream.x-document-source:$DATA but not the attribute, docsource reads the stream;
        writing updates both.
        """),
      ManualText.Section(
        "OTHER MARKS",
        """
        macOS writes com.apple.quarantine, which names the program that downloaded the file; the
        attributes of Spotlight, com.apple.metadata:kMDItemWhereFroms (the URLs of the download and
        its page), kMDItemDownloadedDate, kMDItemCreator, kMDItemFinderComment and
        kMDItemOriginSubject (the subject of a mail), and tags; the date of last use; and
        com.apple.provenance.

        Windows writes Zone.Identifier: the security zone that a file came from, and often the URLs
        of the download and its page. The text can be in UTF-8, UTF-16 or a code page.

        On Linux, user.xdg.origin.url, user.xdg.referrer.url and related attributes give the URL of
        a download or the sender of a mail. curl, wget and yt-dlp write such attributes if asked to
        (curl --xattr, wget --xattr); Chromium and Firefox write none. user.dublincore.*,
        user.mime_type and user.creator describe the content. user.x-extension-item holds what the app
        that shared the content said of it, as 'docsource item apply' writes it. The desktop records in
        recently-used.xbel which application last used a file.
        """),
      ManualText.Section(
        "CARRIERS",
        """
        A carrier is a place that holds a mark. docsource-trace(1) reads these carriers:

          user.NAME                    the attribute itself
          user.DosStream.NAME:$DATA    Samba, with vfs_streams_xattr
          osx.NAME                     the kernel, for a Mac file system
          ._FILE                       AppleDouble: Macs, where attributes
                                       cannot be stored
          __MACOSX/DIR/._FILE          AppleDouble in a zip archive made on
                                       a Mac
          .AppleDouble/FILE::EA::NAME  Netatalk
          .streams/.../NAME            Samba, with vfs_streams_depot
          FILE:NAME                    ntfs-3g, with streams_interface=windows
          FILE:Zone.Identifier         a stream of NTFS copied as a file
          recently-used.xbel           the desktop

        docsource-adopt(1) converts the other forms to attributes of the file, and
        docsource-emit(1) writes the forms that Macs, Windows and desktops read.
        docsource-strip(1) removes all marks but the record of the desktop, which is not shared with
        the file.
        """),
      ManualText.Section(
        "TRUST",
        """
        A mark is a claim by whoever wrote it, not a proof of origin; an icon or a name proves
        nothing either. Anyone who can write a file, or who sent it, can have set its marks. The
        member trust of 'docsource trace --json' says where a claim comes from:

          claim    the file itself
          beside   another file, perhaps of an earlier file of this name
          foreign  a file of another user; never part of the short answer
          record   the desktop's record, which identifies files by path

        If marks contradict each other, docsource shows all of them, and the short answer is taken
        from the file itself first. If a mark in another file contradicts a mark that comes before
        it, no mark in that other file counts for the short answer, since the other file may belong
        to an earlier file of this name. The identifier, name and path of an application are always
        those of a single mark; of a download, the short answer combines marks that agree.
        """),
      ManualText.Section(
        "PRIVACY",
        """
        Whoever gets a file with its attributes learns which application it came from, its path in
        that application, and often the address from which it was downloaded. Use docsource-strip(1)
        before you share files; metadata inside a file, as in a photo, is not removed. docsource
        keeps no other record of your files. The URL of an application's icons also comes from
        whoever marked the file: docsource icon is the only verb that accesses the network;
        docsource-icon(1) describes the limits.
        """),
      ManualText.Section(
        "LIMITS",
        """
        User attributes need a file system that stores them. ext4, xfs, btrfs and tmpfs do; FAT,
        exFAT and ramfs do not. Only regular files and directories can have them. The largest value
        is about 4000 bytes on ext4, where all attributes of a file share this space, 16206 bytes on
        btrfs, and 65536 bytes on xfs and tmpfs.

        The following programs keep or lose attributes:

          keep  cp -a, mv, rsync -X, gio copy, tar --xattrs (to write and to
                extract)
          lose  cp, install, dd, rsync -a, tar without --xattrs, zip, git,
                scp, sftp, mail, and editors that save by renaming, such as
                sed -i, vim and most others

        docsource-doctor(1) tests what a file system stores and names the programs installed here;
        docsource-export(1) keeps the attributes of a tree in a file.
        """),
      ManualText.Section(
        "EXAMPLE SESSION",
        """
        In this session, setfattr (package attr) does what wget --xattr would do:

          $ echo report > report.pdf
          $ setfattr -n user.xdg.origin.url -v https://example.com/report.pdf report.pdf
          $ docsource tag -q -i org.example.editor --app-name Editor report.pdf
          $ docsource trace report.pdf
          report.pdf: from "Editor", downloaded from example.com
            Source       "Editor" ("org.example.editor")
              user.x-document-source
            Origin       "https://example.com/report.pdf"
              user.xdg.origin.url
          $ docsource trace --raw user.xdg.origin.url report.pdf | wc -c
          30

        To a disk without attributes, for a Mac, and back:

          $ docsource emit --apple-double report.pdf
          report.pdf: wrote: ._report.pdf
          $ mkdir mac && cat report.pdf > mac/report.pdf && mv ._report.pdf mac
          $ docsource adopt -r mac
          mac/report.pdf: adopted: x-document-source, com.apple.metadata:kMDItemWhereFroms (._report.pdf)
          docsource: 1 changed, 1 unchanged, 0 failed
          $ docsource strip --keep source mac/report.pdf
          mac/report.pdf: removed: user.com.apple.metadata:kMDItemWhereFroms
        """),
    ],
    seeAlso: [
      "docsource-trace(1)", "docsource-adopt(1)", "docsource-strip(1)", "docsource-emit(1)",
      "docsource-item(1)",
      "documentsource(3)", "xattr(7)",
    ])
}
