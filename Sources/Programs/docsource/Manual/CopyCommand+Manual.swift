import CommandLineInterface

extension CopyCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Without --all-attributes, FROM must have a document source that can be read. Where it is \
        only in the stream that Samba keeps, the attribute is made of that. A target with the same \
        value is not written.
        """,
        """
        --all-attributes asks no document source of FROM. The rules of /etc/xattr.conf, by \
        libattr, say which attributes are left out; attributes of the target that FROM lacks stay. \
        Where some cannot be copied, the others are, and the first that failed is named. \
        Attributes that begin with trusted. or security. may be written by root alone.
        """,
        """
        Symbolic links are followed, FROM and targets, unless --no-dereference is given. A target \
        that fails does not stop the others.
        """,
      ],
      exitStatus: [
        .noSource: "FROM has no document source; nothing is done.",
        .failed: "FROM cannot be read, or some target cannot be written. The rest is done.",
      ],
      files: [
        ManualText.Entry("/etc/xattr.conf", "Which attributes --all-attributes leaves out.")
      ],
      seeAlso: ["cp(1)", "setfattr(1)", "xattr(7)"])
  }
}
