import CommandLineInterface

extension AdoptCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Taken in are, in this order: streams that Samba keeps as attributes \
        (user.DosStream.NAME:$DATA) where NAME is a mark of origin or begins with com.apple., \
        without the NUL that Samba puts behind each; attributes that the kernel shows of a Mac's \
        file system (osx.NAME), which stay; files called FILE:NAME as copying from NTFS leaves \
        them; attributes that Netatalk keeps below .AppleDouble; and all attributes of the \
        AppleDouble file ._FILE or the one below the next __MACOSX beside FILE or above. They \
        become user.NAME, and Finder information user.com.apple.FinderInfo. A NUL behind the \
        property list in a native attribute goes as well.
        """,
        """
        A carrier is removed only after all it holds stands in attributes of the file, these have \
        been read back and the disk has them; a folder __MACOSX goes once it is empty. Whatever \
        ends the work, no attribute is lost, and doing it again does the rest. Kept are a carrier \
        that holds more than attributes can (a resource fork, a value over 65536 bytes, names by \
        which file systems are directed), that cannot be read, that belongs to another user than \
        FILE, you or root, or that contradicts FILE.
        """,
        """
        Where FILE has an attribute with another value, --keep says which counts, as in dot_clean \
        of macOS: native, that of FILE; dotbar, that of the carrier; mostrecent, that of the \
        carrier if it was written after FILE, otherwise that of FILE. Without it both stay, and \
        with mostrecent where nobody knows when the carrier was written, as of Samba's streams and \
        archives.
        """,
        """
        Samba and Netatalk no longer find what they kept once it is adopted. For files that they \
        still serve give --leave.
        """,
        """
        With --infer a file without document source gets one from user.creator, or from the \
        program that macOS's quarantine names, as identifier where it is one, otherwise as name.
        """,
        """
        With --archive, DIR is a directory into which that zip or tar was extracted by a program \
        that dropped attributes. What the archive holds of them, as AppleDouble files or in pax \
        headers (SCHILY.xattr., LIBARCHIVE.xattr.), is given to the files below DIR by their paths \
        in the archive; of Linux's attributes only user.NAME. No link is followed, no path leads \
        out of DIR, and nothing is extracted. docsource-archive reads the archive with libarchive, \
        in a process that has given up its rights and takes 64 MiB of attributes at most. A file \
        that is not there is reported.
        """,
        """
        With --recursive what is below a directory is worked on, files and directories, hidden \
        ones as well; carriers are not worked on themselves, and no symbolic link is followed. The \
        filters choose by the source that a file has before.
        """,
      ] + BulkChange.manual,
      exitStatus: [
        .noSource: """
        Some carrier contradicts its file and was kept, or the archive holds no attributes.
        """,
        .failed: BulkChange.failures,
      ],
      seeAlso: ["docsource-trace(1)", "docsource-strip(1)"])
  }
}
