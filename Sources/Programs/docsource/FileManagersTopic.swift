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
      Dolphin               -       yes     for a single file  -

    The column is called "Source App"; select it among the columns of the list view. The emblem is
    the application's own icon if the icon theme has it ('docsource icon --install' adds it),
    otherwise a generic one. The context menu has "Tag with Application...", which lists the
    applications that docsource-apps(1) lists, "Copy Source", "Visit Source App's Website", which
    opens the host of the URL in the mark, and "Remove Source".

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
        Thunar, and docsource-dolphin contains the plugins for Dolphin. Restart the file manager
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
    seeAlso: ["docsource-icon(1)", "docsource-apps(1)", "docsource-doctor(1)"])
}
