import CommandLineInterface

extension PlistEncodeCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        XML property lists are read by the program docsource-xml. XML has no form for null, sets \
        and most control characters, and keeps neither the width of reals nor fractions of \
        seconds; a dictionary with CF$UID alone is a UID there. In JSON, what it lacks is tagged: \
        see docsource-plist-show(1).
        """
      ],
      exitStatus: [
        .noSource: "", .failed: "The input cannot be read or encoded.",
      ])
  }
}
