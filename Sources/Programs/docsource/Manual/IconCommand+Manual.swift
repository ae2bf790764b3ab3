import CommandLineInterface

extension IconCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Prints the path of the icon for a file, an identifier like org.example.editor, or the URL \
        of an appInfo.json, fetching what is missing.
        """,
        """
        A word with :// is the URL of an appInfo.json, the name of an existing file stands for \
        that file's application, and another word with a dot and without slash is an identifier. A \
        file called trust is ./trust.
        """,
        "The icon is the first of these:",
        """
          1. your own choice, $XDG_CONFIG_HOME/docsource/icons/IDENTIFIER.png or .svg
          2. the application's icon from the URL in the attribute, cut to the outline
             of an iOS icon
          3. the icon theme's for the application, by its desktop file or identifier
          4. that of an AppStream catalog or a flatpak remote
          5. one for any document
        """,
        """
        With --explain it says of each why it won or lost. With --json each operand is an object \
        on a line of its own with the members operand, identifier, appInfoURL, origin (override, \
        remote, theme, catalog, generic or null), path, pixels and stale.
        """,
        """
        --size counts in points, 64 if not given, and --scale is pixels a point, 1 if not given. \
        -o writes a PNG of that size, whatever it comes from; an SVG needs rsvg-convert(1). \
        --inline shows it on a terminal: kitty, Ghostty, WezTerm, or any other with chafa(1). \
        --install puts an application's own icon into your icon theme, so that file managers find \
        it, and refuses to for applications that are installed.
        """,
        """
        The URL comes from whoever marked the file, and fetching it tells them that somebody \
        looked. So it is fetched over https only, from public addresses only, without cookies, \
        credentials or proxy, and decoded in a process that has given up its rights. --offline \
        takes what is there, and --trusted fetches only from the hosts on a list of yours, kept by \
        docsource-icon-trust(1).
        """,
        """
        The cache holds 32 MiB and 2000 entries at most; those used least recently go first. What \
        a server says about freshness is followed, and failures are remembered for an hour to a \
        week; --refresh asks anyway.
        """,
      ],
      exitStatus: [
        .noSource: "There is no icon, or some file has no document source.",
        .failed: "No icon was found, or none written, because something failed.",
      ],
      environment: [
        ManualText.Entry("XDG_CACHE_HOME", "Where the cache is; ~/.cache if not set."),
        ManualText.Entry("XDG_CONFIG_HOME", "Where your choices are; ~/.config if not set."),
        ManualText.Entry(
          "XDG_DATA_HOME",
          "Where your icon themes and desktop files are; ~/.local/share if not set."),
        ManualText.Entry(
          "XDG_DATA_DIRS", "Where the system's are; /usr/local/share:/usr/share if not set."),
        Tool.noColor,
      ],
      files: [
        ManualText.Entry(
          "$XDG_CONFIG_HOME/docsource/icons",
          "Icons of your choice, named for the application's identifier."),
        ManualText.Entry("$XDG_CONFIG_HOME/docsource/trusted-hosts", "The trusted hosts."),
        ManualText.Entry("$XDG_CACHE_HOME/docsource/v1", "The cache."),
      ],
      seeAlso: ["rsvg-convert(1)", "chafa(1)"])
  }
}
