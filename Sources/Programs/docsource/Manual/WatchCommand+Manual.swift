import CommandLineInterface

extension WatchCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        The kernel tells who has written a file, and the desktop which application a process \
        belongs to: by the sandbox of flatpak, the unit that snap or systemd has put it in, what \
        GIO has left to the process that it started, or its program, where that is a desktop \
        file's; else by the processes that it descends from, up to a shell in a terminal. Shells, \
        programs that copy, command-line tools, compilers, version control, file managers, \
        terminals and services are no applications. A writer that is gone before it could be \
        looked at is unknown; nothing is guessed.
        """,
        """
        The attribute gets the desktop file's identifier, the application's name, the URL that \
        your own list has for it, and the file's path below the home directory, or below the \
        directory where that is elsewhere. A file that is renamed within half a second, as many \
        editors do when they save, gets its new path; one whose name is hidden until then is \
        tagged if it is renamed within three seconds. Of many files that are written at once all \
        but the first are tagged after half a second. Nothing else of the file changes but its \
        ctime, and no writer waits. A file that is to be looked at again is open until then, and \
        its file system cannot be unmounted.
        """,
        """
        Passed over are hidden files and what is in hidden directories, caches (by their names, or \
        marked by a file CACHEDIR.TAG) and version control's, and files of others than the owner \
        of the directory. Users are those of /etc/passwd: other lists of users need not say whom \
        they have. A file counts where its writer has it: what is written by another path, through \
        another mount of the same files, as in a container, is not in your directories. Files that \
        are written through the document portal's own file system, as sandboxed applications do, \
        are the portal's, what other machines write into a network file system is not seen, and a \
        file system that a user has mounted for nobody else (FUSE) cannot be watched.
        """,
        """
        The GLOB is that of docsource-find(1). Without a slash in it, it must match the file's \
        name, else its path below the home directory. With --enable they replace those that were \
        given before, an empty one all of them, and so does --policy: keep leaves a source as it \
        is, whoever writes the file, last replaces it.
        """,
        """
        Where the service runs, it reads a change of the settings within five seconds, or at once \
        on SIGHUP; SIGTERM ends it. New mounts are watched by themselves. If files are written \
        faster than they can be looked at for long, the kernel's queue is full and events are \
        lost. That is counted and said, and then how many files changed meanwhile that have no \
        source; who wrote them nobody can tell. What is written while it does not run, or half a \
        second before it is killed, is not tagged. With --mount whatever is written through \
        another mount is not seen by the same path either, as from the sandbox of a flatpak.
        """,
        """
        With --json the members are event (tagged, would-tag, renamed, kept, none, unknown, \
        failed, overflow or missed, which has a number of files), file, and fileBase64 where the \
        path is not UTF-8, writer, the process, and those of docsource-show(1) where something is \
        written; reason with none, error with failed.
        """,
      ],
      exitStatus: [
        .done: "It was stopped, or its time is over; with --status, watching is on.",
        .noSource: "With --status: watching is off.",
        .failed: "Some directory could not be watched, or some file not be tagged.",
      ],
      environment: [
        ManualText.Entry(
          "XDG_CONFIG_HOME", "Where your settings are; the service looks into ~/.config."),
        ManualText.Entry("JOURNAL_STREAM", "Where it is standard error, lines have a priority."),
      ],
      files: [
        ManualText.Entry("$XDG_CONFIG_HOME/docsource/watch.json", "Your settings."),
        ManualText.Entry("~/.config/user-dirs.dirs", "Where your directories are."),
        ManualText.Entry("/run/docsource/watch.json", "What the service has counted."),
      ],
      seeAlso: [
        "docsource-apps(1)", "docsource-show(1)", "capabilities(7)", "fanotify(7)", "systemctl(1)",
      ])
  }
}
