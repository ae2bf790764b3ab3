import CommandLineInterface

extension DoctorCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        For each path these are told: what kind of file it is, with its mode and owner; the file \
        system, where it is mounted, and with which options; how large the value is that is stored \
        now; how much room there is for one; each obstacle; and what helps against it.
        """,
        """
        The room is tried, since file systems do not tell it: on a file without name in the \
        directory, or beside the file with copies of its other user attributes. Where no such file \
        can be made, what is known of the file system is told instead.
        """,
        """
        The list of programs, which is printed where any path can store the attribute, and not \
        with --json, has only those that are installed here.
        """,
        """
        With --json the members are file, and fileBase64 where the path is not UTF-8; canStore; \
        kind, mode, owner and group; fileSystem, with type, mountPoint, source and options; stored \
        and storedError; carrier, the attribute it is stored in; room in bytes, whether that \
        isMeasured, and how much is left; and obstacles, each with code, reason and help. A code \
        is symbolic-link, kind, file-system, read-only, immutable, append-only, permission, \
        sticky-directory, refusal or no-room. A path that cannot be examined has file, canStore \
        and error.
        """,
      ],
      exitStatus: [
        .done: "The attribute can be stored at all the paths.",
        .noSource: "At some path it cannot be stored.",
        .failed: "Some path cannot be examined. The others are.",
      ],
      environment: [
        ManualText.Entry("PATH", "Where the programs are looked for that keep or lose attributes.")
      ],
      seeAlso: ["chattr(1)", "getfacl(1)", "mount(8)", "xattr(7)"])
  }
}
