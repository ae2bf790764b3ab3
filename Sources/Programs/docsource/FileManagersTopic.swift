import CommandLineInterface

/// docsource-file-managers(7): what file managers show, and what that needs.
enum FileManagersTopic {
  static let declaration = TopicDeclaration(
    name: "file-managers", page: "docsource-file-managers", section: 7,
    summary: "see source applications in Nautilus, Nemo, Caja, Thunar and Dolphin", manual: manual)

  private static let manual = ManualText(
    """
    File managers show which application a file came from:

                            column  emblem  properties page    context menu
      Nautilus, Nemo, Caja  yes     yes     yes                yes
      Thunar                -       -       yes                yes
      Dolphin               -       yes     for a single file  yes

    The column is called "Source App"; select it among the columns of the list view. It has the name
    of the application, of an installed one in your language. A file without a source of its own
    shows what its other marks say: "from example.org" is a download, "(damaged)" a mark that cannot
    be decoded, "(cannot be read)" a file that you may not read. The column is sorted by the rules
    of your language, with files that say nothing last.

    The emblem is the application's own icon if the icon theme has it ('docsource icon --install'
    adds it), otherwise a blue one. A green emblem marks a file that says where it came from but
    names no application, a red one a damaged mark. Nemo draws only one emblem, so symbolic links
    keep their arrow and have none; nor do thumbnails in the list view of Caja, which draws none on
    thumbnails.

    The properties page has the short answer of docsource-trace(1), the values of the marks, and,
    except in Nautilus, the icon of the application. Of several files it has what they have in
    common; a missing value counts as a different one. File managers let extensions set no tooltips
    in their lists, so the short answer is on the page only.

    The entries of the context menu are in the submenu "Source". "Share..." lists what
    'docsource share --list' does, with the reasons, and hands the files over to what is chosen. "Open
    in Source App" stands there if the application that all files came from is installed and declares
    their types; it runs 'docsource open --source'. "Tag with Application..." lists the
    applications that docsource-apps(1) lists, without those that change settings: first the present
    one and those used recently. A text that no application is called can be used as identifier.
    "Copy Source" copies what the page says. "Visit Source App's Website" opens the host of the URL
    in the mark, if the host is below the domain that the identifier begins with. "Remove Source"
    asks first, since file managers let extensions undo nothing; after "Do not ask again" it no
    longer asks, until ~/.config/docsource/file-managers.json is deleted. Dolphin has "Share...", "Open
    in Source App", "Tag with Application..." and "Remove Source", for all files.

    Changes to marks appear at once. Nothing is shown for files that are not local. Files on network
    and FUSE file systems are read by another process, so that the file manager never waits for
    them. Icons are fetched only when a properties page is opened, and only from hosts on your own
    list, which docsource-icon-trust(1) manages. The texts are in English, German and Chinese.
    """,
    sections: [
      ManualText.Section(
        "INSTALLING",
        """
        The package docsource-filemanager contains the extension for Nautilus, Nemo, Caja and
        Thunar, docsource-dolphin contains the plugins for Dolphin, and docsource-dialog, which both
        need, the dialogs. Restart the file manager
        after the installation, for instance with 'nautilus -q'.

        The extension needs the package python3-nautilus, nemo-python, python3-caja or, for Thunar,
        thunarx-python with gir1.2-thunarx-3.0.

        From source, the extension is installed together with the C library: 'make && make lib &&
        sudo make install PREFIX=/usr'. Below /usr/local, Nautilus and Thunar find the extension,
        but Nemo and Caja do not: link docsource_extension.py into
        ~/.local/share/nemo-python/extensions or ~/.local/share/caja-python/extensions.

        Dolphin's plugins are built by 'make deb', or by 'make dolphin', if 'make setup-dolphin' has
        installed the development packages of KDE (0.9 GB). 'make install' then puts the plugins
        below LIBDIR, which must be the library directory of Qt, such as /usr/lib/x86_64-linux-gnu.
        """)
    ],
    seeAlso: [
      "docsource-share(1)", "docsource-open(1)", "docsource-icon(1)", "docsource-apps(1)",
      "docsource-doctor(1)",
    ])
}
