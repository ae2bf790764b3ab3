import CommandLineInterface

extension PlistCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        A binary property list is the format of Apple's that begins with bplist00. The value of \
        the attribute user.x-document-source is one, but any other will do.
        """
      ],
      exitStatus: [.noSource: ""], seeAlso: ["plistutil(1)"])
  }
}
